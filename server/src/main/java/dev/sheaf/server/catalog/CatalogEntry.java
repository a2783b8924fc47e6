package dev.sheaf.server.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An entry of a catalog or of a search.
///
/// @param mediaType the same as `type`, under the name that earlier readers know
/// @param url where its bytes are
/// @param version null for a catalog or a registry
/// @param score 0 to 100, only in a search
/// @param source the registry that found it, only in a search
public record CatalogEntry(
        String identifier,
        String displayName,
        String type,
        String mediaType,
        String url,
        @Nullable String description,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> tags,
        @Nullable String version,
        @Nullable Instant updatedAt,
        @Nullable Integer score,
        @Nullable String source) {
    public CatalogEntry {
        tags = List.copyOf(tags);
    }

    /// Returns the entry as a search finds it.
    public CatalogEntry found(int withScore, String by) {
        return new CatalogEntry(
                identifier, displayName, type, mediaType, url, description, tags, version, updatedAt, withScore, by);
    }
}
