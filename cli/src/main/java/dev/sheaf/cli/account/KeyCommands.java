package dev.sheaf.cli.account;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Words;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.ApiKeyPatch;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.model.wire.key.KeyRotation;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands of `sheaf keys` about one key.
public final class KeyCommands {
    private KeyCommands() {}

    /// A command about one key.
    abstract static class OfKey extends KeysCommand.OfOrganization {
        @Parameters(paramLabel = "KEY", description = "Id or name of the key, as shown by sheaf keys list.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String key;

        /// Returns the full id of the key, which may take a request.
        UUID id(SheafClient client) {
            return keys(client).find(key);
        }

        OfKey(Connection connection) {
            super(connection);
        }
    }

    /// Adds the restrictions of a key or a session.
    static Summary restrictions(Summary summary, @Nullable KeyRestrictions restrictions) {
        return restrictions == null
                ? summary
                : summary.line("namespaces", restrictions.namespaces())
                        .line("bundles", restrictions.bundles())
                        .line("addresses", restrictions.cidrs())
                        .line("queues", restrictions.queues())
                        .line("uses", restrictions.uses());
    }

    @Command(name = "show", description = "Shows everything about a key except its secret.")
    public static final class Show extends OfKey {
        public Show(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var key = keys(client).get(id(client));
            output.one(key, key.id(), summary(key));
            return ExitCode.OK;
        }

        private static Summary summary(ApiKey key) {
            var summary = new Summary()
                    .line("id", key.id())
                    .line("name", key.name())
                    .line("description", key.description())
                    .line("state", key.state())
                    .line("scopes", key.scopes());
            return restrictions(summary, key.restrictions())
                    .line("hint", key.hint())
                    .line("created", Text.time(key.createdAt()) + by(key.createdBy()))
                    .line("expires", key.expiresAt() == null ? "never" : key.expiresAt())
                    .line("last used", used(key))
                    .line("retires", key.retiresAt())
                    .line("rotated from", key.rotatedFrom())
                    .line("replaced by", key.replacedBy())
                    .line("revoked", revoked(key));
        }

        private static String used(ApiKey key) {
            return key.lastUsedAt() == null
                    ? "never"
                    : key.lastUsedAt() + (key.lastUsedFrom() == null ? "" : " from " + key.lastUsedFrom());
        }

        private static String by(@Nullable String actor) {
            return actor == null ? "" : " by " + actor;
        }

        private static @Nullable String revoked(ApiKey key) {
            if (key.revokedAt() == null) {
                return null;
            }
            String why = key.revokedReason() == null ? "" : ", " + key.revokedReason();
            return Text.time(key.revokedAt()) + by(key.revokedBy()) + why;
        }
    }

    @Command(name = "rotate", description = "Replaces a key by one with a new secret, and prints that secret, once.")
    public static final class Rotate extends OfKey {
        @Option(
                names = "--overlap",
                paramLabel = "PERIOD",
                description = "How long the old key keeps working: 0m to 30d. Default: a day.")
        private @Nullable String overlap;

        public Rotate(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            return secret(
                    "the key is replaced by", keys(client).rotate(id(client), new KeyRotation(Words.iso(overlap))));
        }
    }

    /// `disable` or `enable`, depending on the name it is added with.
    @Command
    public static final class Switch extends OfKey {
        private final boolean disabled;

        public Switch(boolean disabled, Connection connection) {
            super(connection);
            this.disabled = disabled;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var key = keys(client).update(id(client), new ApiKeyPatch(null, null, disabled));
            output.done(
                    key,
                    key.id(),
                    (disabled ? "disabled the key " : "enabled the key ") + key.id() + " (" + key.name() + ")");
            return ExitCode.OK;
        }
    }

    @Command(name = "revoke", description = "Ends a key immediately and for good.")
    public static final class Revoke extends KeysCommand.OfOrganization {
        @Mixin
        private final Confirmation confirmation;

        @Parameters(
                paramLabel = "KEY",
                arity = "0..1",
                description = "Id or name of the key, as shown by sheaf keys list.")
        private @Nullable String key;

        @Option(names = "--current", description = "Revoke the key that this command uses, whatever its scope.")
        private boolean current;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Revoke(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        /// The JSON of a revocation.
        record Revoked(String revoked) {}

        @Override
        protected boolean ready() {
            if ((key == null) != current) {
                throw new ParameterException(spec.commandLine(), "name the key to revoke, or give --current, not both");
            }
            return confirmation.given("revoke " + what() + " at " + connection.url() + " for good");
        }

        private String what() {
            return key == null ? "the key that this command uses" : "the key " + key;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            String revoked = "current";
            if (key == null) {
                client.account().revokeOwnKey();
            } else {
                var id = keys(client).find(key);
                keys(client).revoke(id);
                revoked = id.toString();
            }
            output.done(new Revoked(revoked), revoked, "revoked " + what());
            return ExitCode.OK;
        }
    }
}
