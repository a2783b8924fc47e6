package dev.sheaf.server.soak;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One client of a soak. It alone writes to its repositories, so it knows what must be there; the contents come
/// from a pool that all clients share, so the same blob is uploaded, mounted, deleted and collected in many places
/// at the same time.
final class SoakWorker implements Runnable {
    private static final int REPOSITORIES = 3;
    private static final int TAGS = 6;
    private static final int POOL = 200;
    private static final int LARGEST = 300_000;
    private static final int MOST_VERSIONS = 200;

    private final int number;
    private final int workers;
    private final List<String> urls;
    private final String key;
    private final SoakFigures figures;
    private final HttpClient client;
    private final Random random;
    private final Map<String, Map<String, List<Integer>>> tags = new HashMap<>();
    private final List<String> versions = new ArrayList<>();
    private final List<Action> actions = actions();
    private volatile boolean stopped;

    /// An answer that nothing explains.
    private static final class Unexpected extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unexpected(String message) {
            super(message);
        }
    }

    SoakWorker(int number, int workers, List<String> urls, String key, SoakFigures figures, HttpClient client) {
        this.number = number;
        this.workers = workers;
        this.urls = urls;
        this.key = key;
        this.figures = figures;
        this.client = client;
        this.random = new Random(number);
        for (int i = 0; i < REPOSITORIES; i++) {
            tags.put(name(number, i), new HashMap<>());
        }
    }

    private static String name(int worker, int repository) {
        return "soak/w" + worker + "-" + repository;
    }

    /// The bytes of a number of the pool: some small enough for the database, some larger.
    private static byte[] content(int blob) {
        var random = new Random(blob);
        var bytes = new byte[blob % 3 == 0 ? random.nextInt(1, 8_000) : random.nextInt(33_000, LARGEST)];
        random.nextBytes(bytes);
        return bytes;
    }

    private Map<String, List<Integer>> own(String repository) {
        return Objects.requireNonNull(tags.get(repository));
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        while (!stopped) {
            one();
        }
    }

    private interface Work {
        void on(String repository);
    }

    private record Action(String name, int weight, Work work) {}

    private List<Action> actions() {
        return List.of(
                new Action("push a manifest", 25, this::pushManifest),
                new Action("pull a tag", 25, this::pullTag),
                new Action("push a version", 8, repository -> pushVersion()),
                new Action("pull a version", 8, repository -> pullVersion()),
                new Action("push a blob at once", 8, repository -> pushAtOnce(repository, random.nextInt(POOL))),
                new Action("push a blob in chunks", 6, repository -> pushInChunks(repository, random.nextInt(POOL))),
                new Action("mount a blob", 6, this::mount),
                new Action("delete a blob", 4, this::deleteBlob),
                new Action("delete a tag", 4, repository -> delete(repository, false)),
                new Action("delete a manifest", 3, repository -> delete(repository, true)),
                new Action("pull of another client", 3, repository -> pullOfAnother()));
    }

    private void one() {
        int dice = random.nextInt(actions.stream().mapToInt(Action::weight).sum());
        var action = actions.getLast();
        for (var next : actions) {
            dice -= next.weight();
            if (dice < 0) {
                action = next;
                break;
            }
        }
        String repository = name(number, random.nextInt(REPOSITORIES));
        long from = System.nanoTime();
        try {
            action.work().on(repository);
            figures.took(action.name(), System.nanoTime() - from);
        } catch (Unexpected e) {
            figures.failed(action.name() + " in " + repository + ": " + e.getMessage());
        }
    }

    // --- blobs ---

    private void pushAtOnce(String repository, int blob) {
        byte[] bytes = content(blob);
        expect(send("POST", repository, "blobs/uploads/?digest=" + Digest.sha256(bytes), bytes), 201);
    }

    private void pushInChunks(String repository, int blob) {
        byte[] bytes = content(blob);
        String place = send("POST", repository, "blobs/uploads/", null).header("Location");
        String path = place.substring(("/v2/" + repository + "/").length());
        int offset = 0;
        for (int i = random.nextInt(3); i > 0 && offset < bytes.length; i--) {
            int end = Math.min(bytes.length, offset + 1 + random.nextInt(LARGEST / 2));
            expect(send("PATCH", repository, path, Arrays.copyOfRange(bytes, offset, end)), 202);
            offset = end;
        }
        byte[] last = Arrays.copyOfRange(bytes, offset, bytes.length);
        expect(send("PUT", repository, path + "?digest=" + Digest.sha256(bytes), last), 201);
    }

    /// The other client may delete it meanwhile, so either answer is right; what was mounted must be there.
    private void mount(String repository) {
        String from = name(random.nextInt(workers), random.nextInt(REPOSITORIES));
        byte[] bytes = content(random.nextInt(POOL));
        var digest = Digest.sha256(bytes);
        var reply =
                expect(send("POST", repository, "blobs/uploads/?mount=" + digest + "&from=" + from, null), 201, 202);
        if (reply.status() == 201) {
            figures.count("mounted");
            verify(expect(send("GET", repository, "blobs/" + digest, null), 200), digest);
        } else {
            String place = reply.header("Location").substring(("/v2/" + repository + "/").length());
            expect(send("DELETE", repository, place, null), 204);
        }
    }

    /// Gone, never there, or needed by a manifest.
    private void deleteBlob(String repository) {
        var digest = Digest.sha256(content(random.nextInt(POOL)));
        var reply = expect(send("DELETE", repository, "blobs/" + digest, null), 202, 404, 405, 409);
        if (reply.status() == 202) {
            figures.count("blobs deleted");
        }
    }

    // --- manifests ---

    /// As clients do: asks for each blob, uploads what is missing, and then counts on what it was told.
    private void pushManifest(String repository) {
        var blobs =
                random.ints(1 + random.nextInt(5), 0, POOL).distinct().boxed().toList();
        for (int blob : blobs) {
            var digest = Digest.sha256(content(blob));
            if (expect(send("HEAD", repository, "blobs/" + digest, null), 200, 404)
                            .status()
                    == 200) {
                figures.count("blobs that a push found there");
            } else if (random.nextBoolean()) {
                pushAtOnce(repository, blob);
            } else {
                pushInChunks(repository, blob);
            }
        }
        pushAtOnceConfig(repository);
        String tag = "t" + random.nextInt(TAGS);
        expect(send("PUT", repository, "manifests/" + tag, manifest(blobs)), 201);
        own(repository).put(tag, blobs);
    }

    private void pushAtOnceConfig(String repository) {
        byte[] config = utf8("{}");
        expect(send("POST", repository, "blobs/uploads/?digest=" + Digest.sha256(config), config), 201);
    }

    private static byte[] manifest(List<Integer> blobs) {
        var layers = blobs.stream()
                .map(blob -> V2Scenario.descriptor("application/octet-stream", content(blob)))
                .toList();
        return utf8("""
                {"schemaVersion":2,"mediaType":"%s","artifactType":"application/x-soak","config":%s,"layers":[%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST,
                        V2Scenario.descriptor("application/vnd.oci.empty.v1+json", utf8("{}")),
                        String.join(",", layers)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void pullTag(String repository) {
        var own = own(repository);
        if (!own.isEmpty()) {
            var tag = List.copyOf(own.entrySet()).get(random.nextInt(own.size()));
            pull(repository, tag.getKey(), tag.getValue());
        }
    }

    private void pull(String repository, String tag, List<Integer> blobs) {
        var got = expect(send("GET", repository, "manifests/" + tag, null), 200);
        if (!Arrays.equals(got.response().body(), manifest(blobs))) {
            throw new Unexpected("the tag " + tag + " names another manifest than the last that was pushed");
        }
        for (int blob : blobs) {
            var digest = Digest.sha256(content(blob));
            verify(expect(send("GET", repository, "blobs/" + digest, null), 200), digest);
        }
    }

    private static void verify(Reply reply, Digest digest) {
        if (!Digest.sha256(reply.response().body()).equals(digest)) {
            throw new Unexpected("other bytes than those of " + digest);
        }
    }

    private void delete(String repository, boolean byDigest) {
        var own = own(repository);
        if (own.isEmpty()) {
            return;
        }
        var chosen = List.copyOf(own.entrySet()).get(random.nextInt(own.size()));
        String tag = chosen.getKey();
        var blobs = chosen.getValue();
        String reference = byDigest ? Digest.sha256(manifest(blobs)).toString() : tag;
        expect(send("DELETE", repository, "manifests/" + reference, null), 202);
        own.entrySet()
                .removeIf(entry -> byDigest
                        ? entry.getValue().equals(blobs)
                        : entry.getKey().equals(tag));
        expect(send("GET", repository, "manifests/" + tag, null), 404);
    }

    /// What another client has there may go at any moment; what comes must be right.
    private void pullOfAnother() {
        String repository = name(random.nextInt(workers), random.nextInt(REPOSITORIES));
        var manifest = expect(send("GET", repository, "manifests/t" + random.nextInt(TAGS), null), 200, 404);
        if (manifest.status() == 200) {
            for (var layer : manifest.json().get("layers")) {
                var digest = Digest.parse(layer.get("digest").stringValue());
                var blob = expect(send("GET", repository, "blobs/" + digest, null), 200, 404);
                if (blob.status() == 200) {
                    verify(blob, digest);
                }
            }
        }
    }

    // --- versions ---

    private void pushVersion() {
        if (versions.size() >= MOST_VERSIONS) {
            pullVersion();
            return;
        }
        String version = "1." + versions.size() + ".0";
        String body = """
                {"version":"%s","visibility":"private","manifest":[{"logicalPath":"SKILL.md","contentText":"%s"}]}""".formatted(version, text(version));
        expect(call("POST", "/v1/namespaces/soak/bundles/v" + number + ":push", utf8(body), "application/json"), 201);
        versions.add(version);
    }

    private String text(String version) {
        return "worker " + number + " version " + version;
    }

    private void pullVersion() {
        if (versions.isEmpty()) {
            return;
        }
        String version = versions.get(random.nextInt(versions.size()));
        var reply = expect(
                call("GET", "/v1/namespaces/soak/bundles/v" + number + ":resolve?version=" + version, null, null), 200);
        if (!reply.text().contains(Digest.sha256(utf8(text(version))).hex())) {
            throw new Unexpected("version " + version + " resolves to other files: " + reply.text());
        }
    }

    /// Everything that must be there, once the worker has stopped.
    void verifyAll() {
        tags.forEach((repository, own) -> own.forEach((tag, blobs) -> {
            try {
                pull(repository, tag, blobs);
                figures.count("tags verified at the end");
            } catch (Unexpected e) {
                figures.failed("at the end, " + tag + " of " + repository + ": " + e.getMessage());
            }
        }));
    }

    // --- requests ---

    private static Reply expect(Reply reply, Integer... statuses) {
        if (!Set.of(statuses).contains(reply.status())) {
            throw new Unexpected(reply.response().request().method() + " "
                    + reply.response().request().uri() + ": " + reply.status() + " " + reply.text());
        }
        return reply;
    }

    private Reply send(String method, String repository, String path, byte @Nullable [] body) {
        return call(
                method,
                "/v2/" + repository + "/" + path,
                body,
                path.startsWith("manifests/") ? MediaType.IMAGE_MANIFEST : null);
    }

    private Reply call(String method, String path, byte @Nullable [] body, @Nullable String type) {
        var request = HttpRequest.newBuilder(URI.create(urls.get(random.nextInt(urls.size())) + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + key);
        if (type != null) {
            request.header("Content-Type", type);
        }
        try {
            return new Reply(client.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new Unexpected(method + " " + path + ": " + e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
