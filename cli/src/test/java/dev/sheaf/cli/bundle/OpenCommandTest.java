package dev.sheaf.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.CommandLineFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a browser is told to show, and when it is left alone.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program that stands for a desktop's is a script of sh(1)")
class OpenCommandTest extends CommandLineFixture {
    @BeforeEach
    void desktop() throws IOException {
        bundle("public", "# Kit", "https://evil.example/");
        terminal = true;
        environment.put("DISPLAY", ":0");
        environment.put("NO_COLOR", "1");
        browser("exit 0");
    }

    private void bundle(String visibility, String readme, String homepage) {
        answer("/v1/namespaces/acme/bundles/kit", 200, """
                {"ref": "acme/kit", "visibility": "%s", "readmeContent": %s, "homepageUrl": "%s", "name": "Kit"}""".formatted(
                        visibility, readme.isEmpty() ? null : "\"" + readme + "\"", homepage));
    }

    private void browser(String end) throws IOException {
        Path program = folder.resolve("xdg-open");
        Files.writeString(program, "#!/bin/sh\nprintf '%s.' \"$@\" >>'" + folder.resolve("shown") + "'\n" + end + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        environment.put("PATH", folder.toString());
    }

    private String page() {
        return registry.url() + "/acme/kit";
    }

    @Test
    void aDesktopShowsThePageOfTheRegistryThatIsAsked() {
        var ran = run("open", "acme/kit");

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).isEqualTo("opened " + page() + "\n");
        assertThat(folder.resolve("shown")).hasContent(page() + ".");
    }

    @ParameterizedTest
    @CsvSource({"--print", "--json", "--format=quiet"})
    void whoWantsTheAddressGetsItAlone(String option) {
        var ran = run("open", "acme/kit", option);

        assertThat(ran.out()).contains(page());
        assertThat(folder.resolve("shown")).doesNotExist();
    }

    @Test
    void withoutADesktopOrATerminalTheAddressIsPrinted() {
        environment.remove("DISPLAY");
        assertThat(run("open", "acme/kit").out()).isEqualTo(page() + "\n");

        environment.put("WAYLAND_DISPLAY", "wayland-0");
        terminal = false;
        assertThat(run("open", "acme/kit").out()).isEqualTo(page() + "\n");
        assertThat(folder.resolve("shown")).doesNotExist();
    }

    @Test
    void aDesktopThatFailsOrIsNoneIsNotBelieved() throws IOException {
        browser("exit 3");
        assertThat(run("open", "acme/kit").out()).isEqualTo(page() + "\n");

        environment.put("PATH", ".:" + folder.resolve("none"));
        assertThat(run("open", "acme/kit").out()).isEqualTo(page() + "\n");
    }

    /// Its reader signs in there: a browser has no key.
    @Test
    void thePageOfAPrivateBundleIsForWhoSignsIn() {
        bundle("private", "# Kit", "");

        var ran = run("open", "acme/kit");

        assertThat(ran.err()).contains("opened " + page(), "acme/kit is private; sign in");
        assertThat(folder.resolve("shown")).hasContent(page() + ".");
    }

    @Test
    void aBundleWithoutAReadmeHasAPageToo() {
        bundle("public", "", "");

        var ran = run("open", "acme/kit");

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).isEqualTo("opened " + page() + "\n");
    }
}
