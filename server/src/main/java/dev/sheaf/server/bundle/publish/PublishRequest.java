package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.requirement.RequirementFields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request to publish the working set of a bundle.
///
/// @param expectedLatest the version that must be the latest now; null for any
/// @param validateOnly whether to return what would happen, without a change
/// @param requires other bundles that the version needs; null for those of the latest version
public record PublishRequest(
        Version version,
        List<Tag> tags,
        @Nullable String message,
        @Nullable Version expectedLatest,
        boolean validateOnly,
        @Nullable List<Requirement> requires) {
    /// The longest message of a version, in characters.
    public static final int MAX_MESSAGE = 4_000;

    private static final int MAX_TAGS = 100;
    /// Stands for a version that could not be read.
    public static final Version NO_VERSION = Version.parse("0.0.0");

    public PublishRequest {
        tags = List.copyOf(tags);
        requires = requires == null ? null : List.copyOf(requires);
    }

    public static PublishRequest parse(RequestFields fields) {
        return new PublishRequest(
                fields.parsed("version", Version::parse, NO_VERSION),
                tags(fields),
                fields.optional("message", MAX_MESSAGE),
                fields.optional("expectedLatest", Version::parse),
                Boolean.TRUE.equals(fields.flag("validateOnly")),
                RequirementFields.parse(fields));
    }

    /// Reads the member `tags`.
    public static List<Tag> tags(RequestFields fields) {
        var words = fields.texts("tags");
        var tags = new ArrayList<Tag>();
        if (words != null && words.size() > MAX_TAGS) {
            fields.error("tags", "range", "has " + words.size() + " entries; at most " + MAX_TAGS);
            return tags;
        }
        for (int i = 0; words != null && i < words.size(); i++) {
            String word = words.get(i);
            fields.check("tags/" + i, () -> tags.add(Tag.parse(word)));
        }
        return tags;
    }
}
