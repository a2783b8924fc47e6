package dev.sheaf.server.bundle.decision;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.FreshFactor;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.passport.ScanFindings;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.bundle.publish.AutomaticApproval;
import dev.sheaf.server.bundle.publish.NewVersion;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.publish.StoredContentChecks;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.review.BundlePolicy;
import dev.sheaf.server.bundle.review.HeldPushes;
import dev.sheaf.server.bundle.review.PushScan;
import dev.sheaf.server.bundle.review.PushScanRows;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewEnds;
import dev.sheaf.server.bundle.review.ReviewPolicy;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.bundle.review.ReviewState;
import dev.sheaf.server.bundle.review.Reviewers;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Approves, rejects and withdraws pushes that need approval. The last approval that is needed publishes the version,
/// in the same transaction. Every call locks the repository first: the first to commit wins, and others get a
/// conflict. Repeating one's own decision changes nothing. Thread-safe.
public final class ReviewDecisions {
    private final Database database;
    private final Repositories repositories;
    private final Manifests manifests;
    private final Tags tags;
    private final StoredContentChecks checks;
    private final VersionPassports passports;
    private final Publish publish;
    private final FreshFactor secondFactor;
    private final Parser parser;

    /// Parses the manifest of a push.
    public interface Parser {
        ManifestDocument parse(ManifestRecord manifest, byte[] bytes);
    }

    public ReviewDecisions(
            Database database,
            Repositories repositories,
            Manifests manifests,
            Tags tags,
            StoredContentChecks checks,
            VersionPassports passports,
            Publish publish,
            FreshFactor secondFactor,
            Parser parser) {
        this.database = database;
        this.repositories = repositories;
        this.manifests = manifests;
        this.tags = tags;
        this.checks = checks;
        this.passports = passports;
        this.publish = publish;
        this.secondFactor = secondFactor;
        this.parser = parser;
    }

    /// What is decided on.
    ///
    /// @param digest that of the content that the person has seen, with its round
    /// @param reason null for none
    public record Decision(
            Digest digest, int round, @Nullable String reason) {}

    /// A review after a decision.
    ///
    /// @param warnings what the approval could not do
    public record Done(Review review, List<String> warnings) {
        public Done {
            warnings = List.copyOf(warnings);
        }
    }

    /// Refuses a caller who could not decide on any push of a bundle, before the request is read.
    ///
    /// @throws ProblemException bundle-not-found for who may not see them; review-needs-person
    public void mayDecide(ChangeOrigin origin, RepositoryName name) {
        readable(origin.caller(), name);
        Reviewers.person(origin.caller());
    }

    /// Refuses a caller who may not see the pushes of a bundle.
    ///
    /// @throws ProblemException bundle-not-found
    public void maySee(Caller caller, RepositoryName name) {
        readable(caller, name);
    }

    /// Approves a push.
    ///
    /// @param admitting receives the number of bytes to be read; may refuse by throwing
    /// @throws ProblemException version-not-found; review-needs-person; forbidden for who may not approve it;
    /// conflict if it does not wait any more, or has other content; those of [Publish#version] if it is the last
    /// approval, and the push stays as it is
    public Done approve(
            ChangeOrigin origin, RepositoryName name, Version version, Decision decision, LongConsumer admitting) {
        var person = Reviewers.person(origin.caller());
        var content = content(origin.caller(), name, version, admitting);
        return database.write(tx -> {
            var repository = lock(tx, origin, name);
            var review = expected(tx, origin, repository, version, decision);
            var needs = review.needs(BundlePolicies.effective(tx, name).review());
            Reviewers.requireApprover(tx, origin, review, needs, person);
            if (!ReviewRows.decide(tx, review, person.userId(), ReviewRows.Decision.APPROVED, decision.reason())) {
                return new Done(review, List.of());
            }
            AuditRows.record(tx, origin, "version.approve", review.subject(), "round " + review.round());
            askNew(tx, review, BundlePolicies.effective(tx, name));
            var waiting = waiting(tx, review);
            return review.given() + 1 < needs.approvals() || !waiting.isEmpty()
                    ? new Done(review, waiting)
                    : publish(tx, origin, repository, review, content);
        });
    }

    /// Publishes a push although approvals are missing, also of one's own. Only people are overridden: what
    /// a policy blocks stays blocked, and a scanner that has not answered is waited for.
    ///
    /// @param code of the person's authenticator, or a recovery code; null if none was sent
    /// @param admitting as in [#approve]
    /// @throws ProblemException those of [#approve]; forbidden for all but owners in the console, and for
    /// owners without a second factor; validation-failed without a reason, and for a wrong code;
    /// rate-limited
    public Done override(
            ChangeOrigin origin,
            RepositoryName name,
            Version version,
            Decision decision,
            @Nullable Secret code,
            LongConsumer admitting) {
        var person = Reviewers.inConsole(origin.caller());
        var sent = code == null ? Secret.of("") : code;
        String reason = reason(decision, "is required: it is shown with the version for ever");
        database.read(tx -> {
            Reviewers.requireOwner(tx, origin, person);
            requireSecondFactor(tx, person);
            return person;
        });
        if (code == null) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                            "/code", "required", "\"code\" is required: send the code of your authenticator")))
                    .raise();
        }
        secondFactor.begin(person.userId());
        var content = content(origin.caller(), name, version, admitting);
        return database.write(tx -> {
            var repository = lock(tx, origin, name);
            var review = expected(tx, origin, repository, version, decision);
            Reviewers.requireOwner(tx, origin, person);
            requireSecondFactor(tx, person);
            secondFactor.prove(tx, person.userId(), sent);
            ReviewRows.override(tx, review, person.userId(), reason);
            AuditRows.record(
                    tx, origin, "version.override", review.subject(), "round " + review.round() + ": " + reason);
            askNew(tx, review, BundlePolicies.effective(tx, name));
            var waiting = waiting(tx, review);
            return waiting.isEmpty() ? publish(tx, origin, repository, review, content) : new Done(review, waiting);
        });
    }

    private void requireSecondFactor(Tx tx, Credential.Session person) {
        if (!secondFactor.isSetUp(tx, person.userId())) {
            throw new Problem.Forbidden(
                            "to publish a version without its approvals, you need a second factor; set one up:"
                                    + " /account/second-factor")
                    .raise();
        }
    }

    private static String reason(Decision decision, String rule) {
        String reason = decision.reason();
        if (reason == null || reason.isBlank()) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError("/reason", "required", rule))).raise();
        }
        return reason;
    }

    /// Asks the scanners that the policies name since the push.
    private static void askNew(Tx tx, Review review, BundlePolicy policy) {
        var asked =
                PushScanRows.of(tx, review).stream().map(PushScan::scannerId).collect(Collectors.toSet());
        PushScanRows.insert(
                tx,
                review,
                policy.scanners().stream()
                        .filter(scanner -> !asked.contains(scanner.id()))
                        .toList());
    }

    /// Asks people about a push that only scanners held, if the policies want that since.
    private static void askPeople(Tx tx, Review review, BundlePolicy policy, Content content) {
        var scan = policy.scan();
        var reasons = scan == null || !scan.readsFiles()
                ? List.<ScanFinding>of()
                : policy.reasons(ScanFindings.of(content.passport(), content.warnings()));
        var people = policy.approval();
        if (!reasons.isEmpty() && people != null && review.approvals() == 0) {
            ReviewRows.addReasons(tx, review, reasons);
            ReviewRows.askPeople(tx, review, people);
        }
    }

    /// Returns a sentence for each scanner that has not answered.
    private static List<String> waiting(Tx tx, Review review) {
        return PushScanRows.of(tx, review).stream()
                .filter(PushScan::isWaiting)
                .map(scan -> "it waits for the scanner " + scan.scanner())
                .toList();
    }

    // --- scanners ---

    /// Takes the answer of a scanner, or notes that there is none. If nothing else holds the push, it is published.
    ///
    /// @param findings of the scanner
    /// @param admitting as in [#approve]
    /// @throws ProblemException conflict if the push does not wait any more, has other content, or the scanner has
    /// answered
    public void scanned(PushScan scan, PushScan.Verdict verdict, List<ScanFinding> findings, LongConsumer admitting) {
        var review = database.read(tx -> ReviewRows.find(tx, scan.reviewId()))
                .filter(found -> found.isHeld() && found.round() == scan.round())
                .orElseThrow(() -> over(scan).raise());
        var origin = of(scan, review);
        var answer = new Answer(scan, review, verdict, findings);
        if (verdict == PushScan.Verdict.BLOCK || review.isRescan()) {
            note(origin, answer, null);
            return;
        }
        var content = content(review, admitting);
        try {
            note(origin, answer, content);
        } catch (ProblemException e) {
            if (ProblemException.isUnavailable(e) || e.problem() instanceof Problem.Conflict) {
                throw e;
            }
            var why = new ScanFinding(
                    "not-published",
                    null,
                    null,
                    null,
                    e.problem().detail(),
                    "Have it withdrawn, or decide.",
                    scan.scanner());
            note(origin, new Answer(scan, review, PushScan.Verdict.REVIEW, List.of(why)), null);
        }
    }

    private record Answer(PushScan scan, Review review, PushScan.Verdict verdict, List<ScanFinding> findings) {
        boolean allows() {
            return verdict == PushScan.Verdict.ALLOW || (verdict == PushScan.Verdict.UNANSWERED && scan.passes());
        }
    }

    /// @param content null if it is not published in any case
    private void note(ChangeOrigin origin, Answer answer, @Nullable Content content) {
        var scan = answer.scan();
        database.write(tx -> {
            var repository = repositories
                    .lock(tx, answer.review().ref())
                    .orElseThrow(() -> over(scan).raise());
            var review = ReviewRows.find(tx, scan.reviewId())
                    .filter(found -> found.isHeld() && found.round() == scan.round())
                    .orElseThrow(() -> over(scan).raise());
            if (!PushScanRows.end(tx, scan, answer.verdict())) {
                throw new Problem.Conflict("scanner " + scan.scanner() + " has answered already").raise();
            }
            AuditRows.record(tx, origin, "version.scan", review.subject(), scan.scanner() + ": " + answer.verdict());
            Repositories.announce(tx, review.ref());
            if (review.isRescan()) {
                return rescanned(tx, origin, review, answer);
            }
            if (!answer.allows()) {
                ReviewRows.addReasons(tx, review, answer.findings());
            }
            if (answer.verdict() == PushScan.Verdict.BLOCK && !review.ofPublished()) {
                return ReviewEnds.end(tx, origin, review, ReviewState.REJECTED);
            }
            var policy = BundlePolicies.effective(tx, review.ref());
            if (!answer.allows()) {
                var people = policy.approval();
                ReviewRows.askPeople(tx, review, people == null ? ReviewPolicy.USUAL : people);
            }
            askNew(tx, review, policy);
            if (content != null) {
                askPeople(tx, review, policy, content);
            }
            var now = ReviewRows.find(tx, review.id()).orElseThrow();
            if (content != null
                    && now.approvals() == 0
                    && policy.review() != null
                    && waiting(tx, now).isEmpty()) {
                now = ruled(tx, origin, now, policy, content);
            }
            boolean isFree = (now.given() >= now.needs(policy.review()).approvals() || ReviewRows.isDecided(tx, now))
                    && waiting(tx, now).isEmpty();
            if (isFree && content != null) {
                publish(tx, origin, repository, now, content);
            }
            return now;
        });
    }

    /// Lets a rule of the policy approve a push that only scanners held, as at its push; else people are
    /// asked.
    private Review ruled(Tx tx, ChangeOrigin origin, Review review, BundlePolicy policy, Content content) {
        var people = Objects.requireNonNull(policy.review());
        int rule = publish.rule(
                tx, asPublisher(origin), policy, publication(review, content, List.of()), review.pushedBy());
        if (rule > 0) {
            HeldPushes.rule(tx, origin, review, people, rule);
        } else {
            ReviewRows.askPeople(tx, review, people);
        }
        return ReviewRows.find(tx, review.id()).orElseThrow();
    }

    /// Takes what a scanner says of a version that readers have. Nothing is hidden: the organization is told, and
    /// people decide.
    private static Review rescanned(Tx tx, ChangeOrigin origin, Review review, Answer answer) {
        boolean isBad = answer.verdict() == PushScan.Verdict.REVIEW || answer.verdict() == PushScan.Verdict.BLOCK;
        if (!isBad) {
            return waiting(tx, review).isEmpty() ? ReviewEnds.endQuietly(tx, review) : review;
        }
        ReviewRows.addReasons(tx, review, answer.findings());
        ReviewRows.askPeople(
                tx, review, BundlePolicies.approval(tx, review.ref()).orElse(ReviewPolicy.USUAL));
        version(tx, review).ifPresent(version -> OutboxRows.emit(tx, origin, scanned(review, version, answer)));
        var asked = ReviewRows.find(tx, review.id()).orElseThrow();
        ReviewEnds.announceAsked(tx, origin, asked);
        return asked;
    }

    private static Event.VersionScanned scanned(Review review, VersionRow version, Answer answer) {
        var least = answer.verdict() == PushScan.Verdict.BLOCK ? Severity.HIGH : Severity.MEDIUM;
        var worst = answer.findings().stream()
                .flatMap(finding -> WireWords.find(Severity.class, String.valueOf(finding.severity())).stream())
                .max(Comparator.naturalOrder())
                .orElse(least);
        return new Event.VersionScanned(
                version.bundleId(),
                version.id(),
                review.ref().toString(),
                review.version().toString(),
                review.digest().toString(),
                worst.toString(),
                Math.max(1, answer.findings().size()));
    }

    /// Returns the version that a review is about.
    private static Optional<VersionRow> version(Tx tx, Review review) {
        return BundleRows.find(tx, review.repositoryId())
                .flatMap(bundle -> VersionRows.find(tx, bundle.id(), review.version()))
                .filter(row -> row.digest().equals(review.digest()) && row.recall() == null);
    }

    private static Problem over(PushScan scan) {
        return new Problem.Conflict("the push that scan " + scan.id() + " is about does not wait any more");
    }

    private static ChangeOrigin of(PushScan scan, Review review) {
        var caller = new Caller.Known(
                new Credential.Scanner(scan.scannerId(), scan.scanner()),
                review.organizationId(),
                Scope.WRITE,
                CredentialRestrictions.NONE,
                Grant.ALL,
                null);
        return new ChangeOrigin(caller, "", scan.id().toString());
    }

    /// What a scanner may read of a push.
    public record Readable(Repository repository, ManifestRecord manifest, byte[] bytes) {}

    /// Returns the manifest of the push that a scan is about.
    ///
    /// @throws ProblemException conflict if it is no longer kept
    public Readable readable(PushScan scan) {
        var review = database.read(tx -> ReviewRows.find(tx, scan.reviewId()))
                .filter(found -> found.isHeld() && found.round() == scan.round())
                .orElseThrow(() -> over(scan).raise());
        var repository =
                repositories.find(review.ref()).orElseThrow(() -> over(scan).raise());
        var manifest = manifests
                .find(repository, review.digest())
                .orElseThrow(() -> over(scan).raise());
        byte[] bytes = manifests.content(manifest).orElseThrow(() -> over(scan).raise());
        return new Readable(repository, manifest, bytes);
    }

    /// Returns what scanners say of the present round of a push.
    public List<PushScan> scans(Review review) {
        return database.read(tx -> PushScanRows.of(tx, review));
    }

    private Done publish(Tx tx, ChangeOrigin origin, Repository repository, Review review, Content content) {
        if (!content.document().digest().equals(review.digest())) {
            throw conflict(review, "has other content now").raise();
        }
        if (review.ofPublished()) {
            return mark(tx, origin, review, content);
        }
        var warnings = new ArrayList<String>();
        var published = publish.approved(
                tx, asPublisher(origin), publication(review, content, movable(tx, repository, review, warnings)));
        VersionRows.approved(tx, published.version().version().id(), review.id());
        return new Done(ReviewEnds.end(tx, origin, review, ReviewState.PUBLISHED), warnings);
    }

    private static NewVersion publication(Review review, Content content, List<Tag> tags) {
        var profile = new BundleProfile(
                review.name(),
                review.description(),
                review.readmeContent(),
                review.readmeFormat(),
                null,
                null,
                null,
                null);
        return new NewVersion(
                review.ref(),
                review.visibility(),
                profile,
                new NewVersion.Content(review.version(), content.files(), content.document(), review.required()),
                tags,
                List.of(),
                new NewVersion.Notes(
                        review.message(), content.warnings(), List.of(), content.passport(), content.compared()),
                review.pushedBy());
    }

    /// Marks a version that readers have already as approved.
    private static Done mark(Tx tx, ChangeOrigin origin, Review review, Content content) {
        var version = version(tx, review)
                .orElseThrow(() ->
                        conflict(review, "is about a version that is gone").raise());
        var policy = BundlePolicies.effective(tx, review.ref());
        var findings = ScanFindings.of(content.passport(), content.warnings());
        policy.requireUnblocked(review.ref(), review.version(), findings);
        VersionRows.approved(tx, version.id(), review.id());
        return new Done(ReviewEnds.end(tx, origin, review, ReviewState.PUBLISHED), List.of());
    }

    /// Returns the tags of the push that still stand where they stood then.
    private List<Tag> movable(Tx tx, Repository repository, Review review, List<String> warnings) {
        var wanted = review.wanted();
        var now = tags.find(
                        tx, repository, wanted.stream().map(Review.Wanted::name).toList())
                .get();
        var movable = new ArrayList<Tag>();
        for (var tag : wanted) {
            long at = Optional.ofNullable(now.get(tag.name()))
                    .map(TagRecord::manifestId)
                    .orElse(0L);
            if (at == tag.stoodAt()) {
                movable.add(new Tag(tag.name()));
            } else {
                warnings.add("the tag " + tag.name() + " was moved after the push, so it stays where it is");
            }
        }
        return movable;
    }

    /// Acts with the right to push, which the publisher had: a reader may be a reviewer.
    private static ChangeOrigin asPublisher(ChangeOrigin origin) {
        var caller = origin.caller();
        var scope = caller.scope().includes(Scope.WRITE) ? caller.scope() : Scope.WRITE;
        return new ChangeOrigin(
                new Caller.Known(
                        caller.credential(),
                        caller.organizationId(),
                        scope,
                        caller.restrictions(),
                        Grant.ALL,
                        caller.tokens(),
                        caller.endsAt()),
                origin.address(),
                origin.requestId());
    }

    /// Rejects a push. Its number is free again.
    ///
    /// @throws ProblemException those of [#approve]; validation-failed without a reason
    public Done reject(ChangeOrigin origin, RepositoryName name, Version version, Decision decision) {
        var person = Reviewers.person(origin.caller());
        String reason = reason(decision, "is required: the publisher reads it");
        return database.write(tx -> {
            var repository = lock(tx, origin, name);
            var review = expected(tx, origin, repository, version, decision);
            var needs = review.needs(BundlePolicies.effective(tx, name).review());
            Reviewers.requireApprover(tx, origin, review, needs, person);
            ReviewRows.reject(tx, review, person.userId(), reason);
            return new Done(ReviewEnds.end(tx, origin, review, ReviewState.REJECTED), List.of());
        });
    }

    /// Withdraws a push: who pushed it may, and admins. Its number is free again.
    ///
    /// @throws ProblemException version-not-found; forbidden for others; conflict if it does not wait any more
    public Done withdraw(ChangeOrigin origin, RepositoryName name, Version version) {
        return database.write(tx -> {
            var repository = lock(tx, origin, name);
            var review = last(tx, origin, repository, version);
            if (!review.isHeld()) {
                throw conflict(review, "is " + review.state()).raise();
            }
            Reviewers.requirePublisher(tx, origin, review);
            return new Done(ReviewEnds.end(tx, origin, review, ReviewState.WITHDRAWN), List.of());
        });
    }

    /// Returns the last push of a number that needed approval.
    ///
    /// @throws ProblemException version-not-found if there is none, or the caller may not see it
    public Review get(Caller caller, RepositoryName name, Version version) {
        var repository = readable(caller, name);
        return database.read(tx -> ReviewRows.last(tx, repository.id(), version))
                .orElseThrow(() -> missing(name, version).raise());
    }

    /// Returns a push of a bundle by its id.
    ///
    /// @throws ProblemException not-found if there is none, or the caller may not see it
    public Review find(Caller caller, RepositoryName name, UUID id) {
        var repository = readable(caller, name);
        return database.read(tx -> ReviewRows.find(tx, id))
                .filter(review -> review.repositoryId() == repository.id())
                .orElseThrow(() -> new Problem.NotFound("review " + id + " of " + name).raise());
    }

    /// What somebody who sees a push can do about it.
    ///
    /// @param needs what it needs now
    /// @param bar why they may not decide; null if they may
    /// @param mayWithdraw whether they may withdraw it
    /// @param mayOverride whether they may publish it without its approvals
    /// @param hasSecondFactor whether they have the second factor that this needs
    public record Standing(
            ReviewPolicy needs,
            Reviewers.@Nullable Bar bar,
            boolean mayWithdraw,
            boolean mayOverride,
            boolean hasSecondFactor) {}

    /// Returns what a person can do about a push.
    ///
    /// @throws ProblemException review-needs-person
    public Standing standing(Caller.Known caller, Review review) {
        var person = Reviewers.person(caller);
        return database.read(tx -> {
            var needs = review.needs(BundlePolicies.effective(tx, review.ref()).review());
            return new Standing(
                    needs,
                    Reviewers.bar(tx, caller.organizationId(), review, needs, person)
                            .orElse(null),
                    Reviewers.mayWithdraw(tx, caller, review),
                    review.isHeld()
                            && caller.grant().equals(Grant.ALL)
                            && Reviewers.mayOverride(tx, caller.organizationId(), person),
                    secondFactor.isSetUp(tx, person.userId()));
        });
    }

    /// Returns what the checks say of the files of a push.
    public List<ContentChecks.Warning> warnings(Review review) {
        var assets = files(review).stream().map(StoredAsset::asset).toList();
        return checks.ofVersion(review.ref(), review.version(), assets);
    }

    /// Returns the files of a push, for those who may see it, by path; none once they are no longer kept.
    public List<StoredAsset> files(Review review) {
        return review.manifestId() == null ? List.of() : database.read(tx -> ReviewRows.files(tx, review));
    }

    /// Returns the findings for which a push waits, the worst first.
    public List<ScanFinding> reasons(Review review) {
        return database.read(tx -> ReviewRows.reasons(tx, review));
    }

    public List<ReviewRows.Decision> decisions(Review review) {
        return database.read(tx -> ReviewRows.decisions(tx, review));
    }

    // --- the content ---

    /// What a push contains, read before the transaction that publishes it.
    ///
    /// @param compared what was read of the version with which the rules of the policy compare it
    private record Content(
            ManifestDocument document,
            List<Asset> files,
            List<ContentChecks.Warning> warnings,
            Passport passport,
            AutomaticApproval.@Nullable Read compared) {}

    private Content content(Caller caller, RepositoryName name, Version version, LongConsumer admitting) {
        var review = get(caller, name, version);
        if (!review.isHeld()) {
            throw conflict(review, "is " + review.state()).raise();
        }
        return content(review, admitting);
    }

    private Content content(Review review, LongConsumer admitting) {
        var name = review.ref();
        var version = review.version();
        var repository =
                repositories.find(name).orElseThrow(() -> missing(name, version).raise());
        var manifest = manifests
                .find(repository, review.digest())
                .orElseThrow(
                        () -> new Problem.ManifestUnknown(name, review.digest().toString()).raise());
        byte[] bytes = manifests
                .content(manifest)
                .orElseThrow(
                        () -> new Problem.ManifestUnknown(name, review.digest().toString()).raise());
        var files = files(review).stream().map(StoredAsset::asset).toList();
        return new Content(
                parser.parse(manifest, bytes),
                files,
                checks.ofVersion(name, version, files),
                passports.required(repository, review.digest(), files, admitting),
                review.approvals() > 0 ? null : compared(repository, review, admitting));
    }

    /// Reads the version with which the rules of the policy compare a push that only scanners hold.
    private AutomaticApproval.@Nullable Read compared(Repository repository, Review review, LongConsumer admitting) {
        return database.read(tx ->
                        BundlePolicies.effective(tx, review.ref()).auto().isEmpty()
                                ? Optional.<AutomaticApproval.Base>empty()
                                : AutomaticApproval.base(
                                        tx,
                                        repository,
                                        BundleRows.find(tx, repository.id()).orElse(null),
                                        review.version(),
                                        true))
                .map(base -> AutomaticApproval.Read.of(base, base.passport(passports, admitting)))
                .orElse(null);
    }

    private Repository readable(Caller caller, RepositoryName name) {
        var found = repositories.find(caller, name);
        var repository = Access.read(caller, name, found.orElse(null));
        if (!Reviewers.mayRead(database, caller, repository)) {
            throw Access.hidden(caller, name).raise();
        }
        return repository;
    }

    // --- the row ---

    private Repository lock(Tx tx, ChangeOrigin origin, RepositoryName name) {
        var repository =
                Access.read(origin.caller(), name, repositories.lock(tx, name).orElse(null));
        if (!Access.owns(origin.caller(), repository.organizationId(), name)) {
            throw Access.hidden(origin.caller(), name).raise();
        }
        return repository;
    }

    private static Review last(Tx tx, ChangeOrigin origin, Repository repository, Version version) {
        if (!Reviewers.mayRead(tx, origin.caller(), repository)) {
            throw Access.hidden(origin.caller(), repository.name()).raise();
        }
        return ReviewRows.last(tx, repository.id(), version)
                .orElseThrow(() -> missing(repository.name(), version).raise());
    }

    /// Returns the push that the decision is about.
    private static Review expected(
            Tx tx, ChangeOrigin origin, Repository repository, Version version, Decision decision) {
        var review = last(tx, origin, repository, version);
        if (!review.isHeld()) {
            throw conflict(review, "is " + review.state()).raise();
        }
        if (!review.digest().equals(decision.digest()) || review.round() != decision.round()) {
            throw conflict(
                            review,
                            "has other content now (round " + review.round() + ", " + review.digest() + "); look at it"
                                    + " again")
                    .raise();
        }
        return review;
    }

    private static Problem conflict(Review review, String what) {
        return new Problem.Conflict("the push of " + review.subject() + " " + what);
    }

    private static Problem missing(RepositoryName name, Version version) {
        return new Problem.NotFound("a push of " + name + ":" + version + " that needs or needed approval");
    }
}
