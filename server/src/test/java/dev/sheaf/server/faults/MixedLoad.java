package dev.sheaf.server.faults;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.faults.Caller.Call;
import dev.sheaf.server.testing.V2Scenario;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// The operations that clients do: resolve, manifests, blobs, downloads with verification, pushes as JSON and as OCI,
/// tags. Contents of more than 32 KiB are in the bucket. Thread-safe.
final class MixedLoad {
    private static final int BUNDLES = 4;
    private static final int LARGE = 60_000;
    private static final int SMALL = 600;
    private static final int TAGS = 40;
    private static final String JSON = "application/json";

    /// An operation and how many of a hundred it is.
    record Operation(int weight, Work work) {}

    interface Work {
        /// @param due when its first request is to be sent
        void run(long due);
    }

    private final Caller caller;
    private final Written written;
    private final String run;
    private final AtomicLong count = new AtomicLong();
    private final Map<String, List<String>> blobs = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> freeTags = new ConcurrentLinkedQueue<>();

    /// @param run a name that no load before it had, since versions are never reused
    MixedLoad(Caller caller, Written written, String run) {
        this.caller = caller;
        this.written = written;
        this.run = run;
    }

    /// Makes what the reads ask for.
    void prepare() {
        for (int i = 0; i < BUNDLES; i++) {
            for (String version : List.of("1.0.0", "1.0.1")) {
                if (!push(System.nanoTime(), bundle(i), version, LARGE)) {
                    throw new IllegalStateException("cannot push at the start");
                }
            }
        }
        for (int i = 0; i < TAGS; i++) {
            freeTags.add("moving-" + i);
        }
    }

    /// On average 1.38 requests each.
    List<Operation> operations() {
        return List.of(
                new Operation(34, this::resolve),
                new Operation(16, this::manifest),
                new Operation(16, this::blob),
                new Operation(6, this::download),
                new Operation(10, due -> push(due, bundle(), "2." + count.incrementAndGet() + ".0-" + run, size())),
                new Operation(8, this::pushImage),
                new Operation(10, this::setTag));
    }

    static final double REQUESTS = 1.44;

    private String bundle() {
        return bundle(ThreadLocalRandom.current().nextInt(BUNDLES));
    }

    private String bundle(int index) {
        return "faults/kit-" + run + "-" + index;
    }

    private static String v1(String bundle) {
        return "/v1/namespaces/" + bundle.replace("/", "/bundles/");
    }

    private static boolean half() {
        return ThreadLocalRandom.current().nextBoolean();
    }

    private static int size() {
        return ThreadLocalRandom.current().nextInt(4) == 0 ? LARGE : SMALL;
    }

    private void resolve(long due) {
        caller.send(due, Call.get("resolve", v1(bundle()) + ":resolve?version=1.0.1", half()));
    }

    private void manifest(long due) {
        caller.send(due, Call.get("manifest", "/v2/" + bundle() + "/manifests/1.0.1", half()));
    }

    private void blob(long due) {
        String bundle = bundle();
        var all = blobs.getOrDefault(bundle, List.of());
        read(due, "blob", bundle, all.get(ThreadLocalRandom.current().nextInt(all.size())), half());
    }

    private void read(long due, String kind, String bundle, String digest, boolean withKey) {
        var bytes = caller.send(due, Call.get(kind, "/v2/" + bundle + "/blobs/" + digest, withKey));
        if (bytes != null && !Digest.sha256(bytes).toString().equals(digest)) {
            caller.report(kind, false, due, "wrong bytes");
        }
    }

    private void download(long due) {
        String bundle = bundle();
        boolean withKey = half();
        if (caller.send(due, Call.get("resolve", v1(bundle) + ":resolve", withKey)) == null) {
            return;
        }
        var manifest =
                caller.send(System.nanoTime(), Call.get("manifest", "/v2/" + bundle + "/manifests/1.0.0", withKey));
        if (manifest == null) {
            return;
        }
        for (var layer : JsonMapper.shared().readTree(manifest).get("layers")) {
            read(System.nanoTime(), "blob", bundle, layer.get("digest").stringValue(), withKey);
        }
    }

    /// Bytes that nobody has sent before, as text.
    private static byte[] fresh(int size) {
        var bytes = new byte[size * 3 / 4];
        ThreadLocalRandom.current().nextBytes(bytes);
        return Base64.getEncoder().encode(bytes);
    }

    private boolean push(long due, String bundle, String version, int size) {
        byte[] content = fresh(size);
        byte[] body = V2Scenario.utf8("""
                {"name": "Kit", "visibility": "public", "version": "%s",
                 "manifest": [{"logicalPath": "a.txt", "contentText": "%s"}]}""".formatted(version, new String(content, StandardCharsets.US_ASCII)));
        if (caller.send(due, Call.write("JSON push", "POST", v1(bundle) + ":push", body, JSON)) == null) {
            return false;
        }
        String digest = Digest.sha256(content).toString();
        if (version.startsWith("1.")) { // which reads ask for and nobody deletes
            blobs.merge(bundle, List.of(digest), MixedLoad::both);
            return true;
        }
        written.add(new Written.Entry(
                v1(bundle) + ":resolve?version=" + version, List.of("/v2/" + bundle + "/blobs/" + digest)));
        return true;
    }

    private static List<String> both(List<String> some, List<String> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    private void pushImage(long due) {
        String repository = "faults/image-" + ThreadLocalRandom.current().nextInt(BUNDLES);
        byte[] layer = fresh(size());
        byte[] config = V2Scenario.utf8("{}");
        if (upload(due, repository, layer) && upload(System.nanoTime(), repository, config)) {
            byte[] manifest = V2Scenario.utf8("""
                    {"schemaVersion":2,"mediaType":"%s","artifactType":"application/x-faults","config":%s,"layers":[%s]}""".formatted(
                            MediaType.IMAGE_MANIFEST,
                            V2Scenario.descriptor("application/vnd.oci.empty.v1+json", config),
                            V2Scenario.descriptor("text/plain", layer)));
            String path = "/v2/" + repository + "/manifests/" + run + "-" + count.incrementAndGet();
            var answer = caller.send(
                    System.nanoTime(), Call.write("OCI push", "PUT", path, manifest, MediaType.IMAGE_MANIFEST));
            if (answer != null) {
                written.add(new Written.Entry(path, List.of("/v2/" + repository + "/blobs/" + Digest.sha256(layer))));
            }
        }
    }

    private boolean upload(long due, String repository, byte[] bytes) {
        String path = "/v2/" + repository + "/blobs/uploads/?digest=" + Digest.sha256(bytes);
        return caller.send(due, Call.write("OCI push", "POST", path, bytes, "application/octet-stream")) != null;
    }

    /// One request at a time moves a tag. A tag of which nobody knows whether it has moved is not moved again: the
    /// request may still be on its way.
    private void setTag(long due) {
        String tag = freeTags.poll();
        if (tag == null) {
            tag = run + "-tag-" + count.incrementAndGet();
        }
        String path = v1(bundle(Math.floorMod(tag.hashCode(), BUNDLES))) + "/tags/" + tag;
        String version = half() ? "1.0.0" : "1.0.1";
        byte[] body = V2Scenario.utf8("{\"version\": \"" + version + "\"}");
        byte @Nullable [] answer = caller.send(due, Call.write("tag", "PUT", path, body, JSON));
        if (answer == null) {
            written.maybeTag(path, version);
        } else {
            written.tag(path, version);
            freeTags.add(tag);
        }
    }
}
