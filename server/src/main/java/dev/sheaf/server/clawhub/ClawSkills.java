package dev.sheaf.server.clawhub;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillFingerprint;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.agents.BundleSkills.Target;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.SkillPlaces;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.skill.Skills;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Skills by owner and slug, with their versions. Thread-safe.
public final class ClawSkills {
    private static final int MOST_LOOKED_AT = 20; // bundles with a file that may be the skill
    private static final int AT_ONCE = 50; // versions
    private static final int BYTES_OF_VERSION = 1_500;

    private final Bundles bundles;
    private final BundleSkills found;
    private final SkillPlaces places;
    private final Skills skills;
    // by the numbers of snapshots; not for long, because versions may be read for findings later
    private final Cache<Key, History> histories = Caffeine.newBuilder()
            .maximumWeight(HeapShare.SKILL_NAMES.bytes() / 2)
            .expireAfterWrite(InvalidatedCache.LONGEST)
            .weigher((Key key, History history) ->
                    HeapShare.ENTRY + BYTES_OF_VERSION * (1 + history.versions().size()))
            .build();

    public ClawSkills(Bundles bundles, BundleSkills found, SkillPlaces places, Skills skills) {
        this.bundles = bundles;
        this.found = found;
        this.places = places;
        this.skills = skills;
    }

    private record Key(long snapshot, String slug, @Nullable Version below) {}

    /// A version with the skill.
    ///
    /// @param changelog the beginning of the publisher's message; may be empty
    /// @param fingerprint null if it is not known
    public record Known(
            VersionRow row,
            String changelog,
            VersionRisk risk,
            List<String> tags,
            @Nullable String fingerprint) {
        public Known {
            tags = List.copyOf(tags);
        }

        /// Returns the version's number.
        public String number() {
            return row.version().toString();
        }

        /// Returns when it was published, in milliseconds since 1970.
        public long at() {
            return row.publishedAt().toEpochMilli();
        }
    }

    /// A part of the versions with a skill.
    ///
    /// @param summary the description in the SKILL.md of the latest version; may be empty
    /// @param versions highest first, without yanked ones
    /// @param next the version below which the list goes on; null at its end
    public record History(
            String summary, List<Known> versions, @Nullable String next) {
        public History {
            versions = List.copyOf(versions);
        }
    }

    /// Returns the first two skills of the name that the caller sees.
    List<Target> all(Caller caller, ClawName name, Runnable paying) {
        return places.of(caller, name.owner(), name.slug(), paying).stream()
                .limit(MOST_LOOKED_AT)
                .flatMap(bundle -> ProblemException.ifThere(() -> found.latest(caller, bundle)).stream())
                .filter(target -> target.skills().find(name.slug()).isPresent())
                .map(target -> new Target(target.version(), target.skills(), name.slug()))
                .limit(2)
                .toList();
    }

    /// Finds a skill in the latest version of its bundle.
    ///
    /// @param paying runs before work that costs more than reading rows
    /// @throws ProblemException those of [Access#read] if the caller sees no such skill; not-found if several
    /// bundles have one
    public Target find(Caller caller, ClawName name, Runnable paying) {
        var all = all(caller, name, paying);
        if (all.isEmpty()) {
            throw Access.hidden(caller, name.bundle()).raise();
        }
        if (all.size() > 1) {
            throw new Problem.NotFound("a single skill " + name.bundle() + " (the bundles "
                            + all.get(0).bundle().name() + " and "
                            + all.get(1).bundle().name() + " both have one; `sheaf add` takes it from one of them)")
                    .raise();
        }
        return all.getFirst();
    }

    /// Returns the skill in another version.
    ///
    /// @throws ProblemException those of [BundleSkills#at]
    public Target in(Target skill, VersionSelector selector) {
        return found.at(skill, Resolve.Question.of(selector));
    }

    /// Returns a version of the skill as it is listed; one that is not among the newest, or yanked, costs a query.
    public Known known(Target skill, Runnable paying) {
        var row = skill.version().resolved().version();
        return history(skill, null, paying).versions().stream()
                .filter(known -> known.row().id().equals(row.id()))
                .findFirst()
                .orElseGet(() -> known(skill, bundles.remarks(List.of(row))));
    }

    /// Returns the newest versions with the skill, or those below one.
    ///
    /// @param paying runs before work that costs more than reading rows
    public History history(Target skill, @Nullable Version below, Runnable paying) {
        var key = new Key(skill.bundle().number(), skill.one().name(), below);
        var remembered = histories.getIfPresent(key);
        if (remembered == null) {
            paying.run();
            remembered = read(skill, below == null ? null : below.sortKey());
            histories.put(key, remembered);
        }
        return remembered;
    }

    private History read(Target skill, @Nullable String below) {
        var rows = bundles.versions(skill.bundle(), below, AT_ONCE + 1);
        var some = rows.stream().limit(AT_ONCE).toList();
        var remarks = bundles.remarks(some);
        var listed = some.stream()
                .filter(row -> !row.isYanked() && remarks.risks().containsKey(row.id()))
                .flatMap(row -> at(skill, new VersionSelector.ByVersion(row.version())).stream())
                .map(version -> known(version, remarks))
                .toList();
        String summary = at(skill, new VersionSelector.Default())
                .flatMap(latest -> skills.text(latest.bundle().repository(), latest.one()))
                .flatMap(SkillText::description)
                .orElse("");
        String next = rows.size() > AT_ONCE ? some.getLast().version().toString() : null;
        return new History(summary, listed, next);
    }

    /// Returns the skill in another version; empty if it came later or is gone, or the version was deleted meanwhile.
    private Optional<Target> at(Target skill, VersionSelector selector) {
        return ProblemException.ifThere(() -> in(skill, selector));
    }

    private static Known known(Target skill, Bundles.Remarks remarks) {
        var resolved = skill.version().resolved();
        var id = resolved.version().id();
        String message = remarks.messages().getOrDefault(id, "");
        var risk = Objects.requireNonNull(remarks.risks().get(id));
        return new Known(resolved.version(), message, risk, resolved.tags(), fingerprint(skill.one()));
    }

    private static @Nullable String fingerprint(Skill<StoredAsset> skill) {
        return SkillFingerprint.of(skill.files().stream()
                        .collect(Collectors.toMap(file -> skill.inside(file.path()), StoredAsset::digest)))
                .orElse(null);
    }
}
