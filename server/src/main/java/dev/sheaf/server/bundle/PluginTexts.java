package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.plugin.McpFile;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.plugin.PluginServer;
import dev.sheaf.server.registry.content.SmallBlobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the plugin of a version inside a transaction. Only files of up to 32 KiB are read, which are stored in rows.
public final class PluginTexts {
    private PluginTexts() {}

    /// A plugin that programs accept.
    ///
    /// @param servers the MCP servers that they accept, in the order of the file
    public record Entry(PluginManifest manifest, List<PluginServer> servers) {
        public Entry {
            servers = List.copyOf(servers);
        }
    }

    /// @param assets the assets of the version
    /// @param staged see [SkillTexts#of]
    public static Optional<Entry> of(Tx tx, List<StoredAsset> assets, List<StagedBlob> staged) {
        var digests = new HashMap<LogicalPath, Digest>();
        for (var asset : assets) {
            if (asset.path().equals(PluginManifest.PATH) || asset.path().equals(McpFile.PATH)) {
                digests.put(asset.path(), asset.digest());
            }
        }
        if (!digests.containsKey(PluginManifest.PATH)) {
            return Optional.empty();
        }
        var contents = SmallBlobs.of(tx, digests.values(), staged);
        return content(PluginManifest.PATH, digests, contents)
                .flatMap(PluginManifest::read)
                .map(manifest -> new Entry(
                        manifest,
                        content(McpFile.PATH, digests, contents)
                                .map(McpFile::read)
                                .map(McpFile::servers)
                                .orElse(List.of())));
    }

    private static Optional<byte[]> content(
            LogicalPath path, Map<LogicalPath, Digest> digests, Map<Digest, byte[]> contents) {
        var digest = digests.get(path);
        return digest == null ? Optional.empty() : Optional.ofNullable(contents.get(digest));
    }
}
