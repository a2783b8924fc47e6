package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process that is killed (SIGKILL) when it has committed events and not numbered them: none is lost.
@Timeout(240)
@Tag("slow")
class NumberingCrashTest {
    private static final String EVENTS = "/v1/organizations/default/events?types=version.published&limit=500";

    @TempDir
    private Path folder;

    private static int push(String url, String key, String version) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url + "/v1/namespaces/crash/bundles/kit:push"))
                    .header("Authorization", "Bearer " + key)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("""
                            {"name": "Test", "visibility": "private", "version": "%s",
                             "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "# %s"}]}""".formatted(version, version)))
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    /// Somebody else holds the lock of the numbering, so that the moment between is as long as it takes to kill.
    @Test
    void anotherNodeNumbersWhatAKilledOneCommitted() throws Exception {
        var master = Map.of("master-key", MasterSecret.generate());
        var settings = TestApp.settings(Stack.POSTGRES_AND_BUCKET, folder.resolve("one"), master);
        try (var one =
                TestApp.start(Stack.POSTGRES_AND_BUCKET, folder.resolve("one"), InstantSource.system(), settings)) {
            var flags = new ArrayList<String>();
            settings.forEach((name, value) -> {
                if (name.startsWith("database") || name.startsWith("s3-") || name.equals("master-key")) {
                    flags.add("--" + name + "=" + value);
                }
            });
            Numbered.all(one.database());
            try (var killed = ServerProcess.start(folder.resolve("two"), List.of(), flags)) {
                one.database().write(tx -> {
                    FeedRows.lock(tx);
                    try {
                        assertThat(push(killed.url(), one.admin(), "1.0.0")).isEqualTo(201);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    killed.kill();
                    assertThat(tx.list("SELECT subject FROM event WHERE seq IS NULL", String.class))
                            .contains("crash/kit:1.0.0");
                    assertThat(CompletableFuture.supplyAsync(new EventNumbering(one.database())::lagSeconds)
                                    .join())
                            .isPositive();
                    return tx;
                });
            }

            try (var other = one.another(folder.resolve("three"))) {
                var page = other.get(EVENTS + "&wait=30", other.admin()).list(EventRecord.class);

                assertThat(page.getFirst().subject()).isEqualTo("crash/kit:1.0.0");
                assertThat(page).hasSize(1);
            }
        }
    }

    /// SQLite has one writer, which numbers next: a kill at once after an answer falls before, into or behind that.
    @Test
    void theSameNodeNumbersThemWhenItIsStartedAgain() throws Exception {
        var data = folder.resolve("data");
        var acknowledged = new ArrayList<String>();
        for (int run = 0; run < 4; run++) {
            try (var server = ServerProcess.start(data)) {
                String key = server.adminKey().expose();
                for (int i = 0; i <= run; i++) {
                    String version = "1." + run + "." + i;
                    assertThat(push(server.url(), key, version)).isEqualTo(201);
                    acknowledged.add("crash/kit:" + version);
                }
                server.kill();
            }
        }

        try (var server = ServerProcess.start(data);
                var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(server.url() + EVENTS))
                    .header("Authorization", "Bearer " + server.adminKey().expose())
                    .build();
            Eventually.within(
                    Duration.ofSeconds(60), () -> subjects(client, request).size() >= acknowledged.size());
            assertThat(subjects(client, request)).containsExactlyElementsOf(acknowledged);
        }
    }

    private static List<String> subjects(HttpClient client, HttpRequest request) {
        try {
            var found = new ArrayList<String>();
            tools.jackson.databind.json.JsonMapper.shared()
                    .readTree(client.send(request, BodyHandlers.ofString()).body())
                    .get("data")
                    .forEach(event -> found.add(event.get("subject").stringValue()));
            return found;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
