package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.publish.LayerAssets;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.content.ManifestRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Assets of versions that a damaged database has lost, read again from the layers of the manifests. Without them a
/// version would be served with fewer files than it has. Their types are those that their names suggest.
final class LostAssets {
    private static final int VERSIONS_AT_ONCE = 100;

    private LostAssets() {}

    /// Adds the lost assets.
    ///
    /// @return their number
    static int add(Database database) {
        int count = 0;
        String after = "";
        while (true) {
            String from = after;
            var versions = database.read(tx -> AssetRows.published(tx, from, VERSIONS_AT_ONCE));
            if (versions.isEmpty()) {
                return count;
            }
            count += database.write(tx -> versions.stream()
                    .mapToInt(version -> AssetRows.complete(tx, version.id(), layers(tx, version.manifestId())))
                    .sum());
            UUID last = versions.getLast().id();
            after = last.toString();
        }
    }

    private static List<Asset> layers(Tx tx, long manifestId) {
        var content = ManifestRows.content(tx, manifestId);
        if (content.isEmpty()) {
            return List.of();
        }
        try {
            var layers = new ArrayList<Descriptor>();
            JsonLines.JSON.readTree(content.get()).path("layers").forEach(layer -> layers.add(descriptor(layer)));
            return LayerAssets.ofStored(layers);
        } catch (JacksonException | ProblemException e) {
            return List.of(); // such a manifest was never accepted; fsck reports it
        }
    }

    private static Descriptor descriptor(JsonNode layer) {
        var annotations = new HashMap<String, String>();
        layer.path("annotations")
                .properties()
                .forEach(one -> annotations.put(one.getKey(), one.getValue().asString("")));
        return new Descriptor(
                layer.path("mediaType").asString(""),
                Digest.parse(layer.path("digest").asString("")),
                layer.path("size").asLong(0),
                annotations,
                false);
    }
}
