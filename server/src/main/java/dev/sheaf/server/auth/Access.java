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

/// The single access rule: who may see and change what (contract 1.4). All code that shows or changes a bundle or
/// a repository asks here. Missing and hidden targets give the same answer.
public final class Access {
    private Access() {}

    /// The properties of a bundle or repository that the rule needs.
    public interface Target {
        RepositoryName name();

        UUID organizationId();

        Visibility visibility();
    }

    /// Returns whether the caller may see the target.
    public static boolean sees(Caller caller, Target target) {
        return target.visibility() == Visibility.PUBLIC || owns(caller, target);
    }

    private static boolean owns(Caller caller, Target target) {
        return owns(caller, target.organizationId(), target.name());
    }

    /// Returns whether the caller acts for the organization and its restrictions permit the name.
    public static boolean owns(Caller caller, UUID organizationId, RepositoryName name) {
        return caller instanceof Caller.Known known && known.owns(organizationId, name);
    }

    /// Returns the target if the caller may read it.
    ///
    /// @param target null if it does not exist
    /// @throws ProblemException unauthenticated for anonymous callers, bundle-not-found for others; the same for
    /// missing and hidden
    public static <T extends Target> T read(Caller caller, RepositoryName name, @Nullable T target) {
        if (target == null || !mayRead(caller, target)) {
            throw hidden(caller, name).raise();
        }
        return target;
    }

    /// Returns the target if the caller may read it, or may read the requested part of it.
    ///
    /// @param holds returns whether the requested content belongs to a manifest; called only for a token that
    ///     is limited to one manifest
    /// @throws ProblemException those of [#read]
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

    /// Returns the target if it is public. Discovery shows everyone the same, including the owner.
    ///
    /// @throws ProblemException bundle-not-found, the same for missing and hidden
    public static <T extends Target> T everybody(RepositoryName name, @Nullable T target) {
        if (target == null || !sees(Caller.ANONYMOUS, target)) {
            throw new Problem.BundleNotFound(name, "").raise();
        }
        return target;
    }

    /// Returns the target if the caller may change it.
    ///
    /// @throws ProblemException those of [#read]; not-owner if it is public and belongs to another organization
    public static <T extends Target> T write(Caller caller, RepositoryName name, @Nullable T target) {
        T seen = read(caller, name, target);
        mayChange(caller, seen, Grant.Action.PUSH);
        return seen;
    }

    /// Returns the target if the caller may delete from it.
    ///
    /// @throws ProblemException those of [#write]
    public static <T extends Target> T delete(Caller caller, RepositoryName name, @Nullable T target) {
        T seen = read(caller, name, target);
        mayChange(caller, seen, Grant.Action.DELETE);
        return seen;
    }

    /// Returns whether [#read] would succeed.
    public static boolean mayRead(Caller caller, Target target) {
        return sees(caller, target)
                && (target.visibility() == Visibility.PUBLIC || allows(caller, target.name(), Grant.Action.PULL));
    }

    /// Returns whether the target belongs in a list for the caller. An access token lists what it may read, and
    /// with the catalog action everything that its credential sees.
    public static boolean lists(Caller caller, Target target) {
        return mayRead(caller, target)
                || (sees(caller, target)
                        && caller instanceof Caller.Known known
                        && known.grant().allowsCatalog());
    }

    /// Returns whether a blob may be mounted from the target by a request that names no source. The key behind a token
    /// of the registry decides: a client asks for the target's scope alone, because it knows no source.
    public static boolean mayMount(Caller caller, Target target) {
        return sees(caller, target)
                && (!(caller instanceof Caller.Known known)
                        || known.grant().part().allows(target.name(), Grant.Action.PULL));
    }

    /// Returns whether the caller may name the target in something that others read. As with [#mayMount], the key
    /// behind
    /// a token of the registry decides, because a client asks for the scope of what it pushes alone.
    public static boolean mayRequire(Caller caller, Target target) {
        return mayMount(caller, target);
    }

    /// Returns whether [#write] would succeed.
    public static boolean mayWrite(Caller caller, Target target) {
        return mayRead(caller, target)
                && owns(caller, target)
                && caller instanceof Caller.Known known
                && known.scope().includes(Scope.WRITE)
                && known.restrictions().jobs().uses().isEmpty()
                && allows(caller, target.name(), Grant.Action.PUSH);
    }

    /// Returns whether the caller may read recalled content of the target: an admin of its organization.
    public static boolean mayReadRecalled(Caller caller, Target target) {
        return mayRead(caller, target)
                && owns(caller, target)
                && caller instanceof Caller.Known known
                && known.scope().includes(Scope.ADMIN)
                && allows(caller, target.name(), Grant.Action.PULL);
    }

    private static boolean allows(Caller caller, RepositoryName name, Grant.Action action) {
        return !(caller instanceof Caller.Known known) || known.grant().allows(name, action);
    }

    private static void mayChange(Caller caller, Target target, Grant.Action action) {
        if (!owns(caller, target)) {
            throw (caller instanceof Caller.Known known
                            ? new Problem.NotOwner(
                                    "bundle " + target.name(),
                                    known.organizationId().equals(target.organizationId()))
                            : Authenticator.missing())
                    .raise();
        }
        scope(caller, Scope.WRITE);
        granted(caller, target.name(), action);
    }

    /// Refuses an access token that was not issued for the action.
    public static void granted(Caller caller, RepositoryName name, Grant.Action action) {
        if (!allows(caller, name, action)) {
            throw new Problem.GrantMissing(name, action == Grant.Action.PULL ? "pull" : "pull," + action).raise();
        }
    }

    /// Refuses a caller without a credential or without the scope.
    public static Caller.Known scope(Caller caller, Scope needed) {
        return scope(caller, needed, "");
    }

    /// Refuses as [#scope(Caller, Scope)], except that a key confined to uses may also do what one of its uses
    /// covers.
    ///
    /// @param use the use that covers the action; empty if no use does
    public static Caller.Known scope(Caller caller, Scope needed, String use) {
        return switch (caller) {
            case Caller.Anonymous ignored -> throw Authenticator.missing().raise();
            case Caller.Known known -> {
                if (!known.scope().includes(needed)) {
                    throw new Problem.ScopeMissing(needed).raise();
                }
                var uses = known.restrictions().jobs().uses();
                if (needed != Scope.READ && !uses.isEmpty() && !uses.contains(use)) {
                    throw new Problem.Forbidden(JobUses.refusal(uses, use)).raise();
                }
                yield known;
            }
        };
    }

    /// Refuses an access token that was delegated to a program, such as that of `sheaf login` (contract 5.3).
    public static void inPerson(Caller.Known caller) {
        if (!caller.grant().equals(Grant.ALL)) {
            throw new Problem.Forbidden(
                            "an access token, such as that of sheaf login, may not do this; use an API key with the"
                                    + " scope admin, or do it in the console")
                    .raise();
        }
    }

    /// Refuses a credential that is restricted in any way, for actions that concern the whole organization.
    public static void unrestricted(Caller.Known caller) {
        if (!caller.restrictions().equals(CredentialRestrictions.NONE)) {
            throw partial();
        }
    }

    /// Refuses to show totals and lists of a whole organization to a credential that is confined to some
    /// namespaces or bundles, because they would reveal what it may not see. Restrictions of the client address do
    /// not matter.
    public static void whole(Caller.Known caller) {
        if (caller.restrictions().isPart()) {
            throw partial();
        }
    }

    private static ProblemException partial() {
        return new Problem.Forbidden(
                        "this request needs access to the whole organization, but this credential is restricted"
                                + " to a part of it; use an unrestricted one")
                .raise();
    }

    /// Refuses a caller who does not administer the installation. An administrator sends an unrestricted admin
    /// key itself, because a token issued for it is only for repositories.
    ///
    /// @param first the organization that was created with the installation
    public static void administrator(Caller.Known caller, UUID first) {
        scope(caller, Scope.ADMIN);
        if (!isAdministrator(caller, first)) {
            throw new Problem.NotAdministrator().raise();
        }
    }

    /// Returns whether a caller administers the installation.
    public static boolean isAdministrator(Caller.Known caller, UUID first) {
        return caller.scope().includes(Scope.ADMIN)
                && caller.organizationId().equals(first)
                && caller.restrictions().equals(CredentialRestrictions.NONE)
                && caller.grant().equals(Grant.ALL);
    }

    /// Returns the problem for a namespace in which the caller may see nothing. A missing namespace gets the
    /// same answer.
    public static Problem hidden(Caller caller, Namespace name) {
        return switch (caller) {
            case Caller.Anonymous ignored -> credentialsNeeded("namespace " + name);
            case Caller.Known ignored ->
                new Problem.NotFound("namespace " + name + " with content that this credential may see");
        };
    }

    /// Returns the problem for a bundle that the caller may not see. A missing bundle gets the same answer.
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
