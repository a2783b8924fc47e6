package dev.sheaf.client;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which files of a folder are pulled ones, and what they were: a file that is otherwise now is somebody's work.
/// Immutable. It lies in the folder itself, so it is read as bytes from outside.
///
/// @param sources sorted
record Receipt(List<Source> sources) {
    static final Receipt EMPTY = new Receipt(List.of());

    private static final int SCHEMA = 1;

    /// What came from one bundle.
    ///
    /// @param files what each file was when it was written. While a pull is at work it may be the old or the new
    ///     one, so that a pull that is killed leaves nothing that looks like somebody's work
    record Source(String registry, String bundle, String manifest, SortedMap<String, Set<Digest>> files) {
        boolean is(Delivery.Order order) {
            return registry.equals(order.registry().toString()) && bundle.equals(order.repository());
        }
    }

    private record Document(int version, @Nullable List<Stored> bundles) {}

    private record Stored(
            @Nullable String registry,
            @Nullable String bundle,
            @Nullable String manifest,
            @Nullable SortedMap<String, List<String>> files) {}

    Receipt {
        sources = sources.stream()
                .sorted(Comparator.comparing(Source::registry).thenComparing(Source::bundle))
                .toList();
    }

    /// Reads what [#bytes] wrote; [#EMPTY] for anything else.
    static Receipt parse(byte[] json) {
        try {
            var document = Json.read(json, Document.class);
            return document.version() != SCHEMA || document.bundles() == null
                    ? EMPTY
                    : new Receipt(
                            document.bundles().stream().map(Receipt::source).toList());
        } catch (SheafException.Server | ProblemException e) {
            return EMPTY;
        }
    }

    private static Source source(Stored stored) {
        var files = new TreeMap<String, Set<Digest>>();
        Json.present(stored.files(), "files").forEach((path, digests) -> {
            var read = new TreeSet<>(Comparator.comparing(Digest::toString));
            Json.present(digests, path).forEach(digest -> read.add(Digest.parse(Json.present(digest, path))));
            files.put(LogicalPath.parse(path).value(), read);
        });
        return new Source(
                Json.present(stored.registry(), "registry"),
                Json.present(stored.bundle(), "bundle"),
                Json.present(stored.manifest(), "manifest"),
                files);
    }

    byte[] bytes() {
        var stored = sources.stream()
                .map(source -> {
                    var files = new TreeMap<String, List<String>>();
                    source.files()
                            .forEach((path, digests) -> files.put(
                                    path, digests.stream().map(Digest::toString).toList()));
                    return new Stored(source.registry(), source.bundle(), source.manifest(), files);
                })
                .toList();
        return (Json.pretty(new Document(SCHEMA, stored)) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// What came from the bundle that is to be delivered.
    Optional<Source> of(Delivery.Order order) {
        return sources.stream().filter(source -> source.is(order)).findFirst();
    }

    /// What the files of the order were or are to be: the state while it is carried out.
    Receipt during(Delivery.Order order) {
        var files = new TreeMap<String, Set<Digest>>();
        of(order).ifPresent(before -> files.putAll(before.files()));
        for (var asset : order.assets()) {
            files.merge(asset.path().value(), Set.of(asset.blob().digest()), Receipt::both);
        }
        return with(order, files);
    }

    private static Set<Digest> both(Set<Digest> one, Set<Digest> other) {
        var both = new TreeSet<>(Comparator.comparing(Digest::toString));
        Stream.of(one, other).forEach(both::addAll);
        return both;
    }

    /// What there is once it is carried out.
    Receipt after(Delivery.Order order) {
        var files = new TreeMap<String, Set<Digest>>();
        order.assets()
                .forEach(asset ->
                        files.put(asset.path().value(), Set.of(asset.blob().digest())));
        return with(order, files);
    }

    /// A file belongs to the bundle that it came from last.
    private Receipt with(Delivery.Order order, SortedMap<String, Set<Digest>> files) {
        var all = new ArrayList<Source>();
        for (Source source : sources) {
            if (!source.is(order)) {
                var others = new TreeMap<String, Set<Digest>>(source.files());
                others.keySet().removeAll(files.keySet());
                all.add(new Source(source.registry(), source.bundle(), source.manifest(), others));
            }
        }
        all.removeIf(source -> source.files().isEmpty());
        all.add(new Source(
                order.registry().toString(),
                order.repository(),
                order.manifest().toString(),
                files));
        return new Receipt(all);
    }

    /// The digests that the file at `path` may have and still be what a pull of this bundle wrote.
    static Set<Digest> written(@Nullable Source source, String path) {
        return source == null ? Set.of() : Map.copyOf(source.files()).getOrDefault(path, Set.of());
    }
}
