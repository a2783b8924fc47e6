package dev.sheaf.client;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.CreatedOrganization;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.model.wire.org.UsageReportEntry;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One organization: its usage, its namespaces, and their transfer to other organizations. Reading needs the scope
/// `read`, changes and transfers need `admin`. Thread-safe.
public final class OrganizationCalls {
    private final RegistryTransport transport;
    private final @Nullable String named;

    OrganizationCalls(RegistryTransport transport, @Nullable String named) {
        this.transport = transport;
        this.named = named;
    }

    private record Wish(
            @Nullable String handle,
            @Nullable String name,
            @Nullable String displayName,
            @Nullable String organization) {}

    private ApiResource own() {
        return ApiResource.organization(transport, named);
    }

    /// Returns the organization.
    public Organization show() {
        return own().get("", Organization.class);
    }

    /// Returns the organization's usage and quota.
    public OrganizationUsage usage() {
        return own().get("/usage", OrganizationUsage.class);
    }

    /// Lists of the report on the use of an organization's bundles.
    public enum UsageList {
        /// Bundles that nobody pulled in 90 days.
        UNUSED_BUNDLES,
        /// Versions that nobody pulled in 90 days.
        UNUSED_VERSIONS,
        /// Versions that were pulled in the last 30 days although they should not be used.
        OLD_VERSIONS;

        /// Returns the name on the wire.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// Returns what of the organization's bundles is not used, or should not be, by name. Needs the scope `admin`.
    ///
    /// @param most the maximum number of entries, at least 1
    public List<UsageReportEntry> usageReport(UsageList list, int most) {
        return own().list("/usage-report?list=" + list, UsageReportEntry.class, most);
    }

    /// Creates another organization. Needs an administrator of the installation, unless the installation lets
    /// everyone create organizations.
    ///
    /// @return the organization with its first key, whose secret is not shown again
    public CreatedOrganization create(String handle, String name) {
        return new ApiResource(transport, "/v1/organizations")
                .create("", new Wish(handle, name, null, null), CreatedOrganization.class);
    }

    /// Returns the organizations for which the caller can act.
    public List<Organization> all() {
        return new ApiResource(transport, "/v1/organizations").list("", Organization.class);
    }

    /// Returns the namespaces, ordered by name.
    public List<NamespaceRecord> namespaces() {
        return own().list("/namespaces", NamespaceRecord.class);
    }

    /// Claims a namespace for the organization. Also succeeds if the organization already owns it.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if it belongs to another organization
    public NamespaceRecord claim(Namespace namespace, @Nullable String displayName) {
        var call = own().call("POST", "/namespaces")
                .sendingJson(
                        new Wish(namespace.value(), null, displayName == null ? namespace.value() : displayName, null))
                .expecting(200, 201);
        return transport.json(call, NamespaceRecord.class);
    }

    /// Offers a namespace to another organization. It moves when that organization accepts.
    ///
    /// @param to the handle or id of the other organization
    public Transfer offer(Namespace namespace, String to) {
        return own().create("/namespaces/" + namespace + ":transfer", new Wish(null, null, null, to), Transfer.class);
    }

    /// Returns the transfers from and to the organization, newest first.
    public List<Transfer> transfers() {
        return own().list("/transfers", Transfer.class);
    }

    /// Accepts an offered namespace with everything in it.
    public Transfer accept(UUID transfer) {
        return own().post("/transfers/" + transfer + ":accept", Transfer.class);
    }

    /// Declines an offer.
    public Transfer decline(UUID transfer) {
        return own().post("/transfers/" + transfer + ":decline", Transfer.class);
    }

    /// Cancels an offer that this organization made.
    public Transfer cancel(UUID transfer) {
        return own().post("/transfers/" + transfer + ":cancel", Transfer.class);
    }
}
