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
import tools.jackson.databind.JsonNode;

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

    Receipt {
        sources = sources.stream()
                .sorted(Comparator.comparing(Source::registry).thenComparing(Source::bundle))
                .toList();
    }

    /// Reads what [#bytes] wrote; [#EMPTY] for anything else.
    static Receipt parse(byte[] json) {
        try {
            return ByHand.read(Json.document(json, "receipt"), "receipt", document -> {
                var bundles = ByHand.list(document, "bundles", Receipt::source);
                return ByHand.number(document, "version") != SCHEMA || bundles == null ? EMPTY : new Receipt(bundles);
            });
        } catch (SheafException.Server | ProblemException e) {
            return EMPTY;
        }
    }

    private static Source source(JsonNode stored) {
        var files = new TreeMap<String, Set<Digest>>();
        Json.present(stored.get("files"), "files").properties().forEach(file -> {
            var digests = new TreeSet<>(Comparator.comparing(Digest::toString));
            digests.addAll(ByHand.elements(file.getValue(), "files", digest -> Digest.parse(digest.asString(""))));
            files.put(new LogicalPath(file.getKey()).value(), digests);
        });
        return new Source(member(stored, "registry"), member(stored, "bundle"), member(stored, "manifest"), files);
    }

    private static String member(JsonNode stored, String name) {
        return Json.present(ByHand.text(stored, name), name);
    }

    byte[] bytes() {
        var document = Json.object().put("version", SCHEMA);
        var bundles = document.putArray("bundles");
        for (Source source : sources) {
            var stored = bundles.addObject()
                    .put("registry", source.registry())
                    .put("bundle", source.bundle())
                    .put("manifest", source.manifest());
            var files = stored.putObject("files");
            source.files().forEach((path, digests) -> {
                var list = files.putArray(path);
                digests.forEach(digest -> list.add(digest.toString()));
            });
        }
        return (Json.pretty(document) + "\n").getBytes(StandardCharsets.UTF_8);
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
