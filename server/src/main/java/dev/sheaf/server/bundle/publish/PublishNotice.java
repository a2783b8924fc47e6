package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.BundleSnapshot;
import java.util.ArrayList;
import java.util.List;

/// A notice for the publisher of a version that is not about its content.
///
/// @param code a word for programs
public record PublishNotice(String code, String detail) {
    /// @param tags that point to the version now
    static List<PublishNotice> of(BundleSnapshot bundle, NewVersion publication, List<String> tags) {
        var notices = new ArrayList<PublishNotice>();
        if (publication.tags().contains(Tag.LATEST) && !tags.contains(Tag.LATEST.value())) {
            notices.add(new PublishNotice(
                    "latest",
                    "the tag latest of " + bundle.name() + " does not point to "
                            + publication.content().version() + ": it follows the highest stable version that is"
                            + " not yanked, or stays where it was pinned; to pin it to this version, PUT the tag"));
        }
        if (publication.visibility() == Visibility.PUBLIC && bundle.visibility() == Visibility.PRIVATE) {
            notices.add(new PublishNotice(
                    "visibility",
                    "bundle " + bundle.name() + " stays private: a push makes only a new bundle public; to make"
                            + " this one public, PATCH it with {\"visibility\": \"public\"}"));
        }
        return notices;
    }
}
