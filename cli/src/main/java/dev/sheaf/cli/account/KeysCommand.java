package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.command.Words;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.ApiKeys;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.ApiKeyRequest;
import dev.sheaf.model.wire.key.KeyPolicyRecord;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.model.wire.queue.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands about the keys of an organization; [KeyCommands] contains the commands about one key.
@Command(
        name = "keys",
        description = "Creates, lists, rotates, disables and revokes API keys. Needs a key with the scope admin.",
        synopsisSubcommandLabel = "COMMAND")
public final class KeysCommand {
    /// Returns all commands about keys.
    public static CommandLine of(Supplier<Connection> connection) {
        var disable = new CommandLine(new KeyCommands.Switch(true, connection.get()));
        disable.getCommandSpec().usageMessage().description("Disables a key until it is enabled again.");
        var enable = new CommandLine(new KeyCommands.Switch(false, connection.get()));
        enable.getCommandSpec().usageMessage().description("Enables a disabled key.");
        return new CommandLine(new KeysCommand())
                .addSubcommand(new Create(connection.get()))
                .addSubcommand(new ListAll(connection.get()))
                .addSubcommand(new KeyCommands.Show(connection.get()))
                .addSubcommand(new KeyCommands.Rotate(connection.get()))
                .addSubcommand("disable", disable)
                .addSubcommand("enable", enable)
                .addSubcommand(new KeyCommands.Revoke(connection.get()))
                .addSubcommand(new Policy(connection.get()));
    }

    /// A command about the keys of one organization.
    abstract static class OfOrganization extends RegistryCommand {
        @Mixin
        private final OrganizationOption organization = new OrganizationOption();

        OfOrganization(Connection connection) {
            super(connection);
        }

        ApiKeys keys(SheafClient client) {
            return client.keys(organization.value());
        }

        Queues queues(SheafClient client) {
            return client.queues(organization.value());
        }

        /// Prints the secret of a new key on standard output, the rest on standard error.
        ExitCode secret(String what, ApiKey key) {
            String secret = key.key();
            if (secret == null) {
                throw new IllegalStateException("the answer has no secret");
            }
            output.secret(
                    key,
                    secret,
                    what + " " + key.id() + " (" + key.name() + ") with the scope "
                            + String.join(", ", key.scopes())
                            + (key.expiresAt() == null ? "" : ", until " + Text.time(key.expiresAt()))
                            + "; the secret is not shown again");
            return ExitCode.OK;
        }
    }

    @Command(name = "create", description = "Creates a key and prints its secret, once.")
    public static final class Create extends OfOrganization {
        @Parameters(paramLabel = "NAME", description = "Label of the key.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String name;

        @Option(
                names = "--scope",
                paramLabel = "SCOPE",
                description = "read, write or admin; may be repeated. Default: read.")
        private List<Scope> scopes = new ArrayList<>();

        @Option(
                names = "--expires-in",
                paramLabel = "PERIOD",
                description = "90d, 12h, or ISO 8601 such as P90D. Default: from the key policy.")
        private @Nullable String expiresIn;

        @Option(names = "--description", paramLabel = "TEXT", description = "What the key is for.")
        private @Nullable String description;

        @Option(
                names = "--namespace",
                paramLabel = "NS",
                description = "Limits the key to a namespace; may be repeated.")
        private @Nullable List<String> namespaces;

        @Option(
                names = "--bundle",
                paramLabel = "NS/SLUG",
                description = "Limits the key to a bundle; a * at the end matches any rest, as in acme/docs-*. May be "
                        + "repeated.")
        private @Nullable List<String> bundles;

        @Option(
                names = "--cidr",
                paramLabel = "BLOCK",
                description = "Limits the key to addresses such as 10.0.0.0/8; may be repeated.")
        private @Nullable List<String> cidrs;

        @Option(
                names = "--queue",
                paramLabel = "QUEUE",
                description = "Limits the key to a queue of jobs; a * at the end matches any rest. May be repeated.")
        private @Nullable List<String> queues;

        @Option(
                names = "--use",
                paramLabel = "USE",
                split = ",",
                description = "Limits what the key may do besides reading: work (on jobs), enqueue (jobs); may be"
                        + " repeated.")
        private @Nullable List<String> uses;

        public Create(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var words = scopes.isEmpty()
                    ? null
                    : scopes.stream().map(Scope::toString).toList();
            var request = new ApiKeyRequest(
                    name, words, description, null, Words.isoPeriod("--expires-in", expiresIn), restrictions());
            var made = keys(client).create(request);
            noteMissing(client);
            return secret("created the key", made);
        }

        /// Notes queues that do not exist: a name may be mistyped, or the queue is created later.
        private void noteMissing(SheafClient client) {
            if (queues == null || queues.stream().allMatch(queue -> queue.endsWith("*"))) {
                return;
            }
            try {
                var slugs = queues(client).list(null, null).stream()
                        .map(Queue::slug)
                        .toList();
                queues.stream()
                        .filter(queue -> !queue.endsWith("*") && !slugs.contains(queue))
                        .forEach(queue -> output.note(
                                "the queue " + queue + " does not exist yet; the key can use it as soon as it exists"));
            } catch (SheafException e) {
                // the key is created, and this one may not list queues
            }
        }

        private @Nullable KeyRestrictions restrictions() {
            return Stream.of(namespaces, bundles, cidrs, queues, uses).allMatch(Objects::isNull)
                    ? null
                    : new KeyRestrictions(namespaces, bundles, cidrs, queues, uses);
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the keys, without their secrets.")
    public static final class ListAll extends OfOrganization {
        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "Only keys in this state: active, retiring, disabled, expired or revoked.")
        private @Nullable String state;

        @Option(
                names = "--bundle",
                paramLabel = "NS/SLUG",
                description = "Only keys that can access this bundle. Without --state, only keys that work now.")
        private @Nullable String bundle;

        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var keys = keys(client).list(state, bundle);
            var table = new Table("ID", "STATE", "SCOPES", "HINT", "EXPIRES", "NAME");
            keys.forEach(key -> table.row(
                    key.id(),
                    key.state(),
                    String.join(",", key.scopes()),
                    key.hint(),
                    key.expiresAt() == null ? "never" : Text.time(key.expiresAt()),
                    key.name()));
            output.list(keys, ApiKey::id, table, "no key matches");
            return ExitCode.OK;
        }
    }

    @Command(name = "policy", description = "Shows or sets the lifetime of new keys.")
    public static final class Policy extends OfOrganization {
        @Option(names = "--default", paramLabel = "PERIOD", description = "Lifetime without --expires-in, such as 90d.")
        private @Nullable String usual;

        @Option(names = "--max", paramLabel = "PERIOD", description = "The longest lifetime, such as 365d.")
        private @Nullable String longest;

        @Option(names = "--clear", description = "Clear the settings that are not given here.")
        private boolean clear;

        public Policy(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var policy = policy(keys(client));
            String most = policy.maxExpiry() == null ? "no limit" : policy.maxExpiry();
            String without = policy.defaultExpiry() == null ? "as long as allowed" : policy.defaultExpiry();
            output.show(
                    policy,
                    new Summary().line("default", without).line("at most", most)::print,
                    () -> List.of(
                            policy.defaultExpiry() == null ? "-" : policy.defaultExpiry(),
                            policy.maxExpiry() == null ? "-" : policy.maxExpiry()));
            return ExitCode.OK;
        }

        private KeyPolicyRecord policy(ApiKeys keys) {
            if (usual == null && longest == null && !clear) {
                return keys.policy();
            }
            var before = clear ? new KeyPolicyRecord(null, null) : keys.policy();
            return keys.setPolicy(new KeyPolicyRecord(
                    usual == null ? before.defaultExpiry() : Words.isoPeriod("--default", usual),
                    longest == null ? before.maxExpiry() : Words.isoPeriod("--max", longest)));
        }
    }
}
