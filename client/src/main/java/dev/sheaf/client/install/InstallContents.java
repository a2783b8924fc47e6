package dev.sheaf.client.install;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.ServerForm;
import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private final BundleAccess supply;
    private final InstallOptions options;
    private final Map<PartFetch.Pinned, PartFetch.Listed> listed = new HashMap<>();
    private final Map<Digest, Content> contents = new HashMap<>();
    private final Map<Digest, JsonNode> servers = new HashMap<>();

    InstallContents(BundleAccess supply, InstallOptions options) {
        this.supply = supply;
        this.options = options;
    }

    /// Returns the things in a version.
    ///
    /// @param withServers whether to read its `.mcp.json` too
    BundleParts things(RegistryUrl registry, PartFetch.Pinned pinned, boolean withServers) throws IOException {
        var listing = listed(registry, pinned);
        return BundleParts.of(
                pinned.bundle(),
                listing.files(),
                withServers ? servers(supply.parts(registry), listing) : McpServers.NONE);
    }

    private PartFetch.Listed listed(RegistryUrl registry, PartFetch.Pinned pinned) {
        return listed.computeIfAbsent(pinned, one -> supply.parts(registry).list(one, options.offline()));
    }

    private McpServers servers(PartFetch parts, PartFetch.Listed listing) throws IOException {
        var file = listing.files().stream()
                .filter(one -> one.path().value().equals(McpServers.FILE))
                .findFirst()
                .orElse(null);
        if (file == null) {
            return McpServers.NONE;
        }
        if (file.size() > McpServers.LONGEST) {
            return McpServers.without(
                    McpServers.FILE + " is left out: it is longer than " + McpServers.LONGEST + " bytes");
        }
        parts.fetch(listing, List.of(file), options.pull());
        var bytes = new ByteArrayOutputStream();
        parts.copy(file.blob(), bytes);
        var found = McpServers.of(bytes.toByteArray());
        servers.putAll(found.entries());
        return found;
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
        boolean withServers = wanted.stream().anyMatch(placed -> placed.thing().isServer());
        var things = things(entry.registry(), entry.pinned(), withServers).things();
        entry.things().forEach((name, placed) -> {
            if ((withServers || !placed.thing().isServer()) && !placed.thing().equals(things.get(name))) {
                throw new SheafException.OutOfDate(InstallLock.NAME + " does not match " + entry.pinned()
                        + " (" + entry.manifest() + ") for " + name + ": it was edited, or a merge mixed two"
                        + " versions. Nothing was written; to create a new entry: sheaf update "
                        + entry.bundle());
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
        return McpServers.words(server(server.entry(ServerForm.PLAIN)));
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
