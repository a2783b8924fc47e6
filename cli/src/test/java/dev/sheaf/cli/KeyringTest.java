package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinyRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The keyring of a desktop, a real one: gnome-keyring on a session bus of its own. What this program keeps there
/// is what other programs find, and the other way round.
@Tag("slow")
@Tag("programs")
class KeyringTest {
    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @BeforeEach
    void programs() {
        ChildProcess.assumeInstalled("dbus-run-session", "dbus-daemon");
        ChildProcess.assumeInstalled("gnome-keyring-daemon", "gnome-keyring");
        ChildProcess.assumeInstalled("secret-tool", "libsecret-tools");
        registry.requireKey();
        registry.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[10]));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    /// Runs a script on a bus of its own, in which `sheaf` is a function.
    private ChildProcess.Ran onABus(String script, String... options) throws Exception {
        Path runtime = Files.createDirectory(
                folder.resolve("run"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectories(folder.resolve("home"));
        var environment = Map.of(
                "XDG_RUNTIME_DIR",
                runtime.toString(),
                "SHEAF_URL",
                registry.url().toString(),
                "KEY",
                TinyRegistry.KEY,
                "SERVICE",
                "sheaf/" + registry.url().authority());
        String sheaf = "'" + String.join("' '", ChildProcess.sheaf()) + "'";
        Path file = Files.writeString(folder.resolve("script.sh"), "sheaf() { " + sheaf + " \"$@\"; }\n" + script);
        var command = new ArrayList<>(List.of("dbus-run-session"));
        command.addAll(List.of(options));
        command.addAll(List.of("--", "sh", file.toString()));
        return new ChildProcess(folder, environment).run("", command);
    }

    private Path ownFile() {
        return folder.resolve("home/.local/share/sheaf/credentials/"
                + registry.url().authority().replace(':', '_') + "/api-key");
    }

    @Test
    void loginKeepsTheKeyThereAndLogoutForgetsIt() throws Exception {
        var ran = onABus("""
                printf 'password\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null
                echo "$KEY" | sheaf login --key-stdin
                echo "kept $(secret-tool lookup service "$SERVICE" account api-key)"
                sheaf doctor
                sheaf logout
                secret-tool lookup service "$SERVICE" account api-key || echo gone
                """);

        assertThat(ran.err())
                .contains("the key is in the keyring (sheaf/" + registry.url().authority() + ")");
        assertThat(ran.err()).contains("logged out of");
        assertThat(ran.out()).contains("kept " + TinyRegistry.KEY + "\n", "from the keyring (sheaf/");
        assertThat(ran.out().strip()).endsWith("gone");
        assertThat(ownFile()).doesNotExist();
    }

    @Test
    void whatAnotherProgramKeptIsFoundAndReplaced() throws Exception {
        var ran = onABus("""
                printf 'password\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null
                echo shf_old | secret-tool store --label=sheaf service "$SERVICE" account api-key
                sheaf resolve acme/kit:1.0.0 || echo refused
                printf %s "$KEY" | secret-tool store --label=sheaf service "$SERVICE" account api-key
                sheaf resolve acme/kit:1.0.0 --format quiet
                echo "$KEY" | sheaf login --key-stdin
                secret-tool search --all service "$SERVICE" 2>/dev/null | grep -c '^secret'
                """);

        assertThat(ran.out()).contains("refused\n", "acme/kit@sha256:");
        assertThat(ran.out().strip()).endsWith("\n1");
        assertThat(ownFile()).doesNotExist();
    }

    @Test
    void aBusWithoutKeyringMeansTheFile() throws Exception {
        Path bare = Files.writeString(folder.resolve("bare.conf"), """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig>
                  <type>session</type>
                  <listen>unix:tmpdir=/tmp</listen>
                  <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
                  </policy>
                </busconfig>
                """);

        var ran = onABus("""
                echo "$KEY" | sheaf login --key-stdin
                sheaf doctor
                sheaf resolve acme/kit:1.0.0 --format quiet
                """, "--config-file=" + bare);

        assertThat(ran.err())
                .contains("no keyring could store the key", ownFile().toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ownFile())))
                .isEqualTo("rw-------");
        assertThat(ran.out()).contains("from " + ownFile(), "acme/kit@sha256:");
    }
}
