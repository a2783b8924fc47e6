package dev.sheaf.server.mcp;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.skill.Skills;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Bundles and versions that the caller may read. Thread-safe.
public final class ReadableBundles {
    private static final BundleList.Filter ALL = new BundleList.Filter(null, "");

    private final Bundles bundles;
    private final Resolve resolve;
    private final BundleList list;
    private final BundleSkills found;
    private final Skills skills;

    public ReadableBundles(Bundles bundles, Resolve resolve, BundleList list, BundleSkills found, Skills skills) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.list = list;
        this.found = found;
        this.skills = skills;
    }

    /// Returns the scope of the request's path.
    ///
    /// @throws ProblemException if the bundle or namespace does not exist for the caller: unauthenticated for
    /// anonymous callers, a not-found problem for others; those of [BundleSkills#target]
    AddressScope scope(Call call) {
        if (call.parameters().containsKey("bundle")) {
            return new AddressScope.OfBundle(target(call));
        }
        if (call.parameters().containsKey("namespace")) {
            var namespace = call.parameter("namespace", Namespace::parse);
            list.list(call.caller(), namespace, ALL, null, 1);
            return new AddressScope.OfNamespace(namespace);
        }
        return new AddressScope.All();
    }

    /// Returns the version in the path. If the bundle is hidden, callers without a credential get 401, so that
    /// programs ask their user for a credential.
    private BundleSkills.Target target(Call call) {
        try {
            return found.target(call);
        } catch (ProblemException e) {
            if (call.caller() instanceof Caller.Anonymous
                    && e.problem() instanceof Problem.BundleNotFound(RepositoryName name, String more)
                    && more.isEmpty()) {
                throw Access.hidden(call.caller(), name).raise();
            }
            throw e;
        }
    }

    Bundles bundles() {
        return bundles;
    }

    /// Returns bundles of a namespace in the order of their names, starting after `after`.
    ///
    /// @throws ProblemException those of [BundleList#list]
    List<BundleSnapshot> after(Caller caller, Namespace namespace, @Nullable String after, int limit) {
        return list.list(caller, namespace, ALL, after, limit);
    }

    /// @param version a version, a tag, a range or a digest; null for the latest
    /// @throws ProblemException those of [Bundles#read] and [Resolve#resolve]
    BundleSkills.Target version(Caller caller, RepositoryName name, @Nullable String version) {
        var question =
                version == null ? Resolve.Question.of(new VersionSelector.Default()) : Resolve.Question.parse(version);
        var answer = resolve.resolve(bundles.read(caller, name), question);
        return new BundleSkills.Target(answer, skills.of(answer.bundle(), answer.resolved()), null);
    }

    /// Returns the version; empty if the caller may not read the bundle, or the version does not exist.
    Optional<BundleSkills.Target> find(Caller caller, RepositoryName name, @Nullable String version) {
        return ProblemException.ifThere(() -> version(caller, name, version));
    }
}
