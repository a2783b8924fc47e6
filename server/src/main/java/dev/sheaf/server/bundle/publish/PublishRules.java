package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.Digest;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.TombstoneRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All that may stand against a version, once for every way to publish one and for the question what a publish would
/// come to: a rule that stood elsewhere would be forgotten by one of them. Who may publish where is asked before.
public final class PublishRules {
    /// The pointers of assets: in the body of a push, in a manifest, and of a bundle as it is being edited, of which
    /// the request has none.
    enum Pointers {
        PUSH("/manifest/"),
        MANIFEST("/layers/"),
        WORKING("");

        private final String prefix;

        Pointers(String prefix) {
            this.prefix = prefix;
        }

        String of(int index) {
            return prefix.isEmpty() ? "" : prefix + index;
        }
    }

    /// A rule that is broken.
    ///
    /// @param pointer into the request; empty: the whole
    public record Violation(String pointer, Problem problem) {
        /// As the errors of a request: what a validation found has codes of its own.
        ///
        /// @param code of every other problem
        public List<FieldError> errors(String code) {
            return problem instanceof Problem.ValidationFailed failed
                    ? failed.under(pointer).errors()
                    : List.of(new FieldError(pointer, code, problem.detail()));
        }
    }

    private static final String NOTHING = "there is nothing to publish; a version has at least one asset";

    private final BundleLimits limits;

    PublishRules(BundleLimits limits) {
        this.limits = limits;
    }

    /// Refuses what breaks rules: with all that is wrong with the request itself, if the first is of that kind, else
    /// with the first.
    ///
    /// @throws ProblemException where there is any
    static void require(List<Violation> violations) {
        if (violations.isEmpty()) {
            return;
        }
        if (!(violations.getFirst().problem() instanceof Problem.ValidationFailed)) {
            throw violations.getFirst().problem().raise();
        }
        throw new Problem.ValidationFailed(violations.stream()
                        .filter(violation -> violation.problem() instanceof Problem.ValidationFailed)
                        .flatMap(violation -> violation.errors("").stream())
                        .toList())
                .raise();
    }

    // --- the content by itself ---

    /// How large a bundle may be holds for what is packed as one; of an image the limit of a blob does. An index has
    /// manifests in the place of assets. That assets are here, and as long as they are said to be, is seen to by
    /// [Manifests#store] in the transaction, where nothing can take them away any more.
    List<Violation> ofContent(Publication.Content content, Pointers pointers) {
        var found = new ArrayList<Violation>();
        var assets = content.assets();
        if (assets.isEmpty() && content.manifest().manifests().isEmpty()) {
            found.add(invalid("", "range", NOTHING));
        }
        if (assets.size() > limits.assetCount()) {
            found.add(invalid(
                    "",
                    "range",
                    "a version has at most " + limits.assetCount() + " assets; this one has " + assets.size()));
        }
        found.addAll(paths(assets, pointers));
        if (content.isBundle()) {
            found.addAll(sizes(assets, pointers));
        }
        return found;
    }

    private static List<Violation> paths(List<Asset> assets, Pointers pointers) {
        var last = new HashMap<String, Integer>(); // of two that are the same the second is the one too many
        for (int i = 0; i < assets.size(); i++) {
            last.put(assets.get(i).path().value(), i);
        }
        return PathRules.check(assets.stream().map(Asset::path).toList()).stream()
                .map(broken -> invalid(
                        pointers.of(last.getOrDefault(broken.path().value(), 0)), broken.code(), broken.detail()))
                .toList();
    }

    private List<Violation> sizes(List<Asset> assets, Pointers pointers) {
        var found = new ArrayList<Violation>();
        for (int i = 0; i < assets.size(); i++) {
            if (assets.get(i).size() > limits.assetBytes()) {
                var problem = new Problem.PayloadTooLarge(
                        "the asset " + assets.get(i).path() + " (max-asset-bytes)", limits.assetBytes());
                found.add(new Violation(pointers.of(i), problem));
            }
        }
        if (assets.stream().mapToLong(Asset::size).sum() > limits.bundleBytes()) {
            found.add(new Violation(
                    "", new Problem.PayloadTooLarge("the bundle's content (max-bundle-bytes)", limits.bundleBytes())));
        }
        return found;
    }

    private static Violation invalid(String pointer, String code, String detail) {
        return new Violation(pointer, new Problem.ValidationFailed(List.of(new FieldError("", code, detail))));
    }

    // --- the bundle that it is published to ---

    /// As the transaction sees the bundle, before it writes anything.
    ///
    /// @param expected the version that must be the latest now; null: whichever
    List<Violation> ofBundle(
            Tx tx, Snapshot bundle, Publication publication, TakenNames taken, @Nullable Version expected) {
        var found = new ArrayList<Violation>();
        var content = publication.content();
        var before = taken.version();
        if (publication.visibility() == Visibility.PRIVATE && bundle.visibility() == Visibility.PUBLIC) {
            found.add(new Violation("/visibility", mismatch(bundle)));
        }
        if (expected != null && (before == null || !isSame(tx, before, content))) {
            latest(tx, bundle, expected).ifPresent(problem -> found.add(new Violation("/expectedLatest", problem)));
        }
        number(tx, bundle, content, before).ifPresent(problem -> found.add(new Violation("/version", problem)));
        found.addAll(tags(tx, bundle, publication, taken));
        return found;
    }

    private static List<Violation> tags(Tx tx, Snapshot bundle, Publication publication, TakenNames taken) {
        var found = new ArrayList<Violation>();
        var row = taken.version();
        boolean isYanked =
                !publication.tags().isEmpty() && row != null && BundleTags.isYanked(tx, bundle, row.manifestId());
        for (int i = 0; i < publication.tags().size(); i++) {
            var tag = publication.tags().get(i);
            if (tag.equals(Tag.LATEST)) { // kept by the service, whatever a publisher says of it
                continue;
            }
            try {
                var version = publication.content().version();
                BundleTags.mayMove(bundle, tag, version, taken.tag(tag), row, isYanked);
            } catch (ProblemException e) {
                found.add(new Violation("/tags/" + i, e.problem()));
            }
        }
        return found;
    }

    private static Problem mismatch(Snapshot bundle) {
        return new Problem.VisibilityMismatch(
                bundle.name(),
                "bundle " + bundle.name() + " is public and this push says private, so nothing was published; a push"
                        + " does not change the visibility of a bundle: leave it out, or change the bundle first");
    }

    /// The compare of compare-and-set. Where the version is there already with this content, the request was heard
    /// before: to repeat it is no clash.
    private static Optional<Problem> latest(Tx tx, Snapshot bundle, Version expected) {
        var latest = VersionRows.latest(tx, bundle.bundle().id()).map(VersionRow::version);
        return latest.equals(Optional.of(expected))
                ? Optional.empty()
                : Optional.of(new Problem.TagMoved(
                        bundle.name(),
                        Tag.LATEST,
                        expected,
                        latest.map(Version::toString).orElse("nothing")));
    }

    private static Optional<Problem> number(
            Tx tx, Snapshot bundle, Publication.Content content, @Nullable VersionRow before) {
        var digest = content.manifest().digest();
        if (before != null) {
            return isSame(tx, before, content)
                    ? Optional.empty()
                    : Optional.of(new Problem.VersionExists(bundle.name(), before.version(), before.digest(), digest));
        }
        return TombstoneRows.find(tx, bundle.repository(), content.version())
                .or(() -> TombstoneRows.find(tx, bundle.repository(), digest)
                        .filter(dead -> !isStillAVersion(tx, bundle, digest)))
                .map(deleted -> deleted.problem(bundle.name(), content.version().toString()));
    }

    /// Whether another version lives on with the manifest of one that was deleted.
    private static boolean isStillAVersion(Tx tx, Snapshot bundle, Digest digest) {
        return VersionRows.find(tx, bundle.bundle().id(), digest).isPresent();
    }

    /// Whether a version that is there has this content. One that was stored before modes were kept has it too where
    /// they are all that differs.
    static boolean isSame(Tx tx, VersionRow stored, Publication.Content content) {
        return stored.digest().equals(content.manifest().digest()) || OldModes.lacks(tx, stored, content.manifest());
    }
}
