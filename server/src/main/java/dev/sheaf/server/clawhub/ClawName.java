package dev.sheaf.server.clawhub;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.text.Quoted;
import java.util.Locale;

/// The identity of a skill for ClawHub's clients: a namespace, and the name of the skill.
public record ClawName(Namespace owner, String slug) {
    /// Parses an identity. Without an owner, the slug must be `owner--slug`: no name of a skill has a double hyphen, so
    /// there is only one place to split it.
    ///
    /// @param owner may begin with `@`; blank if the request names none
    /// @throws ProblemException validation-failed if the owner is not a namespace; not-found if no skill can have
    /// the slug, or it does not say whose it is
    public static ClawName parse(String owner, String slug) {
        int split = owner.isBlank() ? slug.lastIndexOf("--") : -1;
        String handle = split < 0 ? owner : slug.substring(0, split);
        String name = split < 0 ? slug : slug.substring(split + 2);
        boolean isKnown = !owner.isBlank()
                || ProblemException.check("", () -> Namespace.parse(handle)).isEmpty();
        if (!isKnown || !SkillFolders.isName(name)) {
            throw new Problem.NotFound(
                            "the skill " + Quoted.of(slug) + " (write @owner/name, with a-z, 0-9 and single hyphens)")
                    .raise();
        }
        return new ClawName(RequestFields.named("ownerHandle", handle, ClawName::owner), name);
    }

    /// @throws ProblemException validation-failed
    static Namespace owner(String handle) {
        return Namespace.parse(handle.strip().replaceFirst("^@+", "").toLowerCase(Locale.ROOT));
    }

    /// Returns the bundle of the same name, which need not exist.
    public RepositoryName bundle() {
        return new RepositoryName(owner, BundleName.parseBundle(slug));
    }
}
