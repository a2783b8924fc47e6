package dev.sheaf.cli;

import dev.sheaf.client.ApiKeys;
import dev.sheaf.client.Json;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Scope;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.model.wire.ApiKeyRequest;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(
        name = "keys",
        description = "Creates, lists and revokes API keys; needs a key with the scope admin.",
        synopsisSubcommandLabel = "COMMAND")
final class KeysCommand {
    /// Whose keys.
    static final class Owner {
        @Option(
                names = "--org",
                paramLabel = "ORG",
                description = "Id or handle of the organization; that of your own key if missing.")
        private @Nullable String organization;

        ApiKeys keys(SheafClient client) {
            return client.keys(organization);
        }
    }

    @Command(name = "create", description = "Creates a key and prints its secret, this once.")
    static final class Create implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Owner owner = new Owner();

        @Parameters(paramLabel = "NAME", description = "Label of the key.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String name;

        @Option(
                names = "--scope",
                paramLabel = "SCOPE",
                description = "read, write or admin; may be repeated; read if missing.")
        private List<Scope> scopes = new ArrayList<>();

        @Option(
                names = "--expires-in",
                paramLabel = "PERIOD",
                description = "ISO 8601 duration such as P90D; the key does not expire if missing.")
        private @Nullable String expiresIn;

        Create(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            var words = scopes.isEmpty()
                    ? null
                    : scopes.stream().map(Scope::toString).toList();
            try (var client = connection.open()) {
                ApiKey key = owner.keys(client).create(new ApiKeyRequest(name, words, null, null, expiresIn, null));
                connection.shell().out().println(key.key());
                connection
                        .shell()
                        .say("created key " + key.id() + " (" + Text.showable(key.name()) + ") with scope "
                                + String.join(", ", key.scopes())
                                + (key.expiresAt() == null ? "" : ", until " + key.expiresAt())
                                + "; the secret is not shown again");
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "list", description = "Lists the keys, never their secrets.")
    static final class ListAll implements Callable<Integer> {
        private static final String ROW = "%-36s  %-8s  %-16s  %-14s  %-20s  %s%n";

        @Mixin
        private final Connection connection;

        @Mixin
        private final Owner owner = new Owner();

        @Option(names = "--json", description = "Print the keys as JSON.")
        private boolean json;

        ListAll(Connection connection) {
            this.connection = connection;
        }

        private static String expiry(ApiKey key) {
            var expiry = key.expiresAt();
            return expiry == null
                    ? "never"
                    : expiry.truncatedTo(ChronoUnit.SECONDS).toString();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var keys = owner.keys(client).list();
                var out = connection.shell().out();
                if (json) {
                    out.println(Json.pretty(keys));
                } else {
                    out.printf(ROW, "ID", "STATE", "SCOPES", "HINT", "EXPIRES", "NAME");
                    keys.forEach(key -> out.printf(
                            ROW,
                            key.id(),
                            Text.showable(key.state()),
                            Text.showable(String.join(",", key.scopes())),
                            Text.showable(key.hint()),
                            expiry(key),
                            Text.showable(key.name())));
                }
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "revoke", description = "Ends a key at once and for good.")
    static final class Revoke implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Owner owner = new Owner();

        @Parameters(paramLabel = "ID", description = "Id of the key, as keys list shows it.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private UUID id;

        Revoke(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                owner.keys(client).revoke(id);
                connection.shell().say("revoked key " + id);
            }
            return ExitCode.OK.status();
        }
    }
}
