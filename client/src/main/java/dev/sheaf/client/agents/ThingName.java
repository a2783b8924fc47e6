package dev.sheaf.client.agents;

import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.text.Quoted;
import java.util.Comparator;
import java.util.regex.Pattern;

/// The name of one thing in a bundle: `pdf-forms` is a skill, `agents/reviewer` an agent. Ordered by kind and
/// name.
///
/// @param name only `a-z`, `0-9` and single hyphens, so that names differ on every file system; for a server
/// also capital letters and underscores; for a plugin the name of its bundle, such as `acme/kit`
public record ThingName(ContentKind kind, String name) implements Comparable<ThingName> {
    /// Names that JavaScript gives to members of every object are no names of servers: programs that copy entries by
    /// their names would change all objects.
    private static final Pattern SERVER =
            Pattern.compile("(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_-]{1,64}");

    /// @throws dev.sheaf.model.ProblemException validation-failed if programs do not accept the name
    public ThingName {
        if (kind == ContentKind.MCP && !SERVER.matcher(name).matches()) {
            throw Problem.invalid(
                    "format",
                    Quoted.of(name)
                            + " is not a valid name of a server: use A-Z, a-z, 0-9, hyphens and underscores, at most 64"
                            + " characters");
        }
        if (kind == ContentKind.PLUGIN) {
            RepositoryName.parse(name);
        } else if (kind != ContentKind.MCP && !SkillFolders.isName(name)) {
            throw Problem.invalid(
                    "format",
                    Quoted.of(name)
                            + " is not a valid name of a skill: use a-z, 0-9 and single hyphens between them, at"
                            + " most " + SkillFolders.MAX_NAME + " characters");
        }
    }

    /// Parses a name.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed if it is invalid
    public static ThingName parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return new ThingName(ContentKind.SKILL, text);
        }
        String word = text.substring(0, slash);
        var kind = ContentKind.find(word)
                .orElseThrow(() -> Problem.invalid(
                        "unknown",
                        Quoted.of(word) + " is not a known kind; write the name of a skill, or a kind and a name"
                                + " such as agents/reviewer"));
        return new ThingName(kind, text.substring(slash + 1));
    }

    @Override
    public int compareTo(ThingName other) {
        return Comparator.comparing(ThingName::kind)
                .thenComparing(ThingName::name)
                .compare(this, other);
    }

    @Override
    public String toString() {
        return kind == ContentKind.SKILL ? name : kind + "/" + name;
    }
}
