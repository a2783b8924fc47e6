package dev.sheaf.client.install;

import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.Digest;
import dev.sheaf.model.plugin.McpFile;
import dev.sheaf.model.plugin.PluginManifest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The contents that one run can write: files of bundles, entries of their `.mcp.json`, and generated texts.
final class InstallContents implements FolderRewrite.Source {
    /// A generated text, or a file of the cache.
    private record Content(
            byte @Nullable [] text,
            @Nullable PartFetch parts,
            @Nullable Asset asset) {}

    private static final byte[] TOO_LONG = new byte[McpFile.MAX_BYTES + 1]; // is refused with this reason

    private final BundleAccess supply;
    private final InstallOptions options;
    private final InstallLevel level;
    private final Path root;
    private final Map<PartFetch.Pinned, PartFetch.Listed> listed = new HashMap<>();
    private final Map<Digest, Content> contents = new HashMap<>();
    private final Map<Digest, JsonNode> servers = new HashMap<>();
    private final Map<BundlePart, String> words = new HashMap<>();

    /// @param root the real path of the project or the home
    InstallContents(BundleAccess supply, InstallOptions options, InstallLevel level, Path root) {
        this.supply = supply;
        this.options = options;
        this.level = level;
        this.root = root;
    }

    /// Returns the things in a version.
    ///
    /// @param complete whether to read its `.mcp.json` too, and its `plugin.json` and `mcp.json`
    BundleParts things(RegistryUrl registry, PartFetch.Pinned pinned, boolean complete) throws IOException {
        var listing = listed(registry, pinned);
        return complete
                ? BundleParts.of(
                        pinned.bundle(), listing.files(), servers(registry, listing), plugin(registry, listing))
                : BundleParts.of(pinned.bundle(), listing.files(), McpServers.NONE, PluginParts.NONE);
    }

    private PartFetch.Listed listed(RegistryUrl registry, PartFetch.Pinned pinned) {
        return listed.computeIfAbsent(pinned, one -> supply.parts(registry).list(one, options.offline()));
    }

    private McpServers servers(RegistryUrl registry, PartFetch.Listed listing) throws IOException {
        var file = file(listing, McpServers.FILE);
        if (file == null) {
            return McpServers.NONE;
        }
        return file.size() > McpServers.LONGEST
                ? McpServers.without(tooLong(McpServers.FILE, McpServers.LONGEST))
                : known(McpServers.of(read(registry, listing, file)));
    }

    private PluginParts plugin(RegistryUrl registry, PartFetch.Listed listing) throws IOException {
        var manifest = file(listing, PluginManifest.PATH.value());
        if (manifest == null) {
            return PluginParts.NONE;
        }
        if (manifest.size() > PluginManifest.MAX_BYTES) {
            return PluginParts.without(tooLong(PluginManifest.PATH.value(), PluginManifest.MAX_BYTES));
        }
        var mcp = file(listing, McpFile.PATH.value());
        var plugin = PluginParts.of(
                new PluginFolder(level, root, listing.pinned().bundle(), registry),
                read(registry, listing, manifest),
                mcp == null ? null : mcp.size() > McpFile.MAX_BYTES ? TOO_LONG : read(registry, listing, mcp),
                listing.files());
        known(plugin.servers());
        return plugin;
    }

    private McpServers known(McpServers found) {
        servers.putAll(found.entries());
        words.putAll(found.words());
        return found;
    }

    private static @Nullable Asset file(PartFetch.Listed listing, String path) {
        return listing.files().stream()
                .filter(one -> one.path().value().equals(path))
                .findFirst()
                .orElse(null);
    }

    private static String tooLong(String path, int longest) {
        return path + " is left out: it is longer than " + longest + " bytes";
    }

    private byte[] read(RegistryUrl registry, PartFetch.Listed listing, Asset file) throws IOException {
        var parts = supply.parts(registry);
        parts.fetch(listing, List.of(file), options.pull());
        var bytes = new ByteArrayOutputStream();
        parts.copy(file.blob(), bytes);
        return bytes.toByteArray();
    }

    /// Fetches the required content of this bundle into the cache. Compares the lock's entry with the manifest,
    /// since the lock is untrusted.
    void fetch(LockedBundle entry, Set<Digest> needed) throws IOException {
        var wanted = entry.things().values().stream()
                .filter(placed ->
                        placed.thing().files().values().stream().anyMatch(piece -> needed.contains(piece.digest())))
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        boolean complete = wanted.stream().anyMatch(placed -> placed.thing().isRead());
        var things = things(entry.registry(), entry.pinned(), complete).things();
        entry.things().forEach((name, placed) -> {
            if ((complete || !placed.thing().isRead()) && !placed.thing().equals(things.get(name))) {
                throw new SheafException.OutOfDate(InstallLock.NAME + " does not match " + entry.pinned()
                        + " (" + entry.manifest() + ") for " + name + ": it was edited, or a merge mixed two"
                        + " versions. Nothing was written; update the bundle to create a new entry");
            }
        });
        var digests = wanted.stream()
                .flatMap(placed -> placed.thing().files().values().stream())
                .map(BundlePart.Piece::digest)
                .filter(needed::contains)
                .collect(Collectors.toSet());
        var listing = listed(entry.registry(), entry.pinned());
        var files = listing.files().stream()
                .filter(file -> digests.contains(file.digest()))
                .toList();
        var parts = supply.parts(entry.registry());
        if (!files.isEmpty()) {
            parts.fetch(listing, files, options.pull());
        }
        files.forEach(file -> contents.put(file.digest(), new Content(null, parts, file)));
    }

    /// Returns the command of a server, or its address.
    String words(BundlePart server) {
        return Objects.requireNonNull(words.get(server));
    }

    /// Adds a generated text.
    Digest put(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var digest = Digest.sha256(bytes);
        contents.put(digest, new Content(bytes, null, null));
        return digest;
    }

    /// Returns an entry of a `.mcp.json` that was read.
    JsonNode server(Digest digest) {
        var entry = servers.get(digest);
        if (entry == null) {
            throw new IllegalStateException("unknown server " + digest);
        }
        return entry;
    }

    /// Returns whether [#copy] knows this content.
    boolean has(Digest digest) {
        return contents.containsKey(digest);
    }

    @Override
    public void copy(Digest digest, OutputStream out) throws IOException {
        var content = contents.get(digest);
        if (content == null) {
            throw new IllegalStateException("unknown content " + digest);
        }
        if (content.text() != null) {
            out.write(content.text());
        } else if (content.parts() != null && content.asset() != null) {
            content.parts().copy(content.asset().blob(), out);
        }
    }
}
