package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.TrustedPublishers;
import dev.sheaf.model.text.WorkflowFile;
import dev.sheaf.model.wire.org.ClaimCondition;
import dev.sheaf.model.wire.org.TrustedPublisher;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The commands of `sheaf publishers`: workflows that publish without a key.
public final class PublisherCommands {
    private static final Table<TrustedPublisher> TABLE = new Table<TrustedPublisher>()
            .column("ID", TrustedPublisher::id)
            .column("STATE", TrustedPublisher::state)
            .column("PROVIDER", TrustedPublisher::provider)
            .column("WHO", PublisherCommands::who)
            .column("BUNDLES", publisher -> String.join(", ", publisher.bundles()))
            .column("LAST USED", publisher -> publisher.lastUsedAt() == null ? "never" : publisher.lastUsedAt());

    private PublisherCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "publishers",
                        "Manages trusted publishers: workflows that need no API key. Their provider's id_tokens prove "
                                + "who they are. Needs the scope admin.")
                .add(PublisherCommands::list)
                .add(PublisherCommands::pending)
                .add(PublisherCommands::add)
                .add(PublisherCommands::remove);
    }

    private static ResourceCommand<TrustedPublishers> publishers(
            Connection connection, String name, String description) {
        return ResourceCommand.ofOrganization(connection, SheafClient::trustedPublishers, name, description);
    }

    /// Returns the repository, with workflow and environment if they are restricted; for other providers the
    /// issuer.
    private static String who(TrustedPublisher publisher) {
        String repository = publisher.repository();
        return (repository == null ? publisher.issuer() : repository)
                + (publisher.workflow() == null ? "" : " " + publisher.workflow())
                + (publisher.environment() == null ? "" : " in " + publisher.environment());
    }

    private static CliCommand list(Connection connection) {
        return publishers(connection, "list", "Lists the trusted publishers.")
                .alias("ls")
                .list(
                        TrustedPublishers::list,
                        TrustedPublisher::id,
                        TABLE,
                        "there are no trusted publishers; to add one: sheaf publishers add --help");
    }

    private static CliCommand pending(Connection connection) {
        return publishers(
                        connection,
                        "pending",
                        "Lists trusted publishers whose bundles do not exist yet. Their first push creates the bundle.")
                .list(
                        publishers -> publishers.list().stream()
                                .filter(publisher -> publisher.state().equals("pending"))
                                .toList(),
                        TrustedPublisher::id,
                        TABLE,
                        "no trusted publisher is pending");
    }

    private static CliCommand add(Connection connection) {
        var command = publishers(
                        connection, "add", "Trusts a workflow. It can then publish with the id_token of its provider.")
                .footer(
                        "",
                        "Examples:",
                        "  sheaf publishers add --github acme/notes --workflow release.yml --bundle acme/notes",
                        "  sheaf publishers add oidc --issuer https://ci.example.com --claim sub=release --bundle 'acme/*'");
        var provider = command.optionalArgument("PROVIDER", "github, gitlab or oidc; not with --github or --gitlab.");
        var github = command.option("--github", "OWNER/NAME", "A repository of GitHub.");
        var gitlab = command.option("--gitlab", "GROUP/NAME", "A project of GitLab.");
        var repository = command.optionalArgument("REPOSITORY", "owner/name; for github and gitlab.");
        var bundles = command.requiredOptions(
                "--bundle",
                "NS/SLUG",
                "A bundle that it may publish, even one that does not exist yet; a * at the end matches any rest; "
                        + "may be repeated.");
        var workflow = command.option("--workflow", "FILE", "Only this workflow, such as release.yml.");
        var environment = command.option("--environment", "NAME", "Only from this environment.");
        var issuer = command.option("--issuer", "URL", "Issuer of the id_tokens. Default: the provider's own.");
        var claims = command.pairs(
                "--claim",
                "Required value of a claim; a * matches anything; oidc needs at least one; may be repeated.");
        return command.check(() -> command.refuse(
                        Stream.of(provider, github, gitlab)
                                        .filter(value -> value.isGiven())
                                        .count()
                                != 1,
                        "name one workflow to trust: --github OWNER/NAME, --gitlab GROUP/NAME, or oidc"))
                .run(publishers -> print(
                        publishers.add(new TrustedPublishers.Request(
                                github.isGiven() ? "github" : gitlab.isGiven() ? "gitlab" : provider.or(""),
                                issuer.get(),
                                Stream.of(github, gitlab, repository)
                                        .map(value -> value.get())
                                        .filter(Objects::nonNull)
                                        .findFirst()
                                        .orElse(null),
                                workflow.get(),
                                environment.get(),
                                conditions(claims.or(Map.of())),
                                bundles.get())),
                        command));
    }

    private static List<ClaimCondition> conditions(Map<String, String> claims) {
        return new TreeMap<>(claims)
                .entrySet().stream()
                        .map(claim -> claim.getValue().indexOf('*') < 0
                                ? new ClaimCondition(claim.getKey(), claim.getValue(), null, null)
                                : new ClaimCondition(claim.getKey(), null, null, claim.getValue()))
                        .toList();
    }

    private static void print(TrustedPublisher added, ResourceCommand<?> command) {
        var output = command.output;
        String waiting =
                added.pending().isEmpty() ? "" : "; created by its first push: " + String.join(", ", added.pending());
        output.show(added, shell -> shell.out().println(added.id()), () -> List.of(added.id()));
        output.say(TextFormat.showable("trusts " + added.provider() + " " + who(added) + " with "
                + String.join(", ", added.bundles()) + waiting));
        if (added.audiences() != null && added.audiences().isEmpty()) {
            output.say("warning: this registry accepts no id_token yet, because it does not know its own address."
                    + " Its operator must set public-url, such as https://bundles.example.com, and restart it");
        }
        String place = WorkflowFile.place(added);
        if (place != null) {
            var url = command.connection.url();
            output.human("a workflow that publishes this way, for " + place + ":\n\n"
                    + WorkflowFile.text(added, url.toString(), url.authority()));
        }
    }

    private static CliCommand remove(Connection connection) {
        var command =
                publishers(connection, "remove", "Stops trusting a workflow.").alias("rm");
        var id = command.argument(IdOrEnd.class, "ID", "Id of the publisher, as shown by sheaf publishers list.");
        return command.confirm(() -> "remove the trusted publisher " + id + command.at())
                .remove(
                        publishers -> id.get().among("trusted publisher", publishers::list, TrustedPublisher::id),
                        TrustedPublishers::remove,
                        gone -> "removed the trusted publisher " + gone);
    }
}
