package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.TrustedPublishers;
import dev.sheaf.model.text.WorkflowFile;
import dev.sheaf.model.wire.org.ClaimCondition;
import dev.sheaf.model.wire.org.TrustedPublisher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Groups the commands below.
@Command(
        name = "publishers",
        description = "Manages trusted publishers: workflows that need no API key. Their provider's id_tokens prove "
                + "who they are. Needs the scope admin.",
        synopsisSubcommandLabel = "COMMAND")
public final class PublishersCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new PublishersCommand())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Pending(connections.get()))
                .addSubcommand(new Add(connections.get()))
                .addSubcommand(new Remove(connections.get()));
    }

    /// A command about the trusted publishers of one organization.
    abstract static class OfOrganization extends RegistryCommand {
        @Mixin
        private final OrganizationOption organization = new OrganizationOption();

        OfOrganization(Connection connection) {
            super(connection);
        }

        TrustedPublishers publishers(SheafClient client) {
            return client.trustedPublishers(organization.value());
        }

        ExitCode list(List<TrustedPublisher> publishers, String nothing) {
            var table = new Table("ID", "STATE", "PROVIDER", "WHO", "BUNDLES", "LAST USED");
            publishers.forEach(publisher -> table.row(
                    publisher.id(),
                    publisher.state(),
                    publisher.provider(),
                    who(publisher),
                    String.join(", ", publisher.bundles()),
                    publisher.lastUsedAt() == null ? "never" : Text.time(publisher.lastUsedAt())));
            output.list(publishers, TrustedPublisher::id, table, nothing);
            return ExitCode.OK;
        }
    }

    /// Returns the repository, with workflow and environment if they are restricted; for other providers the
    /// issuer.
    private static String who(TrustedPublisher publisher) {
        String repository = publisher.repository();
        return (repository == null ? publisher.issuer() : repository)
                + (publisher.workflow() == null ? "" : " " + publisher.workflow())
                + (publisher.environment() == null ? "" : " in " + publisher.environment());
    }

    @Command(name = "list", aliases = "ls", description = "Lists the trusted publishers.")
    public static final class ListAll extends OfOrganization {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return list(
                    publishers(client).list(),
                    "there are no trusted publishers; to add one: sheaf publishers add --help");
        }
    }

    @Command(
            name = "pending",
            description = "Lists trusted publishers whose bundles do not exist yet. Their first push creates the "
                    + "bundle.")
    public static final class Pending extends OfOrganization {
        public Pending(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return list(
                    publishers(client).list().stream()
                            .filter(publisher -> publisher.state().equals("pending"))
                            .toList(),
                    "no trusted publisher is pending");
        }
    }

    @Command(
            name = "add",
            description = "Trusts a workflow. It can then publish with the id_token of its provider.",
            footer = {
                "",
                "Examples:",
                "  sheaf publishers add --github acme/notes --workflow release.yml --bundle acme/notes",
                "  sheaf publishers add oidc --issuer https://ci.example.com --claim sub=release --bundle 'acme/*'"
            })
    public static final class Add extends OfOrganization {
        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "PROVIDER",
                description = "github, gitlab or oidc; not with --github or --gitlab.")
        private @Nullable String provider;

        @Option(names = "--github", paramLabel = "OWNER/NAME", description = "A repository of GitHub.")
        private @Nullable String github;

        @Option(names = "--gitlab", paramLabel = "GROUP/NAME", description = "A project of GitLab.")
        private @Nullable String gitlab;

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "REPOSITORY",
                description = "owner/name; for github and gitlab.")
        private @Nullable String repository;

        @Option(
                names = "--bundle",
                required = true,
                paramLabel = "NS/SLUG",
                description = "A bundle that it may publish, even one that does not exist yet; a * at the end matches "
                        + "any rest; may be repeated.")
        private List<String> bundles = new ArrayList<>();

        @Option(names = "--workflow", paramLabel = "FILE", description = "Only this workflow, such as release.yml.")
        private @Nullable String workflow;

        @Option(names = "--environment", paramLabel = "NAME", description = "Only from this environment.")
        private @Nullable String environment;

        @Option(
                names = "--issuer",
                paramLabel = "URL",
                description = "Issuer of the id_tokens. Default: the provider's own.")
        private @Nullable String issuer;

        @Option(
                names = "--claim",
                paramLabel = "NAME=VALUE",
                description = "Required value of a claim; a * matches anything; oidc needs at least one; may be "
                        + "repeated.")
        private Map<String, String> claims = new TreeMap<>();

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Add(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            if (Stream.of(provider, github, gitlab).filter(Objects::nonNull).count() != 1) {
                throw new ParameterException(
                        spec.commandLine(),
                        "name one workflow to trust: --github OWNER/NAME, --gitlab GROUP/NAME, or oidc");
            }
            return true;
        }

        private String named() {
            return github != null ? "github" : gitlab != null ? "gitlab" : String.valueOf(provider);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            String project = github != null ? github : gitlab != null ? gitlab : repository;
            var conditions = claims.entrySet().stream()
                    .map(claim -> condition(claim.getKey(), claim.getValue()))
                    .toList();
            var added = publishers(client)
                    .add(new TrustedPublishers.Request(
                            named(), issuer, project, workflow, environment, conditions, bundles));
            String waiting = added.pending().isEmpty()
                    ? ""
                    : "; created by its first push: " + String.join(", ", added.pending());
            output.show(added, shell -> shell.out().println(added.id()), () -> List.of(added.id()));
            output.say(Text.showable("trusts " + added.provider() + " " + who(added) + " with "
                    + String.join(", ", added.bundles()) + waiting));
            if (added.audiences() != null && added.audiences().isEmpty()) {
                output.say("warning: this registry accepts no id_token yet, because it does not know its own address."
                        + " Its operator must set public-url, such as https://bundles.example.com, and restart it");
            }
            String place = WorkflowFile.place(added);
            if (place != null) {
                output.human("a workflow that publishes this way, for " + place + ":\n\n"
                        + WorkflowFile.text(
                                added,
                                connection.url().toString(),
                                connection.url().authority()));
            }
            return ExitCode.OK;
        }

        private static ClaimCondition condition(String claim, String value) {
            return value.indexOf('*') < 0
                    ? new ClaimCondition(claim, value, null, null)
                    : new ClaimCondition(claim, null, null, value);
        }
    }

    @Command(name = "remove", aliases = "rm", description = "Stops trusting a workflow.")
    public static final class Remove extends OfOrganization {
        @Parameters(paramLabel = "ID", description = "Id of the publisher, as shown by sheaf publishers list.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd id;

        @Mixin
        private final Confirmation confirmation;

        public Remove(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("remove the trusted publisher " + id + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var publishers = publishers(client);
            var whole = id.among("trusted publisher", publishers::list, TrustedPublisher::id);
            publishers.remove(whole);
            output.done(new Removed(whole.toString()), whole, "removed the trusted publisher " + whole);
            return ExitCode.OK;
        }
    }
}
