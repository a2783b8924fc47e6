package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Role;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.LiveSessionRows;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.org.member.MembershipRows;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/// Who may see what waits for approval, and who may decide.
public final class Reviewers {
    private static final Duration PROOF = Duration.ofHours(12);

    private Reviewers() {}

    /// Returns the person who has signed in, here or on a device that may write.
    ///
    /// @throws ProblemException review-needs-person for keys, runs of workflows, and tokens that were exchanged for
    /// others
    public static Credential.Session person(Caller.Known caller) {
        boolean isExchanged = caller.tokens().size() > 1;
        if (caller.credential() instanceof Credential.Session session && !isExchanged && isWhole(caller.grant())) {
            return session;
        }
        throw new Problem.ReviewNeedsPerson().raise();
    }

    private static boolean isWhole(Grant grant) {
        return switch (grant) {
            case Grant.Unlimited ignored -> true;
            case Grant.Delegated device ->
                device.scope().includes(Scope.WRITE) && device.restrictions().equals(CredentialRestrictions.NONE);
            case Grant.Limited ignored -> false;
        };
    }

    /// Returns whether the caller may read what waits in a repository: everybody who may push to it, and people who
    /// may approve.
    public static boolean mayRead(Database database, Caller caller, Access.Target target) {
        return Access.mayWrite(caller, target) || database.read(tx -> mayRead(tx, caller, target));
    }

    public static boolean mayRead(Tx tx, Caller caller, Access.Target target) {
        return Access.mayWrite(caller, target)
                || (Access.mayRead(caller, target)
                        && Access.owns(caller, target.organizationId(), target.name())
                        && caller instanceof Caller.Known known
                        && known.credential() instanceof Credential.Session session
                        && BundlePolicies.approval(tx, target.name())
                                .filter(policy -> mayApprove(tx, known.organizationId(), policy, session.userId()))
                                .isPresent());
    }

    /// Returns the person who has signed in, in the console and not by a program.
    ///
    /// @throws ProblemException review-needs-person; forbidden for tokens of programs
    public static Credential.Session inConsole(Caller.Known caller) {
        var person = person(caller);
        if (!caller.grant().equals(Grant.ALL)) {
            throw new Problem.Forbidden("an override needs a sign-in in the console, and this is a token of a program;"
                            + " open the page of the review")
                    .raise();
        }
        return person;
    }

    /// Refuses a person who may not override the approvals that a push lacks: only owners may, whom no API
    /// key made that less than a day ago, with a recent sign-in.
    ///
    /// @throws ProblemException forbidden
    public static void requireOwner(Tx tx, ChangeOrigin origin, Credential.Session person) {
        Members.requireOwner(tx, origin, "publish a version without its approvals");
        barOfAll(tx, origin.organizationId(), person).ifPresent(bar -> {
            throw new Problem.Forbidden(words(bar)).raise();
        });
    }

    /// Returns whether a person may override the approvals that a push lacks.
    public static boolean mayOverride(Tx tx, UUID organization, Credential.Session person) {
        return MembershipRows.activeRole(tx, organization, person.userId())
                        .filter(Role.OWNER::equals)
                        .isPresent()
                && barOfAll(tx, organization, person).isEmpty();
    }

    /// Returns whether a policy lets a member approve.
    public static boolean mayApprove(Tx tx, UUID organization, ReviewPolicy policy, UUID person) {
        return MembershipRows.activeRole(tx, organization, person)
                .filter(role -> policy.names(person, role))
                .isPresent();
    }

    /// Why a person may not decide on a push.
    public enum Bar {
        /// Its policy does not name them.
        NOT_NAMED,
        /// They pushed it.
        OWN,
        /// An API key made them a member, or gave them their role, less than a day ago: else a stolen key could make
        /// its own reviewer.
        NEW,
        /// They signed in too long ago.
        OLD_SIGN_IN
    }

    /// Returns why a person may not decide on a push; empty if they may.
    ///
    /// @param needs what the push needs
    public static Optional<Bar> bar(
            Tx tx, UUID organization, Review review, ReviewPolicy needs, Credential.Session person) {
        if (!mayApprove(tx, organization, needs, person.userId())) {
            return Optional.of(Bar.NOT_NAMED);
        }
        if (needs.excludesPublisher() && person.userId().equals(review.pusher())) {
            return Optional.of(Bar.OWN);
        }
        return barOfAll(tx, organization, person);
    }

    /// Returns why a person may decide on no push.
    private static Optional<Bar> barOfAll(Tx tx, UUID organization, Credential.Session person) {
        if (MembershipRows.isNewByKey(tx, organization, person.userId())) {
            return Optional.of(Bar.NEW);
        }
        return LiveSessionRows.isSignedInSince(tx, person.id(), tx.now().minus(PROOF))
                ? Optional.empty()
                : Optional.of(Bar.OLD_SIGN_IN);
    }

    /// Refuses a person who may not decide on a push.
    ///
    /// @param needs what the push needs
    /// @throws ProblemException forbidden
    public static void requireApprover(
            Tx tx, ChangeOrigin origin, Review review, ReviewPolicy needs, Credential.Session person) {
        bar(tx, origin.organizationId(), review, needs, person).ifPresent(bar -> {
            throw new Problem.Forbidden(
                            switch (bar) {
                                case NOT_NAMED ->
                                    "only these may decide on " + review.subject() + ": "
                                            + (needs.by().isEmpty()
                                                    ? "nobody any more; withdraw it"
                                                    : String.join(", ", needs.by()));
                                default -> words(bar);
                            })
                    .raise();
        });
    }

    private static String words(Bar bar) {
        return switch (bar) {
            case NOT_NAMED -> "the policy does not name you";
            case OWN -> "nobody decides on what they pushed themselves; ask somebody else, or withdraw it";
            case NEW ->
                "an API key gave you your role less than a day ago; you may decide a day after that,"
                        + " or once a person has given you a role";
            case OLD_SIGN_IN ->
                "decisions on reviews need a sign-in within the last " + PROOF.toHours() + " hours; sign in again";
        };
    }

    /// Returns whether a caller pushed it or is an admin, and so may withdraw it.
    public static boolean mayWithdraw(Tx tx, Caller.Known caller, Review review) {
        return caller.scope().includes(Scope.ADMIN)
                || caller.actor().equals(review.pushedBy())
                || HeldPushes.person(tx, caller.credential())
                        .filter(person -> person.equals(review.pusher()))
                        .isPresent();
    }

    /// Refuses a caller who neither pushed it nor is an admin.
    ///
    /// @throws ProblemException forbidden
    public static void requirePublisher(Tx tx, ChangeOrigin origin, Review review) {
        if (!mayWithdraw(tx, origin.caller(), review)) {
            throw new Problem.Forbidden("only who pushed " + review.subject() + " or an admin can withdraw it").raise();
        }
    }
}
