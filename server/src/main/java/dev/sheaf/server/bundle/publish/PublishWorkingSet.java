package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.passport.ScanFindings;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.review.BundlePolicy;
import dev.sheaf.server.bundle.review.HeldPushes;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Publishes the working set of a bundle (contract 3.4). The published content is the content that the
/// transaction reads, so an edit is either in it or comes after it. Thread-safe.
public final class PublishWorkingSet {
    private static final int ATTEMPTS = 10;
    private static final int PATIENCE = 3;
    private static final long NO_MANIFEST = -1;

    private final Database database;
    private final Bundles bundles;
    private final PublishPrecheck admission;
    private final Publish publish;
    private final Blobs blobs;
    private final StoredContentChecks inspector;
    private final VersionPassports passports;

    public PublishWorkingSet(
            Database database,
            Bundles bundles,
            PublishPrecheck admission,
            Publish publish,
            Blobs blobs,
            StoredContentChecks inspector,
            VersionPassports passports) {
        this.database = database;
        this.bundles = bundles;
        this.admission = admission;
        this.publish = publish;
        this.blobs = blobs;
        this.inspector = inspector;
        this.passports = passports;
    }

    /// The result of a validation.
    ///
    /// @param manifest the digest of the version's manifest; null if there is nothing to publish
    /// @param identical whether the version exists already with this content
    /// @param held whether it would need approval
    /// @param findings those for which it would be refused or need approval
    public record Outlook(
            @Nullable Digest manifest,
            boolean identical,
            boolean held,
            int assets,
            long size,
            List<PublishRules.Violation> problems,
            List<ScanFinding> findings,
            List<ContentChecks.Warning> warnings) {
        public Outlook {
            findings = List.copyOf(findings);
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /// A packed state of the bundle.
    private record Draft(
            BundleSnapshot bundle,
            List<Asset> assets,
            List<Requirement> requires,
            OciPackaging packaging,
            BundleProfile description) {
        boolean isSame(Draft other) {
            return packaging.config().digest().equals(other.packaging.config().digest())
                    && packaging
                            .manifest()
                            .digest()
                            .equals(other.packaging.manifest().digest());
        }

        NewVersion publication(PublishRequest request, List<StagedBlob> staged, NewVersion.Notes notes) {
            return new NewVersion(
                    bundle.name(),
                    null,
                    description,
                    NewVersion.Content.packed(request.version(), assets, requires, packaging),
                    request.tags(),
                    staged,
                    notes);
        }

        boolean isSmall() {
            return packaging.config().bytes().length <= StagedBlob.INLINE_MAX && !assets.isEmpty();
        }

        Digest manifest() {
            return packaging.manifest().digest();
        }
    }

    /// Packs the working set. It has no requirements of its own: a version without a list of them requires what the
    /// latest one does, so that an edit of the files in the console does not lose them.
    private static Draft draft(Tx tx, BundleSnapshot bundle, PublishRequest request) {
        var id = bundle.bundle().id();
        var version = request.version();
        var assets = WorkingAssetRows.isBegun(tx, id)
                ? WorkingAssetRows.all(tx, id)
                : VersionRows.latest(tx, id)
                        .map(latest -> AssetRows.content(tx, latest.id()))
                        .orElse(List.of());
        var told = request.requires();
        var requires = told != null
                ? told
                : VersionRows.latest(tx, id)
                        .map(latest -> RequirementRows.list(tx, latest.id()))
                        .orElse(List.of());
        var profile = DerivedProfileRows.find(tx, id)
                .without(bundle.bundle().profile(), bundle.name().bundle().value());
        var packaging = OciPackaging.of(
                bundle.name(),
                version,
                profile.name(),
                profile.description(),
                assets.stream().map(Asset::packed).toList(),
                requires);
        return new Draft(bundle, assets, requires, packaging, profile);
    }

    /// Publishes a version of the working set, which stays as it is.
    ///
    /// @param admitting receives the number of bytes to be read if a policy asks what is in them; may refuse by
    /// throwing
    /// @throws ProblemException validation-failed if there is nothing to publish; tag-moved if the latest version
    /// is not the expected one; those of [Publish#version]
    public Publish.Outcome publish(
            ChangeOrigin origin, RepositoryName name, PublishRequest request, LongConsumer admitting) {
        var read = new HashMap<Digest, ReadDraft>();
        var checked = new HashMap<Asset, List<ContentChecks.Warning>>();
        for (int i = 0; i < ATTEMPTS; i++) {
            var snapshot = bundles.writable(origin.caller(), name);
            var draft = database.read(tx -> draft(tx, snapshot, request));
            if (draft.assets().isEmpty()) {
                throw Problem.invalid("range", NOTHING);
            }
            check(name, draft, checked);
            var parts = inspector.ofParts(name, request.version(), draft.assets());
            try {
                var published = publish(origin, draft, request, new Attempt(checked, parts, read, i >= PATIENCE));
                if (published.isPresent()) {
                    return published.get();
                }
            } catch (Publish.NotScannedException e) {
                read.put(draft.manifest(), read(draft, e, admitting));
            }
        }
        throw new Problem.Unavailable(
                        "the assets of " + name + " changed again and again while they were read; try again", 1)
                .raise();
    }

    /// What was read of the files, and of the version with which they are compared.
    private record ReadDraft(Passport passport, AutomaticApproval.Read compared) {}

    private ReadDraft read(Draft draft, Publish.NotScannedException wanted, LongConsumer admitting) {
        var reading = new Publish.Reading() {
            @Override
            public Passport passport(NewVersion.Content content) {
                return PublishWorkingSet.this.passport(draft, admitting);
            }

            @Override
            public Passport passport(AutomaticApproval.Base base) {
                return base.passport(passports, admitting);
            }
        };
        return new ReadDraft(passport(draft, admitting), wanted.read(reading));
    }

    private Passport passport(Draft draft, LongConsumer admitting) {
        return passports.required(draft.bundle().repository(), draft.manifest(), draft.assets(), admitting);
    }

    /// Checks the assets that were not checked before.
    private void check(RepositoryName name, Draft draft, Map<Asset, List<ContentChecks.Warning>> checked) {
        var fresh = draft.assets().stream()
                .filter(asset -> !checked.containsKey(asset))
                .toList();
        var warnings = inspector.of(name, fresh, StoredContentChecks.WHOLE_BUNDLE);
        for (Asset asset : fresh) {
            checked.put(
                    asset,
                    warnings.stream()
                            .filter(warning -> warning.path().equals(asset.path()))
                            .toList());
        }
    }

    /// An attempt to publish.
    ///
    /// @param checked the warnings of each asset that was checked
    /// @param parts the warnings of the skills and the plugin among them
    /// @param read what the files can touch, by the digest of the manifest, as far as a policy asks
    /// @param impatient whether to publish even if somebody has edited the bundle since it was checked
    private record Attempt(
            Map<Asset, List<ContentChecks.Warning>> checked,
            List<ContentChecks.Warning> parts,
            Map<Digest, ReadDraft> read,
            boolean impatient) {
        NewVersion.Notes notes(Draft draft, PublishRequest request) {
            var warnings = Stream.concat(
                            draft.assets().stream()
                                    .flatMap(asset -> checked.getOrDefault(asset, List.of(unchecked(asset))).stream()),
                            parts.stream())
                    .toList();
            var known = read.get(draft.manifest());
            return new NewVersion.Notes(
                    request.message(),
                    warnings,
                    List.of(),
                    known == null ? null : known.passport(),
                    known == null ? null : known.compared());
        }

        private static ContentChecks.Warning unchecked(Asset asset) {
            return new ContentChecks.Warning(
                    asset.path(), "not-checked", "was edited while it was published, so it was not checked");
        }
    }

    private static final String NOTHING = "the bundle has no assets to publish; PUT one first";

    /// Publishes; empty if the assets have changed since they were packed.
    private Optional<Publish.Outcome> publish(
            ChangeOrigin origin, Draft packed, PublishRequest request, Attempt attempt) {
        var name = packed.bundle().name();
        var config = blobs.stage(packed.packaging().config().bytes());
        try {
            Optional<Publish.Outcome> published = database.write(tx -> {
                var bundle = bundles.lock(tx, origin, name);
                admission.enforce(tx);
                var draft = draft(tx, bundle, request);
                if (!draft.isSame(packed) && !(attempt.impatient() && draft.isSmall())) {
                    return Optional.empty();
                }
                var staged = draft.isSame(packed) ? config : small(draft);
                var publication = draft.publication(request, List.of(staged), attempt.notes(draft, request));
                return Optional.of(publish.version(tx, origin, bundle, publication, request.expectedLatest()));
            });
            boolean isNamed = published
                    .filter(done -> done.digest().equals(packed.manifest()))
                    .isPresent();
            if (!isNamed) {
                blobs.discard(config);
            }
            return published;
        } catch (RuntimeException e) {
            blobs.discard(List.of(config), e);
            throw e;
        }
    }

    /// Stages the config. It is small enough to be stored in its row, so staging it inside a transaction leaves
    /// nothing behind on a rollback.
    private StagedBlob small(Draft draft) {
        return blobs.stage(draft.packaging().config().bytes());
    }

    /// Returns all reasons for which a publish would be refused, and the warnings. Changes nothing.
    ///
    /// @throws ProblemException those of [Bundles#writable]
    ///
    /// @param admitting as in [#publish]
    public Outlook validate(ChangeOrigin origin, RepositoryName name, PublishRequest request, LongConsumer admitting) {
        var bundle = bundles.writable(origin.caller(), name);
        var draft = database.read(tx -> draft(tx, bundle, request));
        var warnings = new ArrayList<>(inspector.of(name, draft.assets(), StoredContentChecks.WHOLE_BUNDLE));
        warnings.addAll(inspector.ofParts(name, request.version(), draft.assets()));
        var publication = draft.publication(request, List.of(), new NewVersion.Notes(request.message(), List.of()));
        var content = publication.content();
        var violations = new ArrayList<PublishRules.Violation>(
                database.read(tx -> publish.violations(tx, origin, bundle, publication, request.expectedLatest())));
        admission
                .refusal(origin, publication)
                .map(problem -> new PublishRules.Violation("", problem))
                .ifPresent(violations::add);
        var existing = database.read(tx -> VersionRows.find(tx, bundle.bundle().id(), request.version()));
        boolean identical =
                existing.filter(row -> PublishRules.isSame(row, content)).isPresent();
        var policy = existing.isPresent() || draft.assets().isEmpty()
                ? BundlePolicy.NOTHING
                : database.read(tx -> HeldPushes.needed(tx, bundle.repository()));
        var scan = policy.scan();
        var found = scan == null || !scan.readsFiles()
                ? List.<ScanFinding>of()
                : ScanFindings.of(passport(draft, admitting), ContentChecks.ofVersion(warnings));
        var blocked = policy.blocked(name, request.version(), found);
        blocked.map(problem -> new PublishRules.Violation("", problem)).ifPresent(violations::add);
        var reasons = policy.reasons(found);
        boolean held = blocked.isEmpty()
                && ((policy.review() != null && !isRuled(origin, bundle, draft, publication, policy, admitting))
                        || !reasons.isEmpty()
                        || !policy.scanners().isEmpty());
        return new Outlook(
                draft.assets().isEmpty() ? null : draft.manifest(),
                identical,
                held,
                draft.assets().size(),
                content.size(),
                violations,
                policy.stopping(found),
                ContentChecks.ofVersion(warnings));
    }

    /// Returns whether a rule of the policy would approve it.
    private boolean isRuled(
            ChangeOrigin origin,
            BundleSnapshot bundle,
            Draft draft,
            NewVersion publication,
            BundlePolicy policy,
            LongConsumer admitting) {
        var repository = bundle.repository();
        var version = publication.content().version();
        return !policy.auto().isEmpty()
                && database.read(tx -> AutomaticApproval.base(tx, repository, bundle.bundle(), version, false))
                        .filter(base -> {
                            var read = AutomaticApproval.Read.of(base, base.passport(passports, admitting));
                            var known = publication.with(passport(draft, admitting), read);
                            return AutomaticApproval.rule(policy.auto(), base, read, bundle, known, origin.actor()) > 0;
                        })
                        .isPresent();
    }
}
