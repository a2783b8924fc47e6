package dev.sheaf.cli;

import dev.sheaf.client.ApiKeys;
import dev.sheaf.client.Json;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Scope;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.model.wire.ApiKeyRequest;
import dev.sheaf.model.wire.KeyRestrictions;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(
        name = "keys",
        description = "Creates, lists, rotates, disables and revokes API keys; needs a key with the scope admin.",
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

    /// Prints the secret of a new key, and says the rest.
    static void tell(Shell shell, String what, ApiKey key) {
        shell.out().println(key.key());
        shell.say(what + " " + key.id() + " (" + Text.showable(key.name()) + ") with scope "
                + Text.showable(String.join(", ", key.scopes()))
                + (key.expiresAt() == null ? "" : ", until " + key.expiresAt())
                + "; the secret is not shown again");
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

        @Option(names = "--description", paramLabel = "TEXT", description = "What the key is for.")
        private @Nullable String description;

        @Option(
                names = "--namespace",
                paramLabel = "NS",
                description = "Confines the key to a namespace; may be repeated.")
        private @Nullable List<String> namespaces;

        @Option(
                names = "--bundle",
                paramLabel = "NS/SLUG",
                description = "Confines the key to a bundle, or to all that begin like it with a * at the end; may be "
                        + "repeated.")
        private @Nullable List<String> bundles;

        @Option(
                names = "--cidr",
                paramLabel = "BLOCK",
                description = "Confines the key to addresses such as 10.0.0.0/8; may be repeated.")
        private @Nullable List<String> cidrs;

        Create(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            var words = scopes.isEmpty()
                    ? null
                    : scopes.stream().map(Scope::toString).toList();
            try (var client = connection.open()) {
                var key = owner.keys(client)
                        .create(new ApiKeyRequest(name, words, description, null, expiresIn, restrictions()));
                tell(connection.shell(), "created key", key);
            }
            return ExitCode.OK.status();
        }

        private @Nullable KeyRestrictions restrictions() {
            return namespaces == null && bundles == null && cidrs == null
                    ? null
                    : new KeyRestrictions(namespaces, bundles, cidrs);
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the keys, never their secrets.")
    static final class ListAll implements Callable<Integer> {
        private static final String ROW = "%-36s  %-8s  %-16s  %-14s  %-20s  %s%n";

        @Mixin
        private final Connection connection;

        @Mixin
        private final Owner owner = new Owner();

        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "Only keys that are active, retiring, disabled, expired or revoked.")
        private @Nullable String state;

        @Option(
                names = "--bundle",
                paramLabel = "NS/SLUG",
                description = "Only keys that reach this bundle; those that work now, unless --state is given.")
        private @Nullable String bundle;

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
                var keys = owner.keys(client).list(state, bundle);
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
}
