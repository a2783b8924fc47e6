package dev.sheaf.server.git.marketplace;

import dev.sheaf.model.oci.CanonicalJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A plugin in a marketplace.
///
/// @param name the name of the plugin
/// @param description null if the bundle has none
/// @param described whether it has a manifest for Claude Code that lists its parts, so that the entry must not
/// @param skills folders of skills where programs do not look by themselves
/// @param url the address of the bundle for git
/// @param ref the tag of the version for git
/// @param commit the id of the commit to which the tag points
/// @param publishedAt when the version was published
record MarketplaceEntry(
        String name,
        @Nullable String description,
        String version,
        boolean described,
        List<String> skills,
        String url,
        String ref,
        String commit,
        Instant publishedAt) {
    MarketplaceEntry {
        skills = List.copyOf(skills);
    }

    void write(CanonicalJson json) {
        json.object().member("name", name);
        if (description != null) {
            json.member("description", description);
        }
        json.member("version", version).member("strict", described);
        if (!skills.isEmpty()) {
            json.name("skills").array();
            skills.forEach(json::item);
            json.end();
        }
        json.name("source")
                .object()
                .member("source", "url")
                .member("url", url)
                .member("ref", ref)
                .member("sha", commit)
                .end()
                .end();
    }
}
