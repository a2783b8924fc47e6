package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A disk of 24 MiB that fills up under the server.
@Tag("slow")
class FullDiskTest {
    private static final int BALLAST = 4 << 20;
    private static final List<Integer> REFUSALS = List.of(503, 507);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Random random = new Random(24);

    @TempDir
    private Path folder;

    @BeforeEach
    void mount() throws Exception {
        String said = run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder.toString());
        assumeTrue(said.isEmpty(), () -> "no disk can be made that fills up, which takes root: " + said);
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", folder.toString());
    }

    /// What a command said, or "" where it succeeded.
    private static String run(String... command) throws IOException, InterruptedException {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : command[0] + ": " + output;
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void whatNoLongerFitsIsRefusedAndWhatIsThereIsServed() throws Exception {
        Path ballast = Files.write(folder.resolve("ballast"), new byte[BALLAST]);
        var kept = new LinkedHashMap<Digest, byte[]>();
        try (var server = ServerProcess.start(folder.resolve("data"), List.of(), List.of("--min-free-bytes", "0"))) {
            assertThat(pushUntilRefused(server, 1_000_000, kept)).isIn(REFUSALS);
            assertThat(pushUntilRefused(server, 20_000, kept))
                    .as("small content, in the database")
                    .isIn(REFUSALS);
            assertThat(kept).hasSizeGreaterThan(10);
            assertServed(server, kept);

            Files.delete(ballast);

            int before = kept.size();
            pushUntilRefused(server, 1_000_000, kept);
            assertThat(kept).hasSizeGreaterThan(before);
            assertServed(server, kept);
        }
        try (var server = ServerProcess.start(folder.resolve("data"), List.of(), List.of("--min-free-bytes", "0"))) {
            assertServed(server, kept);
        }
    }

    @Test
    void aPushThatDoesNotFitLeavesNothing() throws Exception {
        try (var server = ServerProcess.start(folder.resolve("data"), List.of(), List.of("--min-free-bytes", "0"))) {
            assertThat(push(server, "1.0.0", 5)).isIn(REFUSALS);

            assertThat(push(server, "2.0.0", 2)).isEqualTo(201);
        }
    }

    /// Pushes a version of so many assets of 5 MB each, and gives the status.
    private int push(ServerProcess server, String version, int assets) throws Exception {
        var manifest = new ArrayList<String>();
        for (int i = 0; i < assets; i++) {
            var bytes = new byte[5_000_000];
            random.nextBytes(bytes);
            manifest.add("{\"logicalPath\": \"" + i + "\", \"contentBase64\": \""
                    + Base64.getEncoder().encodeToString(bytes) + "\"}");
        }
        String body = "{\"version\": \"" + version + "\", \"manifest\": [" + String.join(",", manifest) + "]}";
        var request = HttpRequest.newBuilder(URI.create(server.url() + "/v1/namespaces/full/bundles/disk:push"))
                .POST(BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + server.adminKey().expose());
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    /// The status of the refusal.
    private int pushUntilRefused(ServerProcess server, int size, LinkedHashMap<Digest, byte[]> kept) throws Exception {
        for (int i = 0; i < 3_000; i++) {
            var bytes = new byte[size];
            random.nextBytes(bytes);
            var digest = Digest.sha256(bytes);
            var reply = send(server, "POST", "uploads/?digest=" + digest, bytes);
            if (reply.status() != 201) {
                return reply.status();
            }
            kept.put(digest, bytes);
        }
        throw new AssertionError("the disk does not fill up");
    }

    private void assertServed(ServerProcess server, LinkedHashMap<Digest, byte[]> kept) throws Exception {
        for (var blob : kept.entrySet()) {
            assertThat(send(server, "GET", blob.getKey().toString(), null)
                            .response()
                            .body())
                    .isEqualTo(blob.getValue());
        }
    }

    private Reply send(ServerProcess server, String method, String path, byte @Nullable [] body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.url() + "/v2/full/disk/blobs/" + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .header("Authorization", "Bearer " + server.adminKey().expose())
                .build();
        return new Reply(client.send(request, BodyHandlers.ofByteArray()));
    }
}
