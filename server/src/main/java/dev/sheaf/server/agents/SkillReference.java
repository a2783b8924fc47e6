package dev.sheaf.server.agents;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.http.message.Call;
import org.jspecify.annotations.Nullable;

/// The version and skill in a path, for programs that can only send a path: `bundle[@selector][@skill]`. The
/// separator is `@` because a colon, which starts a version elsewhere, starts a verb in paths.
///
/// @param selector a digest, version, tag or range, or the name of a skill; null if the path has none
/// @param skill null for all
record SkillReference(
        RepositoryName name,
        @Nullable String selector,
        @Nullable String skill) {
    private static final int MAX_PARTS = 3;

    /// @throws ProblemException validation-failed
    static SkillReference of(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        String[] parts = call.parameter("bundle").split("@", -1);
        if (parts.length > MAX_PARTS) {
            throw new Problem.NotFound("the bundle of this path (only a version and a skill may follow its name,"
                            + " each after an @)")
                    .raise();
        }
        var bundle = call.parameter("bundle", text -> BundleName.parseBundle(parts[0]));
        return new SkillReference(
                new RepositoryName(namespace, bundle),
                parts.length > 1 ? parts[1] : null,
                parts.length > 2 ? parts[2] : null);
    }
}
