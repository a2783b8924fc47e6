package dev.sheaf.server.registry.api;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.server.skill.image.DerivedImages;
import dev.sheaf.server.skill.image.ImageDialect;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a repository that is derived from a bundle: `agentskill/{namespace}/{bundle}/{skill}` or
/// `image/{namespace}/{bundle}[/{skill}]`. It has one part more than other names, so a namespace may have the
/// name of a dialect.
///
/// @param skill empty for the whole bundle
record DerivedName(ImageDialect dialect, RepositoryName source, String skill) {
    private static final Pattern NAME =
            Pattern.compile("(image)/([^/]+/[^/]+)(?:/([^/]+))?|(agentskill)/([^/]+/[^/]+)/([^/]+)");
    private static final Pattern PATH = Pattern.compile(
            "/v2/(image/[^/]+/[^/]+(?:/[^/]+)?|agentskill/[^/]+/[^/]+/[^/]+)/(?:manifests|blobs|tags|referrers)/.*");

    /// Parses a name. Empty if the text is not such a name.
    static Optional<DerivedName> find(String text) {
        var matcher = NAME.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int first = matcher.group(1) == null ? 4 : 1;
        String skill = matcher.group(first + 2);
        if (skill != null && !SkillFolders.isName(skill)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new DerivedName(
                    ImageDialect.valueOf(matcher.group(first).toUpperCase(Locale.ROOT)),
                    RepositoryName.parse(matcher.group(first + 1)),
                    skill == null ? "" : skill));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /// Returns the derived repository in a path of this API. Called for each request below `/v2`.
    static Optional<DerivedName> ofPath(String rawPath) {
        if (!rawPath.startsWith("/v2/image/") && !rawPath.startsWith("/v2/agentskill/")) {
            return Optional.empty();
        }
        var matcher = PATH.matcher(rawPath);
        return matcher.matches() ? find(matcher.group(1)) : Optional.empty();
    }

    DerivedImages.Kind kind() {
        return new DerivedImages.Kind(dialect, skill);
    }

    @Override
    public String toString() {
        return dialect + "/" + source + (skill.isEmpty() ? "" : "/" + skill);
    }
}
