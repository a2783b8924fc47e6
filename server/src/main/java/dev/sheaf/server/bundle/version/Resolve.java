package dev.sheaf.server.bundle.version;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.BundleSnapshot.Resolved;
import dev.sheaf.server.bundle.NearMatches;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.referrer.Signatures;
import dev.sheaf.server.registry.tag.Tags;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the version that a selector means (specification, endpoint 2; contract 2 and 3.1).
///
/// Precedence: digest, exact version, tag, range. A digest or an exact version also finds yanked versions; a
/// tag finds the version to which it points; a range finds the highest version that is published and not
/// yanked.
public final class Resolve {
    private static final int BYTES_OF_VERSION = 1_000;
    private static final int BYTES_OF_ASSET = 400;
    private static final int BYTES_OF_TAG = 100;
    private static final int BYTES_OF_REQUIREMENT = 500;

    private final Database database;
    private final Tags tags;
    // never outdated, because a commit that changes a bundle makes another snapshot of it
    private final Cache<Key, Resolved> remembered = Caffeine.newBuilder()
            .maximumWeight(HeapShare.RESOLVED_VERSIONS.bytes())
            .weigher((Key key, Resolved version) -> weight(version))
            .build();

    private record Key(long snapshot, VersionSelector selector) {}

    public Resolve(Database database, Tags tags) {
        this.database = database;
        this.tags = tags;
    }

    /// A request for a version.
    ///
    /// @param text the selector as it was written, for error messages
    public record Question(VersionSelector selector, String text) {
        /// @throws ProblemException those of [VersionSelector#parse]
        public static Question parse(String text) {
            var selector = VersionSelector.parse(text);
            // a range is shown as it was read: forms write its spaces as plus
            return new Question(selector, selector instanceof VersionSelector.ByRange range ? range.toString() : text);
        }

        public static Question of(VersionSelector selector) {
            return new Question(selector, selector.toString());
        }
    }

    /// A bundle and the version that was found.
    public record Answer(BundleSnapshot bundle, VersionSelector selector, Resolved resolved) {
        /// Returns whether the selector always means this version, unlike a tag or a range.
        public boolean isExact() {
            return selector instanceof VersionSelector.ByVersion || selector instanceof VersionSelector.ByDigest;
        }
    }

    /// @throws ProblemException version-not-found, tag-not-found or no-active-version; version-recalled
    public Answer resolve(BundleSnapshot snapshot, Question question) {
        return resolve(snapshot, question, null, ResolveTime.NOW);
    }

    /// Resolves for somebody who shows or deletes the version, and does not hand out its content: also if it is
    /// recalled.
    ///
    /// @throws ProblemException those of [#resolve(BundleSnapshot, Question)], except version-recalled
    public Answer known(BundleSnapshot snapshot, Question question) {
        return any(snapshot, question, null, ResolveTime.NOW);
    }

    /// Resolves as of a moment.
    ///
    /// @param digest the digest that the version's manifest must also have; null for any
    /// @throws ProblemException also validation-failed if the moment is in the future
    public Answer resolve(BundleSnapshot snapshot, Question question, @Nullable Digest digest, ResolveTime moment) {
        var answer = any(snapshot, question, digest, moment);
        var version = answer.resolved().version();
        var recall = version.recall();
        if (recall != null) {
            throw recall.problem(snapshot.name(), version.version().toString()).raise();
        }
        return answer;
    }

    private Answer any(BundleSnapshot snapshot, Question question, @Nullable Digest digest, ResolveTime moment) {
        var selector = question.selector();
        var effective = digest != null && selector instanceof VersionSelector.Default
                ? new VersionSelector.ByDigest(digest)
                : selector;
        var found = moment.isNow() ? known(snapshot, effective) : then(snapshot, effective, moment);
        if (found.isEmpty()) {
            throw notFound(snapshot, effective, question.text(), moment).raise();
        }
        if (digest != null && !found.get().version().digest().equals(digest)) {
            throw new Problem.VersionNotFound(snapshot.name(), question.text(), " with " + digest, List.of()).raise();
        }
        return new Answer(snapshot, named(effective, found.get()), found.get());
    }

    private static int weight(Resolved version) {
        return HeapShare.ENTRY
                + BYTES_OF_VERSION
                + BYTES_OF_ASSET * version.assets().size()
                + BYTES_OF_TAG * version.tags().size()
                + BYTES_OF_REQUIREMENT * version.requires().size();
    }

    /// Returns the current meaning of the selector; empty if it has none, or is recalled.
    public Optional<Resolved> find(BundleSnapshot snapshot, VersionSelector selector) {
        return known(snapshot, selector).filter(found -> found.version().recall() == null);
    }

    private Optional<Resolved> known(BundleSnapshot snapshot, VersionSelector selector) {
        var key = new Key(snapshot.number(), selector);
        var before = remembered.getIfPresent(key);
        if (before != null) {
            return Optional.of(before);
        }
        var found = database.read(tx -> lookUp(tx, snapshot, selector));
        found.ifPresent(version -> remembered.put(key, version));
        return found;
    }

    /// Returns the tag for a text that reads as a tag and as a range, if the version has that tag: tags come
    /// first.
    private static VersionSelector named(VersionSelector selector, Resolved found) {
        return selector instanceof VersionSelector.ByRange(String range)
                        && found.tags().contains(range)
                ? new VersionSelector.ByTag(new Tag(range))
                : selector;
    }

    private Optional<Resolved> then(BundleSnapshot snapshot, VersionSelector selector, ResolveTime moment) {
        var asOf = moment.asOf();
        if (asOf != null && asOf.isAfter(database.now())) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                            "asOf", "range", "\"asOf\" is in the future: " + asOf + "; choose a past time")))
                    .raise();
        }
        return database.read(tx ->
                new PastResolve(tx, snapshot, tags, moment).find(selector).map(row -> resolved(tx, snapshot, row)));
    }

    private Optional<Resolved> lookUp(Tx tx, BundleSnapshot snapshot, VersionSelector selector) {
        var bundle = snapshot.bundle().id();
        Optional<VersionRow> version = switch (selector) {
            case VersionSelector.ByDigest(Digest digest) -> VersionRows.find(tx, bundle, digest);
            case VersionSelector.ByVersion(Version exact) -> VersionRows.exact(tx, bundle, exact);
            case VersionSelector.Default ignored -> tagged(tx, snapshot, Tag.LATEST);
            case VersionSelector.ByTag(Tag tag) -> tagged(tx, snapshot, tag);
            case VersionSelector.ByRange range ->
                range.tag()
                        .flatMap(tag -> tagged(tx, snapshot, tag))
                        .or(() -> highest(range.range(), VersionRows.published(tx, bundle))
                                .flatMap(exact -> VersionRows.find(tx, bundle, exact)));
        };
        return version.map(row -> resolved(tx, snapshot, row));
    }

    private Resolved resolved(Tx tx, BundleSnapshot snapshot, VersionRow row) {
        return new Resolved(
                row,
                AssetRows.list(tx, row.id()),
                BundleTags.of(tx, tags, snapshot, row),
                Signatures.first(tx, snapshot.repository(), row.digest()).orElse(null),
                RequirementRows.list(tx, row.id()));
    }

    /// Returns the meaning of a tag. `latest` always means a version while one qualifies, even if an OCI client
    /// pointed it elsewhere long ago.
    private Optional<VersionRow> tagged(Tx tx, BundleSnapshot snapshot, Tag tag) {
        var found =
                tags.find(tx, snapshot.repository(), tag.value()).flatMap(row -> BundleTags.version(tx, snapshot, row));
        return found.isEmpty() && tag.equals(Tag.LATEST)
                ? VersionRows.latest(tx, snapshot.bundle().id())
                : found;
    }

    /// Returns the first of `newestFirst` in a range; also empty if the text is not a range.
    public static Optional<Version> highest(String range, List<Version> newestFirst) {
        return VersionRange.find(range).flatMap(found -> found.highest(newestFirst));
    }

    private Problem notFound(BundleSnapshot snapshot, VersionSelector selector, String asked, ResolveTime moment) {
        var name = snapshot.name();
        return database.read(tx -> {
            if (!moment.isNow()) {
                return new PastResolve(tx, snapshot, tags, moment)
                        .deleted(selector)
                        .map(grave -> grave.problem(name, asked))
                        .orElseGet(() -> new Problem.VersionNotFound(name, asked, moment.words(), List.of()));
            }
            var tag = tag(selector);
            var known = tag.filter(named -> isKnown(tx, snapshot, named));
            if (known.isPresent()) {
                return new Problem.NotFound("a version with the tag " + known.get() + " of " + name
                        + " (the tag points to a manifest that is not a version; pull it from the registry)");
            }
            return tag.equals(Optional.of(Tag.LATEST))
                    ? new Problem.NoActiveVersion(
                            name,
                            NearMatches.yanked(
                                    VersionRows.yanked(tx, snapshot.bundle().id(), 200)))
                    : NearMatches.missing(tx, tags, snapshot, asked);
        });
    }

    private static Optional<Tag> tag(VersionSelector selector) {
        return switch (selector) {
            case VersionSelector.Default ignored -> Optional.of(Tag.LATEST);
            case VersionSelector.ByTag(Tag tag) -> Optional.of(tag);
            case VersionSelector.ByDigest ignored -> Optional.empty();
            case VersionSelector.ByVersion ignored -> Optional.empty();
            case VersionSelector.ByRange ignored -> Optional.empty();
        };
    }

    private boolean isKnown(Tx tx, BundleSnapshot snapshot, Tag tag) {
        return tags.find(tx, snapshot.repository(), tag.value()).isPresent();
    }
}
