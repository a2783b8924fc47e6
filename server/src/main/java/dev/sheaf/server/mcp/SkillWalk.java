package dev.sheaf.server.mcp;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.http.message.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Visits the skills of an address: bundles by name, the latest version of each, and its skills by name. A page
/// reads a limited number of bundles and skills. Bound to its thread.
final class SkillWalk {
    private static final int MOST_SKILLS = 100;
    private static final int MOST_BUNDLES = 50;
    private static final String BETWEEN = "\n";
    private static final String BEHIND = "~"; // sorts after every name

    private final ReadableBundles shelf;
    private final FrontMatters fronts;
    private final Call call;
    private final Page page;
    private int looked;

    /// A page that takes skills until it is full.
    interface Page {
        /// @return whether the page has room for another skill
        boolean take(BundleSkills.Target version, Skill<StoredAsset> skill, FrontMatters.Front front);
    }

    SkillWalk(ReadableBundles shelf, FrontMatters fronts, Call call, Page page) {
        this.shelf = shelf;
        this.fronts = fronts;
        this.call = call;
        this.page = page;
    }

    /// @param after the key of the skill after which the page begins; null for the first page
    /// @return the key after which the next page begins; null if there is none
    @Nullable
    String through(AddressScope scope, @Nullable String after) {
        return switch (scope) {
            case AddressScope.All ignored -> null;
            case AddressScope.OfBundle(BundleSkills.Target target) -> {
                String rest = after == null ? "" : after.substring(after.indexOf(BETWEEN) + 1);
                yield through(target, rest);
            }
            case AddressScope.OfNamespace(Namespace namespace) -> through(namespace, after);
        };
    }

    private @Nullable String through(Namespace namespace, @Nullable String after) {
        String slug = null;
        if (after != null) {
            int end = after.indexOf(BETWEEN);
            slug = slug(after.substring(0, Math.max(0, end)));
            String next = latest(new RepositoryName(namespace, new BundleName(slug)), after.substring(end + 1));
            if (next != null) {
                return next;
            }
        }
        List<BundleSnapshot> bundles = shelf.after(call.caller(), namespace, slug, MOST_BUNDLES);
        for (var bundle : bundles) {
            String next = latest(bundle.name(), "");
            if (next != null) {
                return next;
            }
        }
        return bundles.size() < MOST_BUNDLES ? null : bundles.getLast().name().bundle() + BETWEEN + BEHIND;
    }

    private static String slug(String text) {
        try {
            return BundleName.parseBundle(text).value();
        } catch (ProblemException e) {
            throw ListCursor.wrong();
        }
    }

    /// Visits the latest version of a bundle. Null also if the bundle no longer exists or has no version.
    private @Nullable String latest(RepositoryName bundle, String after) {
        var target = shelf.find(call.caller(), bundle, null);
        return target.isEmpty() ? null : through(target.get(), after);
    }

    private @Nullable String through(BundleSkills.Target target, String after) {
        String slug = target.bundle().name().bundle().value();
        for (var skill : target.skills().skills()) {
            if (skill.name().compareTo(after) <= 0 || !target.has(skill.name())) {
                continue;
            }
            if (looked == MOST_SKILLS) {
                return slug + BETWEEN + after;
            }
            looked++;
            var front = fronts.of(target.bundle().repository(), skill);
            if (front.isPresent() && !page.take(target, skill, front.get())) {
                return slug + BETWEEN + skill.name();
            }
            after = skill.name();
        }
        return null;
    }
}
