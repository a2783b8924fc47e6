package dev.sheaf.client;

import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.CreatedOrganization;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.model.wire.org.Transfer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One organization: what it is, what it holds, and its namespaces, which it may give to another. Reading needs the
/// scope `read`, changes and transfers `admin`. Thread-safe.
public final class OrganizationCalls {
    private final Transport transport;
    private final @Nullable String named;

    OrganizationCalls(Transport transport, @Nullable String named) {
        this.transport = transport;
        this.named = named;
    }

    private record Wish(
            @Nullable String handle,
            @Nullable String name,
            @Nullable String displayName,
            @Nullable String organization) {}

    private Resource own() {
        return Resource.organization(transport, named);
    }

    public Organization show() {
        return own().get("", Organization.class);
    }

    /// What it holds, and what it may hold.
    public OrganizationUsage usage() {
        return own().get("/usage", OrganizationUsage.class);
    }

    /// Makes another organization, for administrators of the installation, or for anybody where it lets them.
    ///
    /// @return it, with its first key, whose secret is not shown again
    public CreatedOrganization create(String handle, String name) {
        return new Resource(transport, "/v1/organizations")
                .create("", new Wish(handle, name, null, null), CreatedOrganization.class);
    }

    /// Those that the caller acts for.
    public List<Organization> all() {
        return new Resource(transport, "/v1/organizations").list("", Organization.class);
    }

    /// By name.
    public List<NamespaceRecord> namespaces() {
        return own().list("/namespaces", NamespaceRecord.class);
    }

    /// Makes a namespace the organization's; one that is already stays so.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict where it is another's
    public NamespaceRecord claim(Namespace namespace, @Nullable String displayName) {
        var call = own().call("POST", "/namespaces")
                .sendingJson(
                        new Wish(namespace.value(), null, displayName == null ? namespace.value() : displayName, null))
                .expecting(200, 201);
        return transport.json(call, NamespaceRecord.class);
    }

    /// Offers a namespace to another organization. Nothing moves before that accepts.
    ///
    /// @param to its handle or id
    public Transfer offer(Namespace namespace, String to) {
        return own().create("/namespaces/" + namespace + ":transfer", new Wish(null, null, null, to), Transfer.class);
    }

    /// Namespaces that the organization gives or is given, the newest first.
    public List<Transfer> transfers() {
        return own().list("/transfers", Transfer.class);
    }

    /// Takes a namespace over that was offered, with all that is in it.
    public Transfer accept(UUID transfer) {
        return own().post("/transfers/" + transfer + ":accept", Transfer.class);
    }

    /// Does not take it.
    public Transfer decline(UUID transfer) {
        return own().post("/transfers/" + transfer + ":decline", Transfer.class);
    }

    /// Takes an offer back.
    public Transfer cancel(UUID transfer) {
        return own().post("/transfers/" + transfer + ":cancel", Transfer.class);
    }
}
