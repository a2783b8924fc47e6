package dev.sheaf.server;

import dev.sheaf.model.key.Secret;

/// The text that the operator sees once the server is up.
///
/// @param terminal whether the output goes to a terminal; a log may be stored, so the first key is not printed
/// there
/// @param command how the operator calls this program
public record Welcome(boolean terminal, String command) {
    static Welcome ofThisProcess() {
        var console = System.console();
        return new Welcome(console != null && console.isTerminal(), System.getProperty("sheaf.command", "sheaf"));
    }

    public String text(App app) {
        String listening = app.url().endsWith("://" + app.listens()) ? "" : ", listening on " + app.listens();
        String up = "Sheaf is up at %s (%s, data in %s)%s%n"
                .formatted(app.url(), app.engine(), app.node().config().dataDir(), listening);
        return up + app.firstKey().map(key -> firstStart(app, key)).orElse("");
    }

    private String firstStart(App app, Secret key) {
        return "\nThis is the first start. The organization \"%s\" has one admin API key".formatted(app.organization())
                + (terminal ? ", shown here and never again:\n\n    " + key.expose() + "\n\nIt is also" : ". It is")
                + """
                 in %s (readable by you only; delete it once you have stored the key elsewhere).
                Open %s/setup in a browser to make the first owner with that key, or try it in another terminal:

                    export SHEAF_URL=%s SHEAF_API_KEY=$(cat %s)
                    mkdir -p hello && printf -- '---\\nname: hello\\ndescription: Says hello.\\n---\\n# Hello\\n' > hello/SKILL.md
                    %5$s push hello my-team/hello:1.0.0 --public
                    %5$s resolve my-team/hello
                    %5$s pull my-team/hello -o hello-again

                """.formatted(app.bootstrapKey(), app.url(), app.url(), app.bootstrapKey(), command);
    }
}
