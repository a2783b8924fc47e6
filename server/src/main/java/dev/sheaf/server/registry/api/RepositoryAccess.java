package dev.sheaf.server.registry.api;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.bundle.publish.OciPush;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Finds the repository of a path and checks the access rule, before anything else is examined.
public final class RepositoryAccess {
    private final Repositories repositories;
    private final Namespaces namespaces;
    private final OciPush target;

    public RepositoryAccess(Repositories repositories, Namespaces namespaces, OciPush target) {
        this.repositories = repositories;
        this.namespaces = namespaces;
        this.target = target;
    }

    /// @throws ProblemException repository-name-invalid
    static RepositoryName name(Call call) {
        return name(call.parameter("namespace"), call.parameter("bundle"));
    }

    /// @throws ProblemException repository-name-invalid
    static RepositoryName name(String namespace, String bundle) {
        try {
            return new RepositoryName(Namespace.parse(namespace), new BundleName(bundle));
        } catch (ProblemException e) {
            throw new Problem.RepositoryNameInvalid(namespace + "/" + bundle).raise();
        }
    }

    Repository readable(Call call) {
        return readable(call, (repository, manifest) -> false);
    }

    /// Returns the repository for a request about part of it.
    ///
    /// @param holds whether that part belongs to a manifest of the repository
    Repository readable(Call call, BiPredicate<Repository, Digest> holds) {
        var name = name(call);
        var found = repositories.find(call.caller(), name).orElse(null);
        if (!isPinned(call.caller(), name)) {
            challenge(call.caller(), name, found);
        }
        return Access.readPart(
                call.caller(), name, found, manifest -> holds.test(Objects.requireNonNull(found), manifest));
    }

    /// Returns the repository as [#readable] does. Empty if it is missing, or hidden from a caller with a
    /// credential: both get the same empty answer. If the holder could get an access token for the name, the
    /// caller must get it first.
    Optional<Repository> readableOrNone(Call call) {
        var name = name(call);
        var found = repositories.find(call.caller(), name);
        boolean sees = found.filter(repository -> Access.sees(call.caller(), repository))
                .isPresent();
        // checked for hidden repositories too, so that they take as long as missing ones
        challenge(call.caller(), name, found.orElse(null));
        if (!sees && call.caller() instanceof Caller.Known) {
            return Optional.empty();
        }
        return Optional.of(Access.read(call.caller(), name, found.orElse(null)));
    }

    /// Returns the repository to mount a blob from; empty if the caller may not read it. If the holder could
    /// get an access token for the name, the caller must get it first, even if the repository does not exist.
    /// Otherwise the client would upload existing content, and a token must not reveal anything outside its
    /// scope.
    Optional<Repository> mountable(Call call, RepositoryName from) {
        var found = repositories.find(call.caller(), from);
        var readable = found.filter(repository -> Access.mayRead(call.caller(), repository));
        challenge(call.caller(), from, found.orElse(null));
        return readable;
    }

    private void challenge(Caller caller, RepositoryName name, @Nullable Repository found) {
        if (found == null || !Access.mayRead(caller, found)) {
            challenge(caller, name, namespaces);
        }
    }

    /// Refuses an access token of the namespace's owner that was not issued for the repository, so that the client
    /// asks for one. A missing repository gets the same answer as a private one.
    static void challenge(Caller caller, RepositoryName name, Namespaces namespaces) {
        if (namespaces
                .find(name.namespace(), namespace -> Access.owns(caller, namespace.organizationId(), name))
                .isPresent()) {
            Access.granted(caller, name, Grant.Action.PULL);
        }
    }

    private static boolean isPinned(Caller caller, RepositoryName name) {
        return caller instanceof Caller.Known known
                && known.grant().pinned(name).isPresent();
    }

    Repository writable(Call call) {
        var name = name(call);
        var found = repositories.find(call.caller(), name).orElse(null);
        challenge(call.caller(), name, found);
        return Access.write(call.caller(), name, found);
    }

    /// Returns whether a caller who may push sent HEAD. A client that checks for content before a push relies
    /// on the answer.
    boolean isAskedByPusher(Call call, Repository repository) {
        return call.isHead() && Access.mayWrite(call.caller(), repository);
    }

    /// Refuses a caller early who could not delete under this name.
    void mayDelete(Call call, RepositoryName name) {
        var found = repositories.find(call.caller(), name).orElse(null);
        challenge(call.caller(), name, found);
        Access.delete(call.caller(), name, found);
    }

    /// Returns the repository for the first request of a push, and creates it if the name is free.
    Repository opened(Call call) {
        var name = name(call);
        return mayPush(call, name) ? writable(call) : target.open(call.origin(), name);
    }

    /// Refuses a caller early who could not push under this name. Returns whether the repository exists.
    boolean mayPush(Call call, RepositoryName name) {
        var found = repositories.find(call.caller(), name);
        if (found.filter(repository -> Access.sees(call.caller(), repository)).isEmpty()) {
            Namespaces.mayClaim(call.caller(), name, namespaces.owner(name.namespace()));
        }
        if (found.isPresent()) {
            challenge(call.caller(), name, found.get());
            Access.write(call.caller(), name, found.get());
        } else {
            Access.granted(call.caller(), name, Grant.Action.PUSH);
        }
        return found.isPresent();
    }
}
