package dev.sheaf.server.faults;

import dev.sheaf.model.Digest;
import dev.sheaf.server.faults.Caller.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// What nodes have acknowledged, to be asked for again at the end. Thread-safe.
final class Written {
    private static final int READERS = 8;
    private static final int ATTEMPTS = 3;

    /// Content that must be readable.
    ///
    /// @param path of a GET whose answer names each digest
    /// @param blobs below `/v2`, with the digest in the end
    record Entry(String path, List<String> blobs) {}

    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    /// Uploads that began and have not ended. A credential may have a hundred.
    final Queue<String> uploads = new ConcurrentLinkedQueue<>();

    private final Map<String, Set<String>> tags = new ConcurrentHashMap<>();

    void add(Entry entry) {
        entries.add(entry);
    }

    /// The tag was set to a version.
    void tag(String path, String version) {
        tags.put(path, new CopyOnWriteArraySet<>(List.of(version)));
    }

    /// Nobody knows whether the tag was set.
    void maybeTag(String path, String version) {
        tags.computeIfPresent(path, (p, known) -> {
            known.add(version);
            return known;
        });
    }

    /// Takes one out, to be deleted; null if there is none.
    @Nullable
    Entry take() {
        return entries.poll();
    }

    int size() {
        return entries.size() + tags.size();
    }

    /// Each on a line, to be read again.
    synchronized void save(Path file) throws IOException {
        var lines = new ArrayList<String>();
        entries.forEach(one -> lines.add(one.path() + " " + String.join(" ", one.blobs())));
        tags.forEach((path, versions) -> lines.add("tag " + path + " " + String.join(" ", versions)));
        uploads.forEach(place -> lines.add("upload " + place));
        Path next = Files.write(file.resolveSibling(file.getFileName() + ".next"), lines);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    void load(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            var words = List.of(line.split(" "));
            if (words.getFirst().equals("tag")) {
                tags.put(words.get(1), new CopyOnWriteArraySet<>(words.subList(2, words.size())));
            } else if (words.getFirst().equals("upload")) {
                uploads.add(words.get(1));
            } else {
                entries.add(new Entry(words.getFirst(), words.subList(1, words.size())));
            }
        }
    }

    /// What is missing or has other bytes.
    List<String> lost(Caller caller) {
        var lost = new ConcurrentLinkedQueue<String>();
        try (var readers = Executors.newFixedThreadPool(READERS)) {
            for (var entry : entries) {
                readers.submit(() -> {
                    if (!isThere(caller, entry)) {
                        lost.add(entry.path());
                    }
                });
            }
            tags.forEach((path, versions) -> readers.submit(() -> {
                var got = read(caller, path);
                if (got == null || versions.stream().noneMatch(v -> text(got).contains("\"version\":\"" + v + "\""))) {
                    lost.add(path + " is not " + versions + ": " + (got == null ? "missing" : text(got)));
                }
            }));
        }
        return List.copyOf(lost);
    }

    private static boolean isThere(Caller caller, Entry entry) {
        var named = read(caller, entry.path());
        if (named == null) {
            return false;
        }
        return entry.blobs().stream().allMatch(blob -> {
            String digest = blob.substring(blob.lastIndexOf('/') + 1);
            var bytes = read(caller, blob);
            return bytes != null
                    && Digest.sha256(bytes).toString().equals(digest)
                    && text(named).contains(digest.substring("sha256:".length()));
        });
    }

    private static byte @Nullable [] read(Caller caller, String path) {
        for (int i = 0; i < ATTEMPTS; i++) {
            var got = caller.send(System.nanoTime(), Call.get("check", path, true));
            if (got != null) {
                return got;
            }
        }
        return null;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
