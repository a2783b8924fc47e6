package dev.sheaf.server.identity.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.key.Identity;
import dev.sheaf.model.wire.key.RunnerIdentity;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.directory.Organizations;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Returns who the caller is and what it may do (contract 5.4).
public final class MeApi {
    /// Shown only to callers with a credential; to others it would mainly help an attack.
    private static final String VERSION =
            Objects.requireNonNullElse(MeApi.class.getPackage().getImplementationVersion(), "development");

    private final Organizations organizations;
    private final Namespaces namespaces;
    private final Function<UUID, Optional<Identity.Person>> people;

    /// @param people finds the person with a user's id; if it finds none, the session's e-mail address is shown
    public MeApi(Organizations organizations, Namespaces namespaces, Function<UUID, Optional<Identity.Person>> people) {
        this.organizations = organizations;
        this.namespaces = namespaces;
        this.people = people;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/publisher/me", RoutePermission.READ, this::publisher),
                new Route(GET, "/v1/runner/me", RoutePermission.READ, this::runner),
                new Route(GET, "/v1/me", RoutePermission.READ, this::all));
    }

    private Answer publisher(Call call) {
        var caller = call.origin().caller();
        var credential = caller.credential();
        return Answer.ok(new Identity(
                credential.type(),
                credential.id(),
                credential.name(),
                user(credential),
                organizations
                        .of(caller)
                        .map(owner -> new Identity.Owner(owner.id(), owner.name()))
                        .orElse(null),
                writable(caller)));
    }

    private Answer runner(Call call) {
        var caller = call.origin().caller();
        var credential = caller.credential();
        var organization = organizations.of(caller);
        return Answer.ok(new RunnerIdentity(
                credential.type(),
                credential.id(),
                credential.name(),
                credential.id(),
                organization.map(Organization::id).orElse(null),
                organization.map(Organization::name).orElse(null)));
    }

    private Answer all(Call call) {
        var caller = call.origin().caller();
        var credential = caller.credential();
        var key = credential instanceof Credential.Key found ? Optional.of(found) : Optional.<Credential.Key>empty();
        return Answer.ok(new Me(
                credential.type(),
                credential.id(),
                credential.name(),
                key.map(Credential.Key::hint).orElse(null),
                user(credential),
                organizations
                        .of(caller)
                        .map(owner -> new Me.Owner(owner.id(), owner.handle(), owner.name()))
                        .orElse(null),
                writable(caller),
                credential.id(),
                caller.scope().toString(),
                included(caller.scope()),
                caller.restrictions().toWire(),
                caller.grant().equals(Grant.ALL) ? "all" : "delegated",
                caller.endsAt(),
                key.map(Credential.Key::endsAt).orElse(null),
                new Me.RateLimit("credential", limits(call)),
                VERSION));
    }

    private static List<Me.Limit> limits(Call call) {
        return call.standings().stream()
                .map(now -> new Me.Limit(
                        now.policy().name(), now.policy().quota(), now.policy().windowSeconds(), now.remaining()))
                .toList();
    }

    private static List<String> included(Scope scope) {
        return Arrays.stream(Scope.values())
                .filter(scope::includes)
                .map(Scope::toString)
                .toList();
    }

    private Identity.@Nullable Person user(Credential credential) {
        return credential instanceof Credential.Session session
                ? people.apply(session.userId()).orElseGet(() -> new Identity.Person(session.name(), null))
                : null;
    }

    private List<Identity.Writable> writable(Caller.Known caller) {
        return caller.scope().includes(Scope.WRITE)
                        && caller.restrictions().jobs().uses().isEmpty()
                ? namespaces.permitted(caller).stream()
                        .map(record -> new Identity.Writable(record.handle(), record.displayName()))
                        .toList()
                : List.of();
    }
}
