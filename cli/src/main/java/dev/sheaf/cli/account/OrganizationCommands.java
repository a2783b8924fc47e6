package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.OrganizationCalls;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.CreatedOrganization;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.model.wire.org.UsageReportEntry;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf org`: an organization, its namespaces, and their transfer to another organization.
public final class OrganizationCommands {
    private static final int MOST_ENTRIES = 10_000;

    private OrganizationCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(connections, "org", "Shows an organization and its usage; manages its namespaces.")
                .add(OrganizationCommands::show)
                .add(OrganizationCommands::create)
                .add(OrganizationCommands::usage)
                .add(OrganizationCommands::report)
                .add(OrganizationCommands::namespaces)
                .add(OrganizationCommands::claim)
                .add(OrganizationCommands::transfer)
                .add(OrganizationCommands::transfers)
                .add(connection -> end(
                        connection,
                        "accept",
                        "Accepts an offered namespace, with everything in it.",
                        "take over",
                        OrganizationCalls::accept))
                .add(connection -> end(
                        connection, "decline", "Declines an offered namespace.", "decline", OrganizationCalls::decline))
                .add(connection -> end(
                        connection,
                        "cancel",
                        "Cancels an offer of a namespace.",
                        "cancel the offer of",
                        OrganizationCalls::cancel));
    }

    private static ResourceCommand<OrganizationCalls> organization(
            Connection connection, String name, String description) {
        return ResourceCommand.ofOrganization(connection, SheafClient::organization, name, description);
    }

    private static CliCommand show(Connection connection) {
        return organization(connection, "show", "Describes the organization.")
                .show(
                        OrganizationCalls::show,
                        Organization::handle,
                        organization -> new Summary()
                                .line("organization", organization.handle())
                                .line("name", organization.name())
                                .line("id", organization.id())
                                .line("created", organization.createdAt()));
    }

    /// Prints the secret of its first key, as for a new key.
    private static CliCommand create(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "create",
                "Creates another organization, and prints the secret of its first key, once. Needs an "
                        + "administrator of the installation, or a registry with self-service.");
        var handle = command.argument("HANDLE", "Short name, such as acme; it never changes.");
        var name = command.option("--name", "NAME", "Display name. Default: the handle.");
        return command.<CreatedOrganization>secret(
                client -> client.organization(null).create(handle.get(), name.or(handle.get())),
                made -> made.adminKey().key(),
                made -> "created the organization " + made.handle() + "; this is its first key, with the scope "
                        + String.join(", ", made.adminKey().scopes()) + "; the secret is not shown again");
    }

    private static CliCommand usage(Connection connection) {
        return organization(connection, "usage", "Shows the organization's usage and its limits.")
                .show(OrganizationCalls::usage, usage -> usage.used().bytes(), OrganizationCommands::summary);
    }

    private static CliCommand report(Connection connection) {
        var command = organization(
                connection,
                "usage-report",
                "Lists bundles that nobody pulled in 90 days, or other bundles or versions that could go. Needs the scope"
                        + " admin.");
        var versions = command.flag("--versions", "Versions that nobody pulled in 90 days.");
        var old = command.flag(
                "--old",
                "Versions that are not the latest, deprecated, yanked or recalled, and were pulled in the last 30 days, "
                        + "with the keys that pulled them.");
        return command.check(() -> command.refuse(
                        versions.isGiven() && old.isGiven(), "--versions and --old are two lists; choose one"))
                .run(organization -> {
                    var list = old.isGiven()
                            ? OrganizationCalls.UsageList.OLD_VERSIONS
                            : versions.isGiven()
                                    ? OrganizationCalls.UsageList.UNUSED_VERSIONS
                                    : OrganizationCalls.UsageList.UNUSED_BUNDLES;
                    var table = new Table<UsageReportEntry>()
                            .column(
                                    old.isGiven() || versions.isGiven() ? "VERSION" : "BUNDLE",
                                    OrganizationCommands::name);
                    if (old.isGiven()) {
                        table.column("WHY", entry -> String.join(", ", entry.reasons()))
                                .column("LATEST", UsageReportEntry::latest)
                                .number("PULLS", UsageReportEntry::pulls)
                                .number("OWN", UsageReportEntry::own)
                                .column("LAST", UsageReportEntry::lastPulledOn)
                                .column("BY", OrganizationCommands::credentials);
                    } else {
                        table.column("PUBLISHED", UsageReportEntry::publishedAt)
                                .column("LAST PULL", entry -> last(entry));
                    }
                    command.output.list(
                            organization.usageReport(list, MOST_ENTRIES),
                            OrganizationCommands::name,
                            table,
                            old.isGiven()
                                    ? "nobody pulled an old version in the last 30 days"
                                    : "nothing is without a pull in 90 days");
                });
    }

    private static String name(UsageReportEntry entry) {
        return entry.namespace() + "/" + entry.bundle() + (entry.version() == null ? "" : ":" + entry.version());
    }

    private static String last(UsageReportEntry entry) {
        return entry.lastPulledOn() != null ? entry.lastPulledOn() : entry.everPulled() ? "long ago" : "never";
    }

    private static String credentials(UsageReportEntry entry) {
        return entry.credentials().stream()
                .map(one -> one.name() == null ? "deleted " + one.credential() : one.name())
                .collect(Collectors.joining(", "));
    }

    private static Summary summary(OrganizationUsage usage) {
        var used = usage.used();
        var quota = usage.quota();
        return new Summary()
                .line(
                        "bytes",
                        TextFormat.size(used.bytes())
                                + (quota.bytes() == null ? "" : " of " + TextFormat.size(quota.bytes())))
                .line("bundles", used.bundles() + most(quota.bundles()))
                .line("versions", used.versions() + most(quota.versions()))
                .line(
                        "open uploads",
                        usage.uploads().open() + ", "
                                + TextFormat.size(usage.uploads().bytes()));
    }

    private static String most(@Nullable Long quota) {
        return quota == null ? "" : " of " + quota;
    }

    private static CliCommand namespaces(Connection connection) {
        return organization(connection, "namespaces", "Lists the namespaces of the organization.")
                .list(
                        OrganizationCalls::namespaces,
                        NamespaceRecord::handle,
                        new Table<NamespaceRecord>()
                                .column("NAMESPACE", NamespaceRecord::handle)
                                .column("NAME", NamespaceRecord::displayName)
                                .column("CREATED", NamespaceRecord::createdAt),
                        "the organization has no namespaces; the first push to a free namespace claims it");
    }

    private static CliCommand claim(Connection connection) {
        var command = organization(
                connection, "claim", "Claims a free namespace for the organization, as a first push to it does.");
        var namespace = command.argument(Namespace.class, "NAMESPACE", "Such as acme.");
        var name = command.option("--name", "NAME", "Display name.");
        return command.change(
                organization -> organization.claim(namespace.get(), name.get()),
                NamespaceRecord::handle,
                claimed -> "the organization now owns the namespace " + claimed.handle());
    }

    private static CliCommand transfer(Connection connection) {
        var command = organization(
                connection,
                "transfer",
                "Offers a namespace to another organization. Nothing moves until that organization accepts: "
                        + "sheaf org accept ID.");
        var namespace = command.argument(Namespace.class, "NAMESPACE", "The namespace to offer.");
        var to = command.argument("TO", "Handle or id of the other organization.");
        return command.confirm(() -> "offer " + namespace + " with everything in it to " + to + command.at())
                .run(organization -> {
                    var offer = organization.offer(namespace.get(), to.get());
                    command.output.show(offer, shell -> shell.out().println(offer.id()), () -> List.of(offer.id()));
                    command.output.say(
                            TextFormat.showable("offered " + offer.namespace() + " to " + offer.to() + " until "
                                    + TextFormat.time(offer.expiresAt()) + "; to cancel the offer: sheaf org cancel "
                                    + offer.id()));
                });
    }

    private static CliCommand transfers(Connection connection) {
        return organization(connection, "transfers", "Lists namespaces that are offered to or by the organization.")
                .list(
                        OrganizationCalls::transfers,
                        Transfer::id,
                        new Table<Transfer>()
                                .column("ID", Transfer::id)
                                .column("STATE", Transfer::state)
                                .column("NAMESPACE", Transfer::namespace)
                                .column("FROM", Transfer::from)
                                .column("TO", Transfer::to)
                                .column("UNTIL", Transfer::expiresAt),
                        "there are no offers");
    }

    /// @param what what the command does to an offered namespace
    private static CliCommand end(
            Connection connection,
            String name,
            String description,
            String what,
            BiFunction<OrganizationCalls, UUID, Transfer> end) {
        var command = organization(connection, name, description);
        var id = command.argument(IdOrEnd.class, "ID", "Id of the offer, as shown by sheaf org transfers.");
        return command.confirm(() -> what + " the namespace of the offer " + id + command.at())
                .change(
                        organization ->
                                end.apply(organization, id.get().among("offer", organization::transfers, Transfer::id)),
                        Transfer::state,
                        ended -> "the offer of " + ended.namespace() + " is " + ended.state());
    }
}
