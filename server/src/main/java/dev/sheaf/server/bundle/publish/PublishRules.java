package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.requirement.RequirementRules;
import dev.sheaf.server.bundle.tag.BundleTags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All rules for versions, shared by all ways to publish and by the validation of a publish, so that each
/// applies all rules. Access is checked earlier.
public final class PublishRules {
    /// How many differing files a problem names.
    private static final int NAMED = 5;

    /// The prefixes of JSON pointers to assets: in the body of a push, in a manifest, and in the working set,
    /// which is not part of the request.
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

    /// A violation of a rule.
    ///
    /// @param pointer a JSON pointer into the request; empty for the whole request
    public record Violation(String pointer, Problem problem) {
        /// Returns it as errors of a request. Validation errors keep their own codes.
        ///
        /// @param code the code for all other problems
        public List<FieldError> errors(String code) {
            return problem instanceof Problem.ValidationFailed failed
                    ? failed.under(pointer).errors()
                    : List.of(new FieldError(pointer, code, problem.detail()));
        }
    }

    private static final String NOTHING = "there is nothing to publish; a version needs at least one asset";

    private final BundleLimits limits;

    PublishRules(BundleLimits limits) {
        this.limits = limits;
    }

    /// Throws if there are violations. If the first one is a validation error, the exception contains all
    /// validation errors; otherwise only the first violation.
    ///
    /// @throws ProblemException if there is any violation
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

    // --- the content alone ---

    /// Checks the content. The limits of a bundle apply to content that is packed as a bundle; for an image the
    /// limit of a blob applies. An index has manifests instead of assets. [Manifests#store] checks in the
    /// transaction, in which nothing can delete the assets, that they exist with their stated sizes.
    List<Violation> ofContent(NewVersion.Content content, Pointers pointers) {
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

    /// Checks the list of what a version requires, but not the required bundles.
    static List<Violation> ofRequires(NewVersion publication) {
        return Requirement.check(publication.content().requires(), publication.name()).stream()
                .map(error -> invalid("/requires" + error.pointer(), error.code(), error.detail()))
                .toList();
    }

    /// Checks the required bundles as the transaction sees them.
    ///
    /// @param dependent the bundle of the version
    static List<Violation> ofRequired(
            Tx tx, Caller caller, RequirementRules.Dependent dependent, NewVersion publication) {
        return RequirementRules.check(
                        tx, caller, dependent, publication.content().requires())
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new Violation("/requires/" + entry.getKey(), entry.getValue()))
                .toList();
    }

    private static List<Violation> paths(List<Asset> assets, Pointers pointers) {
        var last = new HashMap<String, Integer>(); // of two equal paths, the second is reported
        for (int i = 0; i < assets.size(); i++) {
            last.put(assets.get(i).path().value(), i);
        }
        return PathRules.checkNew(assets.stream().map(Asset::path).toList()).stream()
                .map(broken -> invalid(
                        pointers.of(last.getOrDefault(broken.path().value(), 0)), broken.code(), broken.detail()))
                .toList();
    }

    private List<Violation> sizes(List<Asset> assets, Pointers pointers) {
        var found = new ArrayList<Violation>();
        for (int i = 0; i < assets.size(); i++) {
            if (assets.get(i).size() > limits.assetBytes()) {
                var problem = new Problem.PayloadTooLarge(
                        "the asset " + assets.get(i).path() + " (max-asset-bytes)", limits.assetBytes(), "bytes");
                found.add(new Violation(pointers.of(i), problem));
            }
        }
        if (assets.stream().mapToLong(Asset::size).sum() > limits.bundleBytes()) {
            found.add(new Violation(
                    "",
                    new Problem.PayloadTooLarge(
                            "the bundle's content (max-bundle-bytes)", limits.bundleBytes(), "bytes")));
        }
        return found;
    }

    private static Violation invalid(String pointer, String code, String detail) {
        return new Violation(pointer, new Problem.ValidationFailed(List.of(new FieldError("", code, detail))));
    }

    // --- the bundle that it is published to ---

    /// Checks the bundle as the transaction sees it before it writes.
    ///
    /// @param expected the version that must be the latest now; null for any
    List<Violation> ofBundle(
            Tx tx, BundleSnapshot bundle, NewVersion publication, TakenNames taken, @Nullable Version expected) {
        var found = new ArrayList<Violation>();
        var content = publication.content();
        var before = taken.version();
        if (publication.visibility() == Visibility.PRIVATE && bundle.visibility() == Visibility.PUBLIC) {
            found.add(new Violation("/visibility", mismatch(bundle)));
        }
        if (expected != null && (before == null || !isSame(before, content))) {
            latest(tx, bundle, expected).ifPresent(problem -> found.add(new Violation("/expectedLatest", problem)));
        }
        if (bundle.repository().hasRecalled()) {
            recalled(tx, bundle, content).ifPresent(problem -> found.add(new Violation("", problem)));
        }
        number(tx, bundle, content, taken).ifPresent(problem -> found.add(new Violation("/version", problem)));
        found.addAll(tags(tx, bundle, publication, taken));
        return found;
    }

    private static List<Violation> tags(Tx tx, BundleSnapshot bundle, NewVersion publication, TakenNames taken) {
        var found = new ArrayList<Violation>();
        var row = taken.version();
        boolean isYanked =
                !publication.tags().isEmpty() && row != null && BundleTags.isYanked(tx, bundle, row.manifestId());
        for (int i = 0; i < publication.tags().size(); i++) {
            var tag = publication.tags().get(i);
            if (tag.equals(Tag.LATEST)) { // managed by the registry; publishers cannot set it
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

    private static Problem mismatch(BundleSnapshot bundle) {
        return new Problem.VisibilityMismatch(
                bundle.name(),
                "bundle " + bundle.name() + " is public, but this push says private, so nothing was published; a"
                        + " push cannot change the visibility of a bundle: leave the visibility out, or change"
                        + " the bundle first");
    }

    /// Returns a problem if the latest version is not the expected one (compare-and-set). A version that exists
    /// already with this content is a repeated request and no conflict.
    private static Optional<Problem> latest(Tx tx, BundleSnapshot bundle, Version expected) {
        var latest = VersionRows.latest(tx, bundle.bundle().id()).map(VersionRow::version);
        return latest.equals(Optional.of(expected))
                ? Optional.empty()
                : Optional.of(new Problem.TagMoved(
                        bundle.name(),
                        Tag.LATEST,
                        expected,
                        latest.map(Version::toString).orElse("nothing")));
    }

    /// Returns a problem if a recalled version of the bundle has the same files: a push again under the next
    /// number, as a workflow may send it. The manifest is another one then.
    private static Optional<Problem> recalled(Tx tx, BundleSnapshot bundle, NewVersion.Content content) {
        long size = content.assets().stream().mapToLong(Asset::size).sum();
        var files = new HashMap<LogicalPath, Digest>();
        content.assets().forEach(asset -> files.put(asset.path(), asset.digest()));
        return VersionRows.recalled(tx, bundle.bundle().id(), size).stream()
                .filter(version -> !files.isEmpty() && files.equals(files(tx, version)))
                .findFirst()
                .map(version -> new Problem.Conflict("these files are those of version " + version.version() + " of "
                        + bundle.name() + ", which was recalled; publish other files, or end the recall first"));
    }

    private static Map<LogicalPath, Digest> files(Tx tx, VersionRow version) {
        var files = new HashMap<LogicalPath, Digest>();
        AssetRows.list(tx, version.id()).forEach(asset -> files.put(asset.path(), asset.digest()));
        return files;
    }

    private static Optional<Problem> number(
            Tx tx, BundleSnapshot bundle, NewVersion.Content content, TakenNames taken) {
        var digest = content.manifest().digest();
        var before = taken.version();
        if (before != null) {
            return isSame(before, content)
                    ? Optional.empty()
                    : Optional.of(new Problem.VersionExists(
                            bundle.name(),
                            before.version(),
                            before.digest(),
                            digest,
                            differences(tx, before, content)));
        }
        var dead = taken.deleted();
        return dead.stream()
                .filter(one ->
                        one.version().precedence().equals(content.version().precedence()))
                .findFirst()
                .or(() -> dead.stream().findFirst().filter(one -> !isStillAVersion(tx, bundle, digest)))
                .map(deleted -> deleted.problem(bundle.name(), content.version().toString()));
    }

    /// Returns what is not the same as in the stored version, as a clause.
    private static String differences(Tx tx, VersionRow before, NewVersion.Content content) {
        var stored = new HashMap<LogicalPath, OciPackaging.Asset>();
        AssetRows.list(tx, before.id())
                .forEach(asset -> stored.put(asset.path(), asset.asset().packed()));
        var differing = new TreeSet<String>();
        for (Asset asset : content.assets()) {
            if (!asset.packed().equals(stored.remove(asset.path()))) {
                differing.add(asset.path().value());
            }
        }
        stored.keySet().forEach(gone -> differing.add(gone.value()));
        if (differing.isEmpty()) {
            return content.isBundle()
                    ? "the files are the same, but the name or the description of the bundle, or what it requires, is"
                            + " not"
                    : "the files are the same, but the manifest or its config is not";
        }
        int more = differing.size() - NAMED;
        return (differing.size() == 1 ? "the file " : "the files ")
                + differing.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "")
                + (differing.size() == 1 ? " differs" : " differ");
    }

    /// Returns whether another version still has the manifest of a deleted one.
    private static boolean isStillAVersion(Tx tx, BundleSnapshot bundle, Digest digest) {
        return VersionRows.find(tx, bundle.bundle().id(), digest).isPresent();
    }

    /// Returns whether an existing version has this content.
    static boolean isSame(VersionRow stored, NewVersion.Content content) {
        return stored.digest().equals(content.manifest().digest());
    }
}
