package dev.sheaf.cli.account;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.command.ValueParsers;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.ApiKeys;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.ApiKeyPatch;
import dev.sheaf.model.wire.key.ApiKeyRequest;
import dev.sheaf.model.wire.key.KeyPolicyRecord;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.model.wire.key.KeyRotation;
import dev.sheaf.model.wire.queue.Queue;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf keys`: the API keys of an organization.
public final class KeyCommands {
    /// The calls of a command that needs more than the keys.
    private record Calls(SheafClient client, @Nullable String organization) {
        ApiKeys keys() {
            return client.keys(organization);
        }
    }

    /// The JSON of a revocation.
    private record Revoked(String revoked) {}

    private KeyCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "keys",
                        "Creates, lists, rotates, disables and revokes API keys. Needs a key with the scope admin.")
                .add(KeyCommands::create)
                .add(KeyCommands::list)
                .add(KeyCommands::show)
                .add(KeyCommands::rotate)
                .add(connection ->
                        setDisabled(connection, "disable", "Disables a key until it is enabled again.", true))
                .add(connection -> setDisabled(connection, "enable", "Enables a disabled key.", false))
                .add(KeyCommands::revoke)
                .add(KeyCommands::policy);
    }

    private static ResourceCommand<ApiKeys> keys(Connection connection, String name, String description) {
        return ResourceCommand.ofOrganization(connection, SheafClient::keys, name, description);
    }

    private static RequiredValue<String> key(CliCommand command) {
        return command.argument("KEY", "Id or name of the key, as shown by sheaf keys list.");
    }

    private static CliCommand create(Connection connection) {
        var command = ResourceCommand.ofOrganization(
                connection, Calls::new, "create", "Creates a key and prints its secret, once.");
        var name = command.argument("NAME", "Label of the key.");
        var scopes = command.options(
                Scope.class, "--scope", "SCOPE", "read, write or admin; may be repeated. Default: read.");
        var expiresIn = command.option(
                "--expires-in", "PERIOD", "90d, 12h, or ISO 8601 such as P90D. Default: from the key policy.");
        var description = command.option("--description", "TEXT", "What the key is for.");
        var namespaces = command.options("--namespace", "NS", "Limits the key to a namespace; may be repeated.");
        var bundles = command.options(
                "--bundle",
                "NS/SLUG",
                "Limits the key to a bundle; a * at the end matches any rest, as in acme/docs-*. May be repeated.");
        var cidrs =
                command.options("--cidr", "BLOCK", "Limits the key to addresses such as 10.0.0.0/8; may be repeated.");
        var queues = command.options(
                "--queue",
                "QUEUE",
                "Limits the key to a queue of jobs; a * at the end matches any rest. May be repeated.");
        var uses = command.commaOptions(
                "--use",
                "USE",
                "Limits what the key may do besides reading: work (on jobs), enqueue (jobs); may be repeated.");
        return command.check(() -> ValueParsers.isoPeriod("--expires-in", expiresIn.get()))
                .secret(
                        calls -> {
                            var made = calls.keys()
                                    .create(new ApiKeyRequest(
                                            name.get(),
                                            scopes.isGiven()
                                                    ? scopes.get().stream()
                                                            .map(Scope::toString)
                                                            .toList()
                                                    : null,
                                            description.get(),
                                            null,
                                            ValueParsers.iso(expiresIn.get()),
                                            restrictions(namespaces, bundles, cidrs, queues, uses)));
                            noteMissing(queues.get(), calls, command.output);
                            return made;
                        },
                        ApiKey::key,
                        made -> sentence("created the key", made));
    }

    private static @Nullable KeyRestrictions restrictions(
            RepeatedValue<String> namespaces,
            RepeatedValue<String> bundles,
            RepeatedValue<String> cidrs,
            RepeatedValue<String> queues,
            RepeatedValue<String> uses) {
        return Stream.of(namespaces, bundles, cidrs, queues, uses).noneMatch(RepeatedValue::isGiven)
                ? null
                : new KeyRestrictions(
                        namespaces.orNull(), bundles.orNull(), cidrs.orNull(), queues.orNull(), uses.orNull());
    }

    /// Notes queues that do not exist: a name may be mistyped, or the queue is created later.
    private static void noteMissing(List<String> queues, Calls calls, Output output) {
        var named = queues.stream().filter(queue -> !queue.endsWith("*")).toList();
        if (named.isEmpty()) {
            return;
        }
        try {
            var slugs = calls.client().queues(calls.organization()).list(null, null).stream()
                    .map(Queue::slug)
                    .toList();
            named.stream()
                    .filter(queue -> !slugs.contains(queue))
                    .forEach(queue -> output.note(
                            "the queue " + queue + " does not exist yet; the key can use it as soon as it exists"));
        } catch (SheafException e) {
            // the key is created, and this one may not list queues
        }
    }

    private static String sentence(String what, ApiKey key) {
        return what + " " + key.id() + " (" + key.name() + ") with the scope " + String.join(", ", key.scopes())
                + (key.expiresAt() == null ? "" : ", until " + TextFormat.time(key.expiresAt()))
                + "; the secret is not shown again";
    }

    private static CliCommand list(Connection connection) {
        var command = keys(connection, "list", "Lists the keys, without their secrets.")
                .alias("ls");
        var state = command.option(
                "--state", "STATE", "Only keys in this state: active, retiring, disabled, expired or revoked.");
        var bundle = command.option(
                "--bundle",
                "NS/SLUG",
                "Only keys that can access this bundle. Without --state, only keys that work now.");
        return command.list(
                keys -> keys.list(state.get(), bundle.get()),
                ApiKey::id,
                new Table<ApiKey>()
                        .column("ID", ApiKey::id)
                        .column("STATE", ApiKey::state)
                        .column("SCOPES", key -> String.join(",", key.scopes()))
                        .column("HINT", ApiKey::hint)
                        .column("EXPIRES", key -> key.expiresAt() == null ? "never" : key.expiresAt())
                        .column("NAME", ApiKey::name),
                "no key matches");
    }

    private static CliCommand show(Connection connection) {
        var command = keys(connection, "show", "Shows everything about a key except its secret.");
        var key = key(command);
        return command.show(keys -> keys.get(keys.find(key.get())), ApiKey::id, KeyCommands::summary);
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
                .line("created", TextFormat.time(key.createdAt()) + by(key.createdBy()))
                .line("expires", key.expiresAt() == null ? "never" : key.expiresAt())
                .line("last used", used(key))
                .line("retires", key.retiresAt())
                .line("rotated from", key.rotatedFrom())
                .line("replaced by", key.replacedBy())
                .line("revoked", revoked(key));
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
        return TextFormat.time(key.revokedAt()) + by(key.revokedBy()) + why;
    }

    private static CliCommand rotate(Connection connection) {
        var command =
                keys(connection, "rotate", "Replaces a key by one with a new secret, and prints that secret, once.");
        var key = key(command);
        var overlap =
                command.option("--overlap", "PERIOD", "How long the old key keeps working: 0m to 30d. Default: a day.");
        return command.secret(
                keys -> keys.rotate(keys.find(key.get()), new KeyRotation(ValueParsers.iso(overlap.get()))),
                ApiKey::key,
                made -> sentence("the key is replaced by", made));
    }

    private static CliCommand setDisabled(Connection connection, String name, String description, boolean disabled) {
        var command = keys(connection, name, description);
        var key = key(command);
        return command.change(
                keys -> keys.update(keys.find(key.get()), new ApiKeyPatch(null, null, disabled)),
                ApiKey::id,
                changed -> name + "d the key " + changed.id() + " (" + changed.name() + ")");
    }

    private static CliCommand revoke(Connection connection) {
        var command = ResourceCommand.ofOrganization(
                connection, Calls::new, "revoke", "Ends a key immediately and for good.");
        var key = command.optionalArgument("KEY", "Id or name of the key, as shown by sheaf keys list.");
        var current = command.flag("--current", "Revoke the key that this command uses, whatever its scope.");
        Supplier<String> what = () -> key.isGiven() ? "the key " + key.get() : "the key that this command uses";
        return command.check(() -> command.refuse(
                        key.isGiven() == current.isGiven(), "name the key to revoke, or give --current, not both"))
                .confirm(() -> "revoke " + what.get() + command.at() + " for good")
                .change(calls -> new Revoked(revoke(calls, key.get())), Revoked::revoked, _ -> "revoked " + what.get());
    }

    private static String revoke(Calls calls, @Nullable String key) {
        if (key == null) {
            calls.client().account().revokeOwnKey();
            return "current";
        }
        var id = calls.keys().find(key);
        calls.keys().revoke(id);
        return id.toString();
    }

    private static CliCommand policy(Connection connection) {
        var command = keys(connection, "policy", "Shows or sets the lifetime of new keys.");
        var usual = command.option("--default", "PERIOD", "Lifetime without --expires-in, such as 90d.");
        var longest = command.option("--max", "PERIOD", "The longest lifetime, such as 365d.");
        var clear = command.flag("--clear", "Clear the settings that are not given here.");
        return command.run(keys -> {
            var policy = !usual.isGiven() && !longest.isGiven() && !clear.isGiven()
                    ? keys.policy()
                    : keys.setPolicy(changed(
                            clear.isGiven() ? new KeyPolicyRecord(null, null) : keys.policy(),
                            usual.get(),
                            longest.get()));
            String without = policy.defaultExpiry();
            String most = policy.maxExpiry();
            command.output.show(
                    policy,
                    new Summary()
                            .line("default", Objects.requireNonNullElse(without, "as long as allowed"))
                            .line("at most", Objects.requireNonNullElse(most, "no limit"))::print,
                    () -> List.of(Objects.requireNonNullElse(without, "-"), Objects.requireNonNullElse(most, "-")));
        });
    }

    private static KeyPolicyRecord changed(KeyPolicyRecord before, @Nullable String usual, @Nullable String longest) {
        return new KeyPolicyRecord(
                usual == null ? before.defaultExpiry() : ValueParsers.isoPeriod("--default", usual),
                longest == null ? before.maxExpiry() : ValueParsers.isoPeriod("--max", longest));
    }
}
