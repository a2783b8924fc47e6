package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.command.ExitCode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// A command that is made alone is the one that stands in the whole tree.
class CommandTreeTest extends CommandLineFixture {
    private String[] names() {
        return run("--help")
                .out()
                .lines()
                .dropWhile(line -> !line.equals("Use bundles:"))
                .takeWhile(line -> !line.equals("Exit status:"))
                .filter(line -> line.startsWith("  ") && line.charAt(2) != ' ')
                .map(line -> line.strip().split("[ ,]")[0])
                .toArray(String[]::new);
    }

    @Test
    void theHelpListsEveryCommand() {
        assertThat(names()).contains("push", "resolve", "pull", "admin", "completion", "serve", "config");
    }

    @Test
    void eachCommandHasTheNameThatItIsCalledBy() {
        assertThat(Arrays.stream(names()).filter(name -> !name.equals("serve") && !name.equals("config")))
                .allSatisfy(name -> {
                    var help = run(name, "--help");

                    assertThat(help.status()).isZero();
                    assertThat(help.out()).startsWith("Usage: sheaf " + name + " ");
                });
    }

    @Test
    void theVersionNeedsNoCommand() {
        assertThat(run("--version").out()).isEqualTo(run("-V").out()).startsWith("sheaf ");
    }

    @Test
    void whatNoCommandIsCalledIsComparedWithAllOfThem() {
        var misspelt = run("resolv");

        assertThat(misspelt.status()).isEqualTo(ExitCode.USAGE.status());
        assertThat(misspelt.err()).contains("resolve");
    }

    @Test
    void whatDoesNotFitIsNamedInWords() {
        assertThat(run("resolv").err())
                .startsWith("sheaf: there is no command \"resolv\"\n  did you mean sheaf resolve?");
        assertThat(run("tags", "move").err()).startsWith("sheaf: there is no command \"move\"\n");
        assertThat(run("--url", "http://a.test", "whoami").err())
                .startsWith("sheaf: there is no option \"--url\" here; options come after the command\n");
        assertThat(run("push", "--dryrun").err())
                .startsWith("sheaf: there is no option \"--dryrun\"\n  did you mean --dry-run?\n");
        assertThat(run("publishers", "add", "oidc", "--bundle", "acme/kit", "--claim", "sub")
                        .err())
                .startsWith("sheaf: --claim: write NAME=VALUE, not sub\n");
        assertThat(run("resolve", "acme/kit", "kit").err()).startsWith("sheaf: \"kit\" is one argument too many\n");
    }

    @Test
    void helpIsACommandToo() {
        assertThat(run("help")).isEqualTo(run("--help"));
        assertThat(run("help", "tags", "set")).isEqualTo(run("tags", "set", "--help"));
    }

    @Test
    void completionSpeaksOfTheOthers() {
        assertThat(run("completion", "bash").out()).contains("resolve", "whoami");
    }

    /// For packages; man(1) would show what it does not understand.
    @Test
    void theManualPageHasEveryCommandAndItsOptions() {
        String page = run("completion", "man").out();

        assertThat(page)
                .startsWith(".TH \"SHEAF\" \"1\"")
                .contains(".SS \"sheaf push\"", ".B \"\\-\\-allow\\-secrets\"", ".SS \"sheaf account totp begin\"")
                .contains(".SH \"EXIT STATUS\"");
        assertThat(page.lines()).noneMatch(String::isEmpty);
        assertThat(page.lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|B|I)( .*)?"));
    }
}
