package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.NamespaceEdit;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.NewNamespace;
import dev.sheaf.server.org.directory.NewOrganization;
import dev.sheaf.server.org.directory.Organizations;
import java.util.List;

/// Organizations and their namespaces (contract 5.5).
public final class OrganizationsApi {
    private final Organizations organizations;
    private final Namespaces namespaces;

    public OrganizationsApi(Organizations organizations, Namespaces namespaces) {
        this.organizations = organizations;
        this.namespaces = namespaces;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/organizations", RoutePermission.READ, this::mine),
                new Route(POST, "/v1/organizations", RoutePermission.READ, this::create),
                new Route(GET, "/v1/organizations/{org_id}", RoutePermission.READ, this::get),
                new Route(PATCH, "/v1/organizations/{org_id}", RoutePermission.ADMIN, this::rename),
                new Route(GET, "/v1/organizations/{org_id}/namespaces", RoutePermission.READ, this::listNamespaces),
                new Route(
                        GET,
                        "/v1/organizations/{org_id}/namespaces/{namespace}",
                        RoutePermission.READ,
                        this::getNamespace),
                new Route(
                        PATCH,
                        "/v1/organizations/{org_id}/namespaces/{namespace}",
                        RoutePermission.ADMIN,
                        this::editNamespace),
                new Route(POST, "/v1/organizations/{org_id}/namespaces", RoutePermission.ADMIN, this::createNamespace));
    }

    private Answer mine(Call call) {
        return PageRequest.of(call)
                .show((after, limit) -> organizations.mine(call.origin().caller(), after, limit), Organization::id);
    }

    private Answer create(Call call) {
        var created = organizations.create(call.origin(), call.json().to(NewOrganization::parse));
        return Answer.createdSecret(call.rawPath() + "/" + created.id(), created, created.withoutKey());
    }

    private Answer rename(Call call) {
        return Answer.ok(organizations.rename(
                call.origin(), call.json().to(NewOrganization::rename), ConditionalWrite.of(call)));
    }

    private Answer get(Call call) {
        return Answer.ok(organizations.get(call.organization()));
    }

    private Answer listNamespaces(Call call) {
        return PageRequest.of(call)
                .show(
                        (after, limit) -> namespaces.permitted(call.origin().caller(), after, limit),
                        NamespaceRecord::handle);
    }

    private Answer getNamespace(Call call) {
        return Answer.ok(namespaces.get(call.origin().caller(), call.parameter("namespace", Namespace::parse)));
    }

    private Answer editNamespace(Call call) {
        var name = call.parameter("namespace", Namespace::parse);
        return Answer.ok(
                namespaces.edit(call.origin(), name, call.json().to(NamespaceEdit::parse), ConditionalWrite.of(call)));
    }

    private Answer createNamespace(Call call) {
        var created = namespaces.create(call.origin(), call.json().to(NewNamespace::parse));
        return created.isNew()
                ? Answer.created(call.rawPath() + "/" + created.namespace().handle(), created.namespace())
                : Answer.ok(created.namespace());
    }
}
