package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.client.testing.TinySessions;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person sees on a terminal.
@Tag("programs")
class TerminalTest {
    private static final int LARGE = 2 << 20;
    private static final String ESCAPE = "\u001b[";

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @AfterEach
    void stop() {
        registry.close();
    }

    private TmuxSession terminal(Map<String, String> environment) throws Exception {
        return TmuxSession.start(folder, environment);
    }

    private Map<String, String> here() {
        return Map.of("SHEAF_URL", registry.url().toString());
    }

    /// Sends half of it and waits.
    private static void slowly(HttpExchange exchange, byte[] bytes, CountDownLatch rest) throws IOException {
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
        exchange.getResponseBody().flush();
        try {
            rest.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.getResponseBody().write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
    }

    @Test
    void aSessionFromLoginToLogout() throws Exception {
        var sessions = new TinySessions(registry).every(0).refusing("authorization_pending");
        registry.content.publish("acme/kit:1.0.0", Map.of("a.md", "a\n".getBytes(StandardCharsets.UTF_8)));
        registry.replace("/tags/beta", exchange -> exchange.sendResponseHeaders(204, -1));
        try (var terminal = terminal(here())) {
            String login = terminal.run("sheaf login", 0);
            assertThat(login).contains("type " + TinySessions.CODE, "logged in to " + registry.url());

            terminal.type("sheaf tags rm acme/kit beta");
            terminal.await("remove the tag acme/kit:beta at " + registry.url() + "? [y/N]");
            terminal.press("n", "Enter");
            assertThat(terminal.end(0)).contains("nothing was changed");
            assertThat(registry.requests("/tags/beta")).isEmpty();

            terminal.type("sheaf tags rm acme/kit beta");
            terminal.await("[y/N]");
            terminal.press("y", "Enter");
            assertThat(terminal.end(0)).contains("removed the tag acme/kit:beta");
            assertThat(registry.requests("/tags/beta")).hasSize(1);

            assertThat(terminal.run("sheaf tags rm acme/kit beta < /dev/null", 2))
                    .contains("there is no terminal");

            registry.replace(":resolve", exchange -> TinyRegistry.problem(exchange, 404, "bundle-not-found", "none"));
            assertThat(terminal.run("sheaf resolve acme/none", 3))
                    .contains("sheaf: none", "sheaf login --url " + registry.url(), "request id: request-1");

            assertThat(terminal.run("sheaf logout", 0)).contains("logged out of");
            assertThat(sessions.revoked()).containsExactly("shr_1");
        }
    }

    @Test
    void aPullShowsHowFarItIsWithEachLargeFile() throws Exception {
        byte[] large = new byte[LARGE];
        byte[] larger = new byte[2 * LARGE];
        var rest = new CountDownLatch(1);
        registry.content.publish(
                "acme/kit:1.0.0", Map.of("big.bin", large, "models/bigger.bin", larger, "a", new byte[1]));
        registry.replace(Digest.sha256(large).toString(), exchange -> slowly(exchange, large, rest));
        try (var terminal = terminal(here())) {
            terminal.type("sheaf pull acme/kit -o '" + folder.resolve("out") + "'");
            terminal.await("  big.bin  50%");
            terminal.await("  models/bigger.bin 100%");
            String bars = terminal.await("pull acme/kit  83%"); // each bar is drawn at its own time
            rest.countDown();
            String after = terminal.end(0);

            assertThat(bars).contains("  big.bin  50%", "  models/bigger.bin 100%");
            assertThat(after).containsPattern("  big.bin +100% ").contains("\npulled acme/kit:1.0.0");
            assertThat(Files.size(folder.resolve("out/big.bin"))).isEqualTo(LARGE);
        } finally {
            rest.countDown();
        }
    }

    /// A line that the terminal breaks is one more line than the cursor goes up to draw the bar again.
    @Test
    void barsOfLongNamesTakeALineEach() throws Exception {
        String name = "a-name-that-is-much-longer-than-what-a-line-of-eighty-columns-has-room-for";
        byte[] large = new byte[LARGE];
        byte[] larger = new byte[2 * LARGE];
        var rest = new CountDownLatch(1);
        registry.content.publish("acme/" + name + ":1.0.0", Map.of(name + "/" + name, large, name + ".bin", larger));
        registry.replace(Digest.sha256(large).toString(), exchange -> slowly(exchange, large, rest));
        try (var terminal = TmuxSession.start(folder, here(), 80)) {
            terminal.type("clear; sheaf pull acme/" + name + " -o '" + folder.resolve("out") + "'");
            terminal.await(" 83% ");
            terminal.await(" 100% ");
            String bars = terminal.await(" 50% ");
            rest.countDown();
            terminal.await("\npulled ");

            assertThat(bars.lines().filter(line -> line.contains("% ")).toList())
                    .hasSize(3)
                    .allMatch(line -> line.contains("…"));
            assertThat(bars.lines()).hasSize(3);
        } finally {
            rest.countDown();
        }
    }

    @Test
    void controlCEndsAPullWith130() throws Exception {
        byte[] large = new byte[LARGE];
        var rest = new CountDownLatch(1);
        registry.content.publish("acme/kit:1.0.0", Map.of("big.bin", large));
        registry.replace("/blobs/", exchange -> slowly(exchange, large, rest));
        try (var terminal = terminal(here())) {
            terminal.type("sheaf pull acme/kit -o '" + folder.resolve("out") + "'");
            terminal.await("50%");
            terminal.press("C-c");
            String screen = terminal.await("[1: 130]");

            assertThat(screen.replaceAll("\\s+", " "))
                    .contains("sheaf: stopped; no file in " + folder.resolve("out")
                            + " was changed; run the same command again");
            assertThat(folder.resolve("out")).doesNotExist();
        } finally {
            rest.countDown();
        }
    }

    @Test
    void controlCOfAnAddSaysThatNothingWasChanged() throws Exception {
        byte[] text =
                ("---\nname: kit\ndescription: Is a kit.\n---\n" + "x".repeat(LARGE)).getBytes(StandardCharsets.UTF_8);
        var asked = new CountDownLatch(1);
        var rest = new CountDownLatch(1);
        registry.content.publish("acme/kit:1.0.0", Map.of("skills/kit/SKILL.md", text));
        registry.replace("/blobs/", exchange -> {
            asked.countDown();
            slowly(exchange, text, rest);
        });
        try (var terminal = terminal(here())) {
            terminal.type("sheaf add acme/kit --agent claude-code --project '" + folder + "'");
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            terminal.press("C-c");
            String screen = terminal.await("[1: 130]");

            assertThat(screen.replaceAll("\\s+", " "))
                    .contains("sheaf: stopped; nothing was changed; run the same command again");
            assertThat(folder.resolve(".claude")).doesNotExist();
        } finally {
            rest.countDown();
        }
    }

    @Test
    void coloursAreForWhoWantsThem() throws Exception {
        registry.replace(
                "/bundles/kit/tags",
                exchange -> TinyRegistry.send(exchange, 200, """
                {"data": [{"name": "stable", "version": "1.0.0", "digest": "sha256:0", "protected": false,
                  "managed": false, "updatedAt": "2026-01-02T03:04:05Z"}], "meta": {"hasMore": false}}
                """.getBytes(StandardCharsets.UTF_8)));
        try (var terminal = terminal(here())) {
            terminal.run("sheaf tags ls acme/kit", 0);
            assertThat(terminal.coloured()).contains(ESCAPE + "1mTAG");

            terminal.run("NO_COLOR=1 sheaf tags ls acme/kit", 0);
            assertThat(terminal.coloured()).contains("stable").doesNotContain(ESCAPE + "1m");

            terminal.run("sheaf tags ls acme/kit | cat", 0);
            assertThat(terminal.coloured()).contains("stable").doesNotContain(ESCAPE + "1m");
        }
    }
}
