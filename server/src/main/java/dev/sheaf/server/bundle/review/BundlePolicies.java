package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.NamespaceRows;
import dev.sheaf.server.org.key.KeyLineage;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.org.member.MembershipRows;
import dev.sheaf.server.registry.Repository;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The policies that say which pushes are refused and which need approval: one of a namespace, and one of each bundle.
/// A bundle needs what both ask for. A stricter policy takes effect at once, a looser one after a day, or when
/// a second owner confirms it. Thread-safe.
public final class BundlePolicies {
    static final Duration DELAY = Duration.ofDays(1);
    private static final int DUE = 100;

    private final Database database;
    private final ScannerSecrets secrets;
    private final AllowedTargets reach;

    /// @param reach where questions to scanners may be sent
    public BundlePolicies(Database database, ScannerSecrets secrets, AllowedTargets reach) {
        this.database = database;
        this.secrets = secrets;
        this.reach = reach;
    }

    /// Reads a change of a policy.
    ///
    /// @throws ProblemException those of [BundlePolicy.Change#parse]
    public BundlePolicy.Change change(RequestFields fields) {
        return fields.to(given -> BundlePolicy.Change.parse(given, reach));
    }

    /// What a policy is for.
    ///
    /// @param bundle the slug; empty for all bundles of the namespace
    public record Place(Namespace namespace, String bundle) {
        public static Place of(RepositoryName name) {
            return new Place(name.namespace(), name.bundle().value());
        }

        public static Place of(Namespace namespace) {
            return new Place(namespace, "");
        }

        Event.PolicyChanged changed() {
            return new Event.PolicyChanged(namespace.value(), bundle.isEmpty() ? "" : toString());
        }

        @Override
        public String toString() {
            return bundle.isEmpty() ? namespace.value() : namespace + "/" + bundle;
        }
    }

    /// Returns what new versions of a bundle need now.
    public static BundlePolicy effective(Tx tx, RepositoryName name) {
        var all = BundlePolicy.NOTHING;
        for (var row : BundlePolicyRows.of(tx, name)) {
            all = all.and(row.at(tx.now()));
        }
        return all;
    }

    /// Returns whose approval pushes of a bundle need if they need any; empty if nothing asks for one.
    public static Optional<ReviewPolicy> approval(Tx tx, RepositoryName name) {
        return Optional.ofNullable(effective(tx, name).approval());
    }

    /// Returns whether versions of a bundle may require only approved ones, and get only those.
    public boolean requiresApproved(Repository repository) {
        return database.read(tx -> effective(tx, repository.name())).requiresApproved();
    }

    /// Returns what new versions of a bundle need now, as it is shown.
    public PolicyRecord effective(RepositoryName name) {
        var policy = database.read(tx -> effective(tx, name));
        return new PolicyRecord(policy.reviewToWire(), policy.scanToWire(), policy.requiresToWire(), null);
    }

    public PolicyRecord get(Place place) {
        return database.read(tx -> shown(tx, place));
    }

    private static PolicyRecord shown(Tx tx, Place place) {
        return shown(tx, place, Map.of());
    }

    /// @param secrets those of scanners to show, by scanner
    private static PolicyRecord shown(Tx tx, Place place, Map<UUID, String> secrets) {
        var row = BundlePolicyRows.find(tx, place.namespace().value(), place.bundle())
                .orElse(null);
        var now = row == null ? BundlePolicy.NOTHING : row.at(tx.now());
        boolean waits = row != null && row.nextAt() != null && !row.isDue(tx.now());
        var next = row != null && waits ? row.next() : BundlePolicy.NOTHING;
        return new PolicyRecord(
                now.reviewToWire(),
                now.scanToWire(secrets),
                now.requiresToWire(),
                waits && row != null
                        ? new PolicyRecord.Pending(
                                next.reviewToWire(),
                                next.scanToWire(secrets),
                                next.requiresToWire(),
                                row.nextAt(),
                                row.nextBy())
                        : null);
    }

    /// Sets a policy. Pushes that wait already are judged by the stricter of the policies at their push and at the
    /// decision.
    ///
    /// @param change what the policy asks for; other parts stay as they are
    /// @param check inspects what GET would return now, and may refuse
    /// @throws ProblemException not-found for namespaces of others; review-impossible; validation-failed if the
    /// policies of the namespace and the bundle name no reviewer in common; forbidden for restricted credentials
    public PolicyRecord set(
            ChangeOrigin origin, Place place, BundlePolicy.Change change, Consumer<PolicyRecord> check) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        return database.write(tx -> {
            own(tx, origin, place);
            check.accept(shown(tx, place));
            String namespace = place.namespace().value();
            var row = BundlePolicyRows.find(tx, namespace, place.bundle());
            var before = row.map(one -> one.at(tx.now())).orElse(BundlePolicy.NOTHING);
            var shown = new HashMap<UUID, String>();
            var next = row.filter(one -> one.nextAt() != null).map(BundlePolicyRows.Row::next);
            var known = Stream.concat(before.scanners().stream(), next.stream().flatMap(one -> one.scanners().stream()))
                    .toList();
            var policy = withSecrets(origin.organizationId(), change.on(before), known, shown);
            var approval = policy.approval();
            if (approval != null) {
                requirePossible(tx, origin.organizationId(), approval);
                requireCommon(tx, place, policy);
            }
            if (policy.isLooserThan(before)) {
                BundlePolicyRows.set(tx, namespace, place.bundle(), before);
                BundlePolicyRows.setNext(
                        tx, namespace, place.bundle(), policy, tx.now().plus(DELAY), origin.actor());
                AuditRows.record(tx, origin, "policy.loosen", place.toString(), "in a day, or when confirmed");
            } else if (!policy.isNothing()) {
                BundlePolicyRows.set(tx, namespace, place.bundle(), policy);
                AuditRows.record(tx, origin, "policy.set", place.toString());
            }
            changed(tx, place);
            OutboxRows.emit(tx, origin, place.changed());
            return shown(tx, place, shown);
        });
    }

    /// Gives new scanners secrets. Those that were there keep theirs.
    ///
    /// @param known the scanners of the policy as it is, and as it would become
    /// @param shown receives the new secrets
    private BundlePolicy withSecrets(
            UUID organization, BundlePolicy policy, List<Scanner> known, Map<UUID, String> shown) {
        var scan = policy.scan();
        if (scan == null) {
            return policy;
        }
        var scanners = scan.scanners().stream()
                .map(scanner -> !scanner.isNew()
                        ? scanner
                        : known.stream()
                                .filter(scanner::isSame)
                                .findFirst()
                                .map(same -> scanner.with(same.id(), organization, same.secret()))
                                .orElseGet(() -> registered(organization, scanner, shown)))
                .toList();
        return new BundlePolicy(policy.review(), scan.with(scanners), policy.requiresApproved());
    }

    private Scanner registered(UUID organization, Scanner scanner, Map<UUID, String> shown) {
        var id = TimeOrderedIds.next(database.now());
        var secret = secrets.generate();
        shown.put(id, secret.expose());
        return scanner.with(id, organization, secrets.seal(id, secret));
    }

    /// Makes a looser policy take effect now.
    ///
    /// @param check inspects what GET would return now, and may refuse
    /// @throws ProblemException conflict if none waits; forbidden for callers other than owners, and for who asked
    /// for it, also with a key
    public PolicyRecord confirm(ChangeOrigin origin, Place place, Consumer<PolicyRecord> check) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        return database.write(tx -> {
            own(tx, origin, place);
            var person = Reviewers.person(origin.caller());
            Members.requireOwner(tx, origin, "confirm a looser policy");
            var row = BundlePolicyRows.find(tx, place.namespace().value(), place.bundle())
                    .filter(one -> one.nextAt() != null)
                    .orElseThrow(() ->
                            new Problem.Conflict("no looser policy of " + place + " waits to take effect").raise());
            check.accept(shown(tx, place));
            if (isOf(tx, person.userId(), row.nextBy())) {
                throw new Problem.Forbidden("who asked for a looser policy cannot confirm it; another owner can, or it"
                                + " takes effect at " + row.nextAt())
                        .raise();
            }
            become(tx, row);
            AuditRows.record(tx, origin, "policy.confirm", place.toString());
            changed(tx, place);
            OutboxRows.emit(tx, origin, place.changed());
            return shown(tx, place);
        });
    }

    /// Returns whether a person is behind an actor.
    private static boolean isOf(Tx tx, UUID person, @Nullable String actor) {
        if (actor == null || !actor.startsWith("key:")) {
            return ("user:" + person).equals(actor);
        }
        return KeyLineage.person(tx, UUID.fromString(actor.substring("key:".length())))
                .filter(person::equals)
                .isPresent();
    }

    /// Writes down looser policies that have taken effect, and removes those that ended. Returns their number.
    public int applyDue() {
        return database.write(tx -> {
            var due = BundlePolicyRows.due(tx, DUE);
            due.forEach(row -> {
                become(tx, row);
                changed(tx, new Place(Namespace.parse(row.namespace()), row.bundle()));
            });
            return due.size();
        });
    }

    private static void become(Tx tx, BundlePolicyRows.Row row) {
        var next = row.next();
        if (next.isNothing()) {
            BundlePolicyRows.delete(tx, row.namespace(), row.bundle());
        } else {
            BundlePolicyRows.set(tx, row.namespace(), row.bundle(), next);
        }
    }

    private static void own(Tx tx, ChangeOrigin origin, Place place) {
        boolean isOwn = NamespaceRows.lock(tx, place.namespace())
                .filter(record -> record.organizationId().equals(origin.organizationId()))
                .isPresent();
        if (!isOwn) {
            throw new Problem.NotFound("namespace " + place.namespace() + " of this organization").raise();
        }
    }

    /// Makes every node look up the repositories of the namespace again: each says whether it is reviewed.
    private static void changed(Tx tx, Place place) {
        tx.changed(new DataChange(DataChange.Kind.NAMESPACE, place.namespace().value()));
    }

    /// Refuses a policy that nobody could ever satisfy.
    private static void requirePossible(Tx tx, UUID organization, ReviewPolicy policy) {
        Map<UUID, Role> members = MembershipRows.active(tx, organization);
        long may = members.entrySet().stream()
                .filter(member -> policy.names(member.getKey(), member.getValue()))
                .count();
        boolean isEverybody = may == members.size();
        long others = policy.excludesPublisher() && isEverybody ? may - 1 : may;
        if (others < policy.approvals()) {
            throw new Problem.ReviewImpossible(policy.approvals(), why(members.size(), may, policy)).raise();
        }
    }

    private static String why(int members, long may, ReviewPolicy policy) {
        if (members <= 1 && policy.excludesPublisher()) {
            return "the organization has " + (members == 0 ? "no person" : "one person")
                    + ", and nobody approves what they pushed themselves";
        }
        return "only " + may + " of the organization's people may give one"
                + (policy.excludesPublisher() && may == members
                        ? ", and nobody approves what they pushed themselves"
                        : "");
    }

    /// Refuses a policy that, with the other one of a bundle, leaves nobody who may approve.
    private static void requireCommon(Tx tx, Place place, BundlePolicy policy) {
        for (var other : BundlePolicyRows.others(tx, place.namespace().value(), place.bundle())) {
            var named = other.policy().review();
            var both = policy.and(other.policy()).review();
            if (named != null && both != null && both.by().isEmpty()) {
                throw Problem.invalid(
                        "range",
                        "\"by\" names nobody whom the policy of "
                                + (other.bundle().isEmpty()
                                        ? "the namespace"
                                        : other.namespace() + "/" + other.bundle())
                                + " names (" + String.join(", ", named.by())
                                + "); a version needs both, so name somebody in common");
            }
        }
    }
}
