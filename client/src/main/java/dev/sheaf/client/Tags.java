package dev.sheaf.client;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagRequest;
import dev.sheaf.model.wire.bundle.TagRollback;
import dev.sheaf.model.wire.bundle.TagStatus;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The tags of one bundle (contract 3.6). Changes need the scope `write`. Thread-safe.
public final class Tags {
    private final ApiResource tags;

    Tags(ApiResource tags) {
        this.tags = tags;
    }

    /// Returns all tags, ordered by name.
    public List<TagStatus> list() {
        return tags.list("", TagStatus.class);
    }

    /// Points a tag to a version that is published and not yanked, wherever it points now.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if the tag is protected
    public TagStatus set(Tag tag, Version version) {
        return set(tag, version, null, null);
    }

    /// Points a tag to a version that is published and not yanked. Setting `latest` pins it until it is removed.
    ///
    /// @param expected the version that the tag must point to now; null means any
    /// @param protect whether to protect the tag from manual moves and removal; null leaves this unchanged
    /// @throws dev.sheaf.client.api.SheafException.Conflict if the tag is protected, or does not point to
    /// `expected`
    public TagStatus set(Tag tag, Version version, @Nullable Version expected, @Nullable Boolean protect) {
        var request = new TagRequest(version.toString(), text(expected), protect);
        var call = tags.call("PUT", "/" + tag).sendingJson(request).expecting(200, 201);
        return tags.transport().json(expected == null ? call : call.once(), TagStatus.class);
    }

    /// Removes a tag. A pinned `latest` follows the highest version again.
    ///
    /// @throws dev.sheaf.client.api.SheafException.NotFound if it does not exist
    public void remove(Tag tag) {
        tags.transport().head(tags.call("DELETE", "/" + tag).expecting(204).once());
    }

    /// Returns the moves of a tag, newest first. The tag may have been removed.
    ///
    /// @param most the maximum number of results, at least 1
    public List<TagHistoryEntry> history(Tag tag, int most) {
        return tags.list("/" + tag + "/history", TagHistoryEntry.class, most);
    }

    /// Moves a tag back to its target before the last move, or to the target of the move `entry`. A second
    /// rollback undoes the first.
    public TagStatus rollback(Tag tag, @Nullable UUID entry, @Nullable Version expected) {
        var request = new TagRollback(entry, text(expected));
        return tags.transport()
                .json(
                        tags.call("POST", "/" + tag + ":rollback")
                                .sendingJson(request)
                                .keyed(),
                        TagStatus.class);
    }

    private static @Nullable String text(@Nullable Version version) {
        return version == null ? null : version.toString();
    }
}
