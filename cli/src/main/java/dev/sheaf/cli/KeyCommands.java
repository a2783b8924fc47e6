package dev.sheaf.cli;

import dev.sheaf.client.ApiKeys;
import dev.sheaf.client.Json;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.model.wire.ApiKeyPatch;
import dev.sheaf.model.wire.KeyPolicyRecord;
import dev.sheaf.model.wire.KeyRestrictions;
import dev.sheaf.model.wire.KeyRotation;
import java.io.PrintStream;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands of `sheaf keys` about one key, and about the policy for all.
final class KeyCommands {
    private KeyCommands() {}

    /// One line of a summary; nothing where there is no value.
    static void line(PrintStream out, String label, @Nullable Object value) {
        if (value != null) {
            out.printf("%-13s %s%n", label, Text.showable(value.toString()));
        }
    }

    static void restrictions(PrintStream out, @Nullable KeyRestrictions restrictions) {
        if (restrictions != null) {
            line(out, "namespaces", joined(restrictions.namespaces()));
            line(out, "bundles", joined(restrictions.bundles()));
            line(out, "addresses", joined(restrictions.cidrs()));
        }
    }

    private static @Nullable String joined(@Nullable List<String> entries) {
        return entries == null ? null : String.join(", ", entries);
    }

    @Command(name = "show", description = "Tells all about a key but its secret.")
    static final class Show implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final KeysCommand.Owner owner = new KeysCommand.Owner();

        @Parameters(paramLabel = "ID", description = "Id of the key, as keys list shows it.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private UUID id;

        @Option(names = "--json", description = "Print the key as JSON.")
        private boolean json;

        Show(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var key = owner.keys(client).get(id);
                var out = connection.shell().out();
                if (json) {
                    out.println(Json.pretty(key));
                } else {
                    show(out, key);
                }
            }
            return ExitCode.OK.status();
        }

        private static void show(PrintStream out, ApiKey key) {
            line(out, "id", key.id());
            line(out, "name", key.name());
            line(out, "description", key.description());
            line(out, "state", key.state());
            line(out, "scopes", String.join(", ", key.scopes()));
            restrictions(out, key.restrictions());
            line(out, "hint", key.hint());
            line(out, "created", key.createdAt() + (key.createdBy() == null ? "" : " by " + key.createdBy()));
            line(out, "expires", key.expiresAt());
            line(out, "last used", key.lastUsedAt());
            line(out, "retires", key.retiresAt());
            line(out, "rotated from", key.rotatedFrom());
            line(out, "replaced by", key.replacedBy());
            line(out, "revoked", key.revokedAt() == null ? null : key.revokedAt() + ", " + key.revokedReason());
        }
    }

    @Command(name = "rotate", description = "Replaces a key by one with a new secret, and prints that, this once.")
    static final class Rotate implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final KeysCommand.Owner owner = new KeysCommand.Owner();

        @Parameters(paramLabel = "ID", description = "Id of the key, as keys list shows it.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private UUID id;

        @Option(
                names = "--overlap",
                paramLabel = "PERIOD",
                description = "How long the old key goes on to work: PT0S to P30D; a day if missing.")
        private @Nullable String overlap;

        Rotate(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                KeysCommand.tell(
                        connection.shell(),
                        "the key is replaced by",
                        owner.keys(client).rotate(id, new KeyRotation(overlap)));
            }
            return ExitCode.OK.status();
        }
    }

    /// `disable` or `enable`, as the name that it is added under says.
    @Command
    static final class Switch implements Callable<Integer> {
        private final boolean disabled;

        @Mixin
        private final Connection connection;

        @Mixin
        private final KeysCommand.Owner owner = new KeysCommand.Owner();

        @Parameters(paramLabel = "ID", description = "Id of the key, as keys list shows it.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private UUID id;

        Switch(boolean disabled, Connection connection) {
            this.disabled = disabled;
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                owner.keys(client).update(id, new ApiKeyPatch(null, null, disabled));
                connection.shell().say((disabled ? "disabled key " : "enabled key ") + id);
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "revoke", description = "Ends a key at once and for good.")
    static final class Revoke implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final KeysCommand.Owner owner = new KeysCommand.Owner();

        @Parameters(paramLabel = "ID", arity = "0..1", description = "Id of the key, as keys list shows it.")
        private @Nullable UUID id;

        @Option(names = "--current", description = "The key that this command uses, of whatever scope it is.")
        private boolean current;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        Revoke(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            var key = id;
            if ((key == null) != current) {
                throw new ParameterException(
                        spec.commandLine(), "name the key to revoke, or give --current: one of them");
            }
            try (var client = connection.open()) {
                if (key == null) {
                    client.revokeOwnKey();
                } else {
                    owner.keys(client).revoke(key);
                }
                connection.shell().say("revoked key " + (key == null ? "that this command used" : key));
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "policy", description = "Shows for how long new keys work, or sets it.")
    static final class Policy implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final KeysCommand.Owner owner = new KeysCommand.Owner();

        @Option(
                names = "--default",
                paramLabel = "PERIOD",
                description = "Of keys for which nobody says, such as P90D.")
        private @Nullable String usual;

        @Option(names = "--max", paramLabel = "PERIOD", description = "The most that is allowed, such as P365D.")
        private @Nullable String longest;

        @Option(names = "--clear", description = "Forget what is set and not given here.")
        private boolean clear;

        @Option(names = "--json", description = "Print the policy as JSON.")
        private boolean json;

        Policy(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var policy = policy(owner.keys(client));
                var out = connection.shell().out();
                if (json) {
                    out.println(Json.pretty(policy));
                } else {
                    line(
                            out,
                            "default",
                            policy.defaultExpiry() == null ? "as long as is allowed" : policy.defaultExpiry());
                    line(out, "at most", policy.maxExpiry() == null ? "for ever" : policy.maxExpiry());
                }
            }
            return ExitCode.OK.status();
        }

        private KeyPolicyRecord policy(ApiKeys keys) {
            if (usual == null && longest == null && !clear) {
                return keys.policy();
            }
            var before = clear ? new KeyPolicyRecord(null, null) : keys.policy();
            return keys.setPolicy(new KeyPolicyRecord(
                    usual == null ? before.defaultExpiry() : usual, longest == null ? before.maxExpiry() : longest));
        }
    }
}
