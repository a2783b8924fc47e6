package dev.sheaf.client;

import dev.sheaf.model.Digest;
import java.util.List;

/// What is delivered.
///
/// @param name who it comes from, for people and for the notes in the folder
record Contents(String name, RegistryUrl registry, String repository, Digest manifest, List<Asset> assets) {
    Contents {
        assets = List.copyOf(assets);
    }
}
