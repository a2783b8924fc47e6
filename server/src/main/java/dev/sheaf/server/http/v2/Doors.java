package dev.sheaf.server.http.v2;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.bundle.OciPush;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;

/// Finds the repository of a path and asks the access rule, before anything else is looked at.
final class Doors {
    private final Repositories repositories;
    private final OciPush target;

    Doors(Repositories repositories, OciPush target) {
        this.repositories = repositories;
        this.target = target;
    }

    /// @throws ProblemException repository-name-invalid
    static RepositoryName name(Call call) {
        return name(call.parameter("namespace"), call.parameter("bundle"));
    }

    /// @throws ProblemException repository-name-invalid
    static RepositoryName name(String namespace, String bundle) {
        try {
            return new RepositoryName(Namespace.parse(namespace), BundleName.parse(bundle));
        } catch (ProblemException e) {
            throw new Problem.RepositoryNameInvalid(namespace + "/" + bundle).raise();
        }
    }

    Repository readable(Call call) {
        var name = name(call);
        return Access.read(call.caller(), name, repositories.find(name));
    }

    Repository writable(Call call) {
        var name = name(call);
        return Access.write(call.caller(), name, repositories.find(name));
    }

    /// The repository that a push begins with, made where the name is free.
    Repository opened(Call call) {
        var name = name(call);
        return mayPush(call, name) ? writable(call) : target.open(call.origin(), name);
    }

    /// Refuses early who could not push under the name; true where the repository is there already.
    boolean mayPush(Call call, RepositoryName name) {
        var found = repositories.find(name);
        if (found.isPresent()) {
            Access.write(call.caller(), name, found);
        } else {
            Access.granted(call.caller(), name, Grant.Action.PUSH);
        }
        return found.isPresent();
    }
}
