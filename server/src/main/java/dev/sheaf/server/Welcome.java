package dev.sheaf.server;

import dev.sheaf.model.Secret;

/// What the operator sees once the server is up.
final class Welcome {
    private Welcome() {}

    static String text(App app) {
        String up = "Sheaf is up at %s (%s, data in %s)%n".formatted(app.url(), app.engine(), app.dataDir());
        return up + app.firstKey().map(key -> firstStart(app, key)).orElse("");
    }

    private static String firstStart(App app, Secret key) {
        return """

                This is the first start. The organization "%s" has one admin API key, shown here and never again:

                    %s

                It also stands in %s (readable by you only; delete it once you have stored the key elsewhere).
                Try it in another terminal:

                    export SHEAF_URL=%s SHEAF_API_KEY=$(cat %s)
                    mkdir -p hello && echo '# Hello' > hello/SKILL.md
                    ./sheaf push hello my-team/hello:1.0.0 --public
                    ./sheaf resolve my-team/hello
                    ./sheaf pull my-team/hello -o hello-again

                """.formatted(app.organization(), key.expose(), app.bootstrapKey(), app.url(), app.bootstrapKey());
    }
}
