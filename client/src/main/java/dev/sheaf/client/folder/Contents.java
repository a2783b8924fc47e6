package dev.sheaf.client.folder;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import java.util.List;

/// What is delivered.
///
/// @param name who it comes from, for people and for the notes in the folder
public record Contents(String name, RegistryUrl registry, String repository, Digest manifest, List<Asset> assets) {
    public Contents {
        assets = List.copyOf(assets);
    }
}
