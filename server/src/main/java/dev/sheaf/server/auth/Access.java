package dev.sheaf.server.auth;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.key.Scope;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The one rule of who sees and changes what (contract 1.4). Everything that shows or changes a bundle or a
/// repository asks here; what is missing and what is hidden give the same answer.
public final class Access {
    private Access() {}

    /// What the rule looks at.
    public interface Target {
        RepositoryName name();

        UUID organizationId();

        Visibility visibility();
    }

    /// True where the caller may see the target.
    public static boolean sees(Caller caller, Target target) {
        return target.visibility() == Visibility.PUBLIC || owns(caller, target);
    }

    private static boolean owns(Caller caller, Target target) {
        return owns(caller, target.organizationId(), target.name());
    }

    /// True where the caller acts for the organization and may use the name.
    public static boolean owns(Caller caller, UUID organizationId, RepositoryName name) {
        return caller instanceof Caller.Known known && known.owns(organizationId, name);
    }

    /// The target, where the caller may read it.
    ///
    /// @param target null: there is none
    /// @throws ProblemException unauthenticated for anonymous, bundle-not-found for others: the same for missing
    /// and hidden
    public static <T extends Target> T read(Caller caller, RepositoryName name, @Nullable T target) {
        if (target == null || !sees(caller, target)) {
            throw hidden(caller, name).raise();
        }
        if (target.visibility() == Visibility.PRIVATE) {
            granted(caller, name, Grant.Action.PULL);
        }
        return target;
    }

    /// The target, where the caller may read it, or that part of it that is asked for.
    ///
    /// @param holds whether what is asked for belongs to a manifest: of a token for one manifest, to that
    /// @throws ProblemException as [#read]
    public static <T extends Target> T readPart(
            Caller caller, RepositoryName name, @Nullable T target, Predicate<Digest> holds) {
        if (target != null
                && sees(caller, target)
                && caller instanceof Caller.Known known
                && known.grant().pinned(name).filter(holds).isPresent()) {
            return target;
        }
        return read(caller, name, target);
    }

    /// The target, where it is public: what discovery shows to everybody alike, its owner included.
    ///
    /// @throws ProblemException bundle-not-found, the same for missing and hidden
    public static <T extends Target> T everybody(RepositoryName name, @Nullable T target) {
        if (target == null || !sees(Caller.ANONYMOUS, target)) {
            throw new Problem.BundleNotFound(name, "").raise();
        }
        return target;
    }

    /// The target, where the caller may change it.
    ///
    /// @throws ProblemException as [#read]; not-owner where it is public and another organization's
    public static <T extends Target> T write(Caller caller, RepositoryName name, @Nullable T target) {
        T seen = read(caller, name, target);
        mayChange(caller, seen, Grant.Action.PUSH);
        return seen;
    }

    /// The target, where the caller may delete from it.
    ///
    /// @throws ProblemException as [#write]
    public static <T extends Target> T delete(Caller caller, RepositoryName name, @Nullable T target) {
        T seen = read(caller, name, target);
        mayChange(caller, seen, Grant.Action.DELETE);
        return seen;
    }

    /// True where [#read] would let the caller pass.
    public static boolean mayRead(Caller caller, Target target) {
        return sees(caller, target)
                && (target.visibility() == Visibility.PUBLIC || allows(caller, target.name(), Grant.Action.PULL));
    }

    /// True where the target belongs in a list for the caller: an access token lists what it may read, and the rest
    /// where it was made for the catalog.
    public static boolean lists(Caller caller, Target target) {
        return mayRead(caller, target)
                || (sees(caller, target)
                        && caller instanceof Caller.Known known
                        && known.grant().allowsCatalog());
    }

    /// True where [#write] would let the caller pass.
    public static boolean mayWrite(Caller caller, Target target) {
        return mayRead(caller, target)
                && owns(caller, target)
                && caller instanceof Caller.Known known
                && known.scope().includes(Scope.WRITE)
                && known.restrictions().jobs().uses().isEmpty()
                && allows(caller, target.name(), Grant.Action.PUSH);
    }

    private static boolean allows(Caller caller, RepositoryName name, Grant.Action action) {
        return !(caller instanceof Caller.Known known) || known.grant().allows(name, action);
    }

    private static void mayChange(Caller caller, Target target, Grant.Action action) {
        if (!owns(caller, target)) {
            throw (caller instanceof Caller.Anonymous
                            ? Authenticator.missing()
                            : new Problem.NotOwner("bundle " + target.name()))
                    .raise();
        }
        scope(caller, Scope.WRITE);
        granted(caller, target.name(), action);
    }

    /// Refuses an access token that was not made for the action.
    public static void granted(Caller caller, RepositoryName name, Grant.Action action) {
        if (!allows(caller, name, action)) {
            throw new Problem.GrantMissing(name, action == Grant.Action.PULL ? "pull" : "pull," + action).raise();
        }
    }

    /// Refuses a caller whose credential lacks the scope, or who has none.
    public static Caller.Known scope(Caller caller, Scope needed) {
        return scope(caller, needed, "");
    }

    /// The same for what a key that is confined to uses may do as well.
    ///
    /// @param use which of them it is; empty: none
    public static Caller.Known scope(Caller caller, Scope needed, String use) {
        return switch (caller) {
            case Caller.Anonymous ignored -> throw Authenticator.missing().raise();
            case Caller.Known known -> {
                if (!known.scope().includes(needed)) {
                    throw new Problem.ScopeMissing(needed).raise();
                }
                var uses = known.restrictions().jobs().uses();
                if (needed != Scope.READ && !uses.isEmpty() && !uses.contains(use)) {
                    throw new Problem.Forbidden("this key is confined to jobs (uses: " + String.join(", ", uses)
                                    + "); use another key for this")
                            .raise();
                }
                yield known;
            }
        };
    }

    /// Refuses a token that was handed on to a program: it makes no keys, and changes no members and no
    /// webhooks (contract 5.3).
    public static void inPerson(Caller.Known caller) {
        if (!caller.grant().equals(Grant.ALL)) {
            throw new Problem.Forbidden(
                            "an access token makes no keys and changes no members and no webhooks; use an API key, or sign"
                                    + " in")
                    .raise();
        }
    }

    /// Refuses a credential that is good for a part of its organization only, where all of it is concerned.
    public static void unrestricted(Caller.Known caller) {
        if (!caller.restrictions().equals(Restrictions.NONE)) {
            throw partial();
        }
    }

    /// Refuses to tell sums and lists of a whole organization to a credential that is confined to namespaces or
    /// bundles: it would learn of what it may not see. Where it may be used from does not matter.
    public static void whole(Caller.Known caller) {
        if (caller.restrictions().isPart()) {
            throw partial();
        }
    }

    private static ProblemException partial() {
        return new Problem.Forbidden(
                        "this concerns the whole organization, and this credential is restricted to a part of it")
                .raise();
    }

    /// Refuses a caller who does not look after the whole installation. That takes an admin key itself, since a
    /// token made from it is for repositories, and one that is not restricted to some of them.
    ///
    /// @param first the organization that the installation began with
    public static void administrator(Caller.Known caller, UUID first) {
        scope(caller, Scope.ADMIN);
        if (!caller.organizationId().equals(first)
                || !caller.restrictions().equals(Restrictions.NONE)
                || !caller.grant().equals(Grant.ALL)) {
            throw new Problem.NotAdministrator().raise();
        }
    }

    /// What a caller is told about a namespace in which it may see nothing, and about one that does not exist.
    public static Problem hidden(Caller caller, Namespace name) {
        return switch (caller) {
            case Caller.Anonymous ignored -> credentialsNeeded("namespace " + name);
            case Caller.Known ignored ->
                new Problem.NotFound("namespace " + name + ", or anything in it that this credential may see,");
        };
    }

    /// What a caller is told about something it may not see, and about what does not exist.
    public static Problem hidden(Caller caller, RepositoryName name) {
        return switch (caller) {
            case Caller.Anonymous ignored -> credentialsNeeded("bundle " + name);
            case Caller.Known ignored -> new Problem.BundleNotFound(name, "");
        };
    }

    private static Problem credentialsNeeded(String name) {
        return new Problem.Unauthenticated(
                Problem.CredentialFault.MISSING, name + " does not exist or needs credentials" + Authenticator.HOW);
    }
}
