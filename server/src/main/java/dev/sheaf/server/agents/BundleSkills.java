package dev.sheaf.server.agents;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.skill.Skills;
import dev.sheaf.server.skill.VersionSkills;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Finds the version and the skills that a path names, for callers that may read the bundle. Thread-safe.
public final class BundleSkills {
    private final Bundles bundles;
    private final Resolve resolve;
    private final Skills skills;

    public BundleSkills(Bundles bundles, Resolve resolve, Skills skills) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.skills = skills;
    }

    /// A version and its skills.
    ///
    /// @param only the one skill that was asked for; null for all
    public record Target(
            Resolve.Answer version,
            VersionSkills skills,
            @Nullable String only) {
        public BundleSnapshot bundle() {
            return version.bundle();
        }

        /// Returns the number of the version.
        public String number() {
            return version.resolved().version().version().toString();
        }

        /// Returns the one skill that was asked for.
        public Skill<StoredAsset> one() {
            return skill(Objects.requireNonNull(only));
        }

        public boolean has(String name) {
            return only == null || only.equals(name);
        }

        /// @throws ProblemException not-found
        public Skill<StoredAsset> skill(String name) {
            return skills.find(name)
                    .filter(skill -> has(name))
                    .orElseThrow(() -> missing(name, version).raise());
        }
    }

    private static Problem missing(String name, Resolve.Answer version) {
        return new Problem.NotFound("the skill " + name + " in version "
                + version.resolved().version().version() + " of "
                + version.bundle().name());
    }

    /// Returns the bundle if the caller may read it. A caller without a credential gets "not found" for everything
    /// hidden, and not the hint that a credential would help: programs that look for skills take any other answer
    /// for a broken server.
    ///
    /// @throws ProblemException bundle-not-found
    BundleSnapshot bundle(Caller caller, RepositoryName name) {
        try {
            return bundles.read(caller, name);
        } catch (ProblemException e) {
            if (caller instanceof Caller.Anonymous && e.problem() instanceof Problem.Unauthenticated) {
                throw new Problem.BundleNotFound(name, "").raise();
            }
            throw e;
        }
    }

    /// @throws ProblemException bundle-not-found; version-not-found, tag-not-found or no-active-version; not-found
    /// if the skill is missing
    public Target target(Call call) {
        var reference = SkillReference.of(call);
        var bundle = bundle(call.caller(), reference.name());
        String selector = reference.selector();
        if (selector == null) {
            return target(bundle, Resolve.Question.of(new VersionSelector.Default()), null);
        }
        var question = Resolve.Question.parse(selector);
        return reference.skill() == null && isSkill(bundle, question)
                ? target(bundle, Resolve.Question.of(new VersionSelector.Default()), selector)
                : target(bundle, question, reference.skill());
    }

    /// Returns the latest version with all its skills.
    ///
    /// @throws ProblemException those of [#target]
    public Target latest(Caller caller, RepositoryName name) {
        return target(bundle(caller, name), Resolve.Question.of(new VersionSelector.Default()), null);
    }

    private Target target(BundleSnapshot bundle, Resolve.Question question, @Nullable String only) {
        var version = resolve.resolve(bundle, question);
        var target = new Target(version, skills.of(bundle, version.resolved()), only);
        if (only != null && target.skills().find(only).isEmpty()) {
            throw missing(only, version).raise();
        }
        return target;
    }

    /// Returns the same target in another version.
    ///
    /// @throws ProblemException those of [#target]
    public Target at(Target target, Resolve.Question version) {
        return target(target.bundle(), version, target.only());
    }

    /// Returns the latest version.
    ///
    /// @throws ProblemException no-active-version
    VersionRow latest(BundleSnapshot bundle) {
        return resolve.resolve(bundle, Resolve.Question.of(new VersionSelector.Default()))
                .resolved()
                .version();
    }

    /// Returns whether the text looks like a tag, but is the name of a skill of the latest version and not of a
    /// tag.
    private boolean isSkill(BundleSnapshot bundle, Resolve.Question question) {
        if (!(question.selector() instanceof VersionSelector.ByTag) || !SkillFolders.isName(question.text())) {
            return false;
        }
        return resolve.find(bundle, question.selector()).isEmpty()
                && resolve.find(bundle, new VersionSelector.Default())
                        .filter(latest ->
                                skills.of(bundle, latest).find(question.text()).isPresent())
                        .isPresent();
    }
}
