package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.OrganizationCalls;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.NamespaceRecord;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands about an organization; [TransferCommands] contains the commands that transfer a
/// namespace.
@Command(
        name = "org",
        description = "Shows an organization and its usage; manages its namespaces.",
        synopsisSubcommandLabel = "COMMAND")
public final class OrgCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        var org = new CommandLine(new OrgCommand())
                .addSubcommand(new Show(connections.get()))
                .addSubcommand(new Create(connections.get()))
                .addSubcommand(new Usage(connections.get()))
                .addSubcommand(new Namespaces(connections.get()))
                .addSubcommand(new Claim(connections.get()));
        TransferCommands.add(org, connections);
        return org;
    }

    /// A command about one organization.
    abstract static class OfOrganization extends RegistryCommand {
        @Mixin
        private final OrganizationOption organization = new OrganizationOption();

        OfOrganization(Connection connection) {
            super(connection);
        }

        OrganizationCalls organization(SheafClient client) {
            return client.organization(organization.value());
        }
    }

    @Command(name = "show", description = "Describes the organization.")
    public static final class Show extends OfOrganization {
        public Show(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var org = organization(client).show();
            output.one(
                    org,
                    org.handle(),
                    new Summary()
                            .line("organization", org.handle())
                            .line("name", org.name())
                            .line("id", org.id())
                            .line("created", org.createdAt()));
            return ExitCode.OK;
        }
    }

    /// Prints the secret of its first key, as for a new key.
    @Command(
            name = "create",
            description = "Creates another organization, and prints the secret of its first key, once. Needs an "
                    + "administrator of the installation, or a registry with self-service.")
    public static final class Create extends RegistryCommand {
        @Parameters(paramLabel = "HANDLE", description = "Short name, such as acme; it never changes.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String handle;

        @Option(names = "--name", paramLabel = "NAME", description = "Display name. Default: the handle.")
        private @Nullable String name;

        public Create(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var made = client.organization(null).create(handle, name == null ? handle : name);
            String secret = made.adminKey().key();
            if (secret == null) {
                throw new IllegalStateException("the answer has no secret");
            }
            output.secret(
                    made,
                    secret,
                    "created the organization " + made.handle() + "; this is its first key, with the scope "
                            + String.join(", ", made.adminKey().scopes()) + "; the secret is not shown again");
            return ExitCode.OK;
        }
    }

    @Command(name = "usage", description = "Shows the organization's usage and its limits.")
    public static final class Usage extends OfOrganization {
        public Usage(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var usage = organization(client).usage();
            var used = usage.used();
            var quota = usage.quota();
            output.one(
                    usage,
                    used.bytes(),
                    new Summary()
                            .line(
                                    "bytes",
                                    Text.size(used.bytes())
                                            + (quota.bytes() == null ? "" : " of " + Text.size(quota.bytes())))
                            .line("bundles", used.bundles() + most(quota.bundles()))
                            .line("versions", used.versions() + most(quota.versions()))
                            .line(
                                    "open uploads",
                                    usage.uploads().open() + ", "
                                            + Text.size(usage.uploads().bytes())));
            return ExitCode.OK;
        }

        private static String most(@Nullable Long quota) {
            return quota == null ? "" : " of " + quota;
        }
    }

    @Command(name = "namespaces", description = "Lists the namespaces of the organization.")
    public static final class Namespaces extends OfOrganization {
        public Namespaces(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = organization(client).namespaces();
            var table = new Table("NAMESPACE", "NAME", "CREATED");
            all.forEach(namespace ->
                    table.row(namespace.handle(), namespace.displayName(), Text.time(namespace.createdAt())));
            output.list(
                    all,
                    NamespaceRecord::handle,
                    table,
                    "the organization has no namespaces; the first push to a free namespace claims it");
            return ExitCode.OK;
        }
    }

    @Command(name = "claim", description = "Claims a free namespace for the organization, as a first push to it does.")
    public static final class Claim extends OfOrganization {
        @Parameters(paramLabel = "NAMESPACE", description = "Such as acme.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Namespace namespace;

        @Option(names = "--name", paramLabel = "NAME", description = "Display name.")
        private @Nullable String name;

        public Claim(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var claimed = organization(client).claim(namespace, name);
            output.done(claimed, claimed.handle(), "the organization now owns the namespace " + claimed.handle());
            return ExitCode.OK;
        }
    }
}
