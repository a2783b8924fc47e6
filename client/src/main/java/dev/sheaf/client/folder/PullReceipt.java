package dev.sheaf.client.folder;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByHand;
import dev.sheaf.client.io.WireJson;
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

/// The record of the files that pulls have written to a folder, and of their contents: a file that differs was
/// edited by the user. Immutable. It is stored in the folder itself, so it is parsed as untrusted input.
///
/// @param sources sorted
record PullReceipt(List<Source> sources) {
    static final PullReceipt EMPTY = new PullReceipt(List.of());

    private static final int SCHEMA = 1;

    /// The files from one bundle.
    ///
    /// @param files the digest of each file when it was written. While a pull is running, both the old and the
    /// new digest, so that the files of a killed pull do not seem edited
    /// @param modes whether the owner may execute each file, in the same form; a file is missing if this is
    /// unknown
    record Source(
            String registry,
            String bundle,
            String manifest,
            SortedMap<String, Set<Digest>> files,
            SortedMap<String, Set<Boolean>> modes) {
        boolean is(FolderContents order) {
            return registry.equals(order.registry().toString()) && bundle.equals(order.repository());
        }
    }

    PullReceipt {
        sources = sources.stream()
                .sorted(Comparator.comparing(Source::registry).thenComparing(Source::bundle))
                .toList();
    }

    /// Parses the result of [#bytes]; returns [#EMPTY] for anything else.
    static PullReceipt parse(byte[] json) {
        try {
            return ByHand.read(WireJson.document(json, "receipt"), "receipt", document -> {
                var bundles = ByHand.list(document, "bundles", PullReceipt::source);
                return ByHand.number(document, "version") != SCHEMA || bundles == null
                        ? EMPTY
                        : new PullReceipt(bundles);
            });
        } catch (SheafException.Server | ProblemException e) {
            return EMPTY;
        }
    }

    private static Source source(JsonNode stored) {
        var files = new TreeMap<String, Set<Digest>>();
        WireJson.present(stored.get("files"), "files").properties().forEach(file -> {
            var digests = new TreeSet<>(Comparator.comparing(Digest::toString));
            digests.addAll(ByHand.elements(file.getValue(), "files", digest -> Digest.parse(digest.asString(""))));
            files.put(new LogicalPath(file.getKey()).value(), digests);
        });
        return new Source(
                member(stored, "registry"), member(stored, "bundle"), member(stored, "manifest"), files, modes(stored));
    }

    /// Parses the modes, which older receipts do not contain.
    private static SortedMap<String, Set<Boolean>> modes(JsonNode stored) {
        var modes = new TreeMap<String, Set<Boolean>>();
        stored.path("executable")
                .properties()
                .forEach(file -> modes.put(
                        new LogicalPath(file.getKey()).value(),
                        new TreeSet<>(ByHand.elements(file.getValue(), "executable", mode -> mode.asBoolean(false)))));
        return modes;
    }

    private static String member(JsonNode stored, String name) {
        return WireJson.present(ByHand.text(stored, name), name);
    }

    byte[] bytes() {
        var document = WireJson.object().put("version", SCHEMA);
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
            if (!source.modes().isEmpty()) {
                var modes = stored.putObject("executable");
                source.modes().forEach((path, values) -> {
                    var list = modes.putArray(path);
                    values.forEach(value -> list.add(value.booleanValue()));
                });
            }
        }
        return (WireJson.pretty(document) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// Returns the files from the bundle that is being delivered.
    Optional<Source> of(FolderContents order) {
        return sources.stream().filter(source -> source.is(order)).findFirst();
    }

    /// Returns the record for the time while the order is carried out: old and new files.
    PullReceipt during(FolderContents order) {
        var files = new TreeMap<String, Set<Digest>>();
        var modes = new TreeMap<String, Set<Boolean>>();
        of(order).ifPresent(before -> {
            files.putAll(before.files());
            modes.putAll(before.modes());
        });
        for (var asset : order.assets()) {
            String path = asset.path().value();
            boolean known = asset.executable() != null && (!files.containsKey(path) || modes.containsKey(path));
            files.merge(path, Set.of(asset.blob().digest()), PullReceipt::both);
            if (known) {
                modes.merge(path, Set.of(asset.executable()), (one, other) -> Set.of(true, false));
            } else {
                modes.remove(path);
            }
        }
        return with(order, files, modes);
    }

    private static Set<Digest> both(Set<Digest> one, Set<Digest> other) {
        var both = new TreeSet<>(Comparator.comparing(Digest::toString));
        Stream.of(one, other).forEach(both::addAll);
        return both;
    }

    /// Returns the record after the order was carried out.
    PullReceipt after(FolderContents order) {
        var files = new TreeMap<String, Set<Digest>>();
        var modes = new TreeMap<String, Set<Boolean>>();
        for (var asset : order.assets()) {
            files.put(asset.path().value(), Set.of(asset.blob().digest()));
            if (asset.executable() != null) {
                modes.put(asset.path().value(), Set.of(asset.executable()));
            }
        }
        return with(order, files, modes);
    }

    /// Returns the record with these files for the order. A file belongs to the bundle that wrote it last.
    private PullReceipt with(
            FolderContents order, SortedMap<String, Set<Digest>> files, SortedMap<String, Set<Boolean>> modes) {
        var all = new ArrayList<Source>();
        for (Source source : sources) {
            if (!source.is(order)) {
                var others = new TreeMap<String, Set<Digest>>(source.files());
                others.keySet().removeAll(files.keySet());
                var otherModes = new TreeMap<String, Set<Boolean>>(source.modes());
                otherModes.keySet().removeAll(files.keySet());
                all.add(new Source(source.registry(), source.bundle(), source.manifest(), others, otherModes));
            }
        }
        all.removeIf(source -> source.files().isEmpty());
        all.add(new Source(
                order.registry().toString(),
                order.repository(),
                order.manifest().toString(),
                files,
                modes));
        return new PullReceipt(all);
    }

    /// Returns the modes with which the file at `path` counts as unchanged; empty if they are unknown.
    static Set<Boolean> modes(@Nullable Source source, String path) {
        return source == null ? Set.of() : source.modes().getOrDefault(path, Set.of());
    }

    /// Returns the digests with which the file at `path` counts as unchanged since a pull of this bundle wrote
    /// it.
    static Set<Digest> written(@Nullable Source source, String path) {
        return source == null ? Set.of() : Map.copyOf(source.files()).getOrDefault(path, Set.of());
    }
}
