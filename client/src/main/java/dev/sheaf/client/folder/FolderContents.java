package dev.sheaf.client.folder;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import java.util.List;

/// The content to write to a folder.
///
/// @param name the name of its source, for people
public record FolderContents(
        String name, RegistryUrl registry, String repository, Digest manifest, List<Asset> assets) {
    public FolderContents {
        assets = List.copyOf(assets);
    }
}
