package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.key.Secret;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/// A command that calls the registry. It has the options for the registry and the form of the results, asks before a
/// change that others will notice, and closes its client at the end.
///
/// @param <A> the calls that it makes, such as `ApiKeys`
@SuppressWarnings("this-escape") // see CliCommand
public class ResourceCommand<A> extends CliCommand {
    public final Connection connection;
    public final Output output;
    private final Function<SheafClient, A> calls;
    private BooleanSupplier ready = () -> true;
    private Supplier<SheafClient> client;

    protected ResourceCommand(
            Connection connection, Function<SheafClient, A> calls, String name, String... description) {
        super(name, description);
        this.connection = use(connection);
        this.output = use(connection.output());
        this.calls = calls;
        this.client = connection::open;
    }

    /// A command about the registry or the caller.
    public static ResourceCommand<SheafClient> of(Connection connection, String name, String... description) {
        return new ResourceCommand<>(connection, client -> client, name, description);
    }

    public static <A> ResourceCommand<A> of(
            Connection connection, Function<SheafClient, A> calls, String name, String... description) {
        return new ResourceCommand<>(connection, calls, name, description);
    }

    /// A command about the resources of one organization: the caller's own, or the one of `--org`.
    public static <A> ResourceCommand<A> ofOrganization(
            Connection connection,
            BiFunction<SheafClient, @Nullable String, A> calls,
            String name,
            String... description) {
        var organization = new OrganizationOption();
        var command = new ResourceCommand<>(
                connection, client -> calls.apply(client, organization.value()), name, description);
        command.use(organization);
        return command;
    }

    public final ResourceCommand<A> alias(String alias) {
        setAliases(alias);
        return this;
    }

    /// Sets the end of the help.
    public final ResourceCommand<A> footer(String... lines) {
        setFooter(lines);
        return this;
    }

    /// Sets what to say about a common mistake on the command line.
    public final ResourceCommand<A> hint(Function<ParameterException, Optional<String>> hint) {
        setHint(hint);
        return this;
    }

    /// Checks the arguments before anything is sent.
    public final ResourceCommand<A> check(Runnable check) {
        return ready(() -> {
            check.run();
            return true;
        });
    }

    /// Asks before anything is sent.
    ///
    /// @param what returns the change, without punctuation at its end: `delete the route nightly at https://…`
    public final ResourceCommand<A> confirm(Supplier<String> what) {
        var confirmation = new Confirmation(this, connection.shell());
        return ready(() -> confirmation.given(what.get()));
    }

    /// Does this before anything is sent.
    ///
    /// @param next returns whether to continue; if not, it has already reported that nothing was changed
    public final ResourceCommand<A> ready(BooleanSupplier next) {
        var before = ready;
        ready = () -> before.getAsBoolean() && next.getAsBoolean();
        return this;
    }

    /// Lets a CI workflow without a key use its id_token.
    protected final void publishes() {
        client = connection::openToPublish;
    }

    /// Sends no credential with this option, because there is none yet.
    public final ResourceCommand<A> anonymousWith(FlagOption flag) {
        client = () -> flag.isGiven() ? connection.open(null) : connection.open();
        return this;
    }

    /// Reads a line of standard input; on a terminal it asks for the line and does not show it.
    public final Secret readSecret(String what) {
        return connection
                .shell()
                .readSecret(what)
                .map(Secret::of)
                .orElseThrow(() -> misuse("there is no " + what + " on standard input"));
    }

    /// Returns ` at https://…`, for questions.
    public final String at() {
        return " at " + connection.url();
    }

    /// Sets the work and its exit status.
    public final ResourceCommand<A> exit(Function<A, ExitCode> work) {
        setWork(() -> {
            if (!ready.getAsBoolean()) {
                return ExitCode.OK;
            }
            try (var opened = client.get()) {
                return work.apply(calls.apply(opened));
            }
        });
        return this;
    }

    /// Sets the work.
    public final ResourceCommand<A> run(Consumer<A> work) {
        return exit(api -> {
            work.accept(api);
            return ExitCode.OK;
        });
    }

    /// Prints a list.
    ///
    /// @param quiet returns the word of an entry for scripts
    /// @param nothing the sentence for people if the list is empty
    public final <T> ResourceCommand<A> list(
            Function<A, List<T>> find, Function<T, ?> quiet, Table<T> table, String nothing) {
        return run(api -> output.list(find.apply(api), quiet, table, nothing));
    }

    /// Prints one thing.
    public final <T> ResourceCommand<A> show(Function<A, T> find, Function<T, ?> quiet, Function<T, Summary> summary) {
        return run(api -> {
            T found = find.apply(api);
            output.one(found, quiet.apply(found), summary.apply(found));
        });
    }

    /// Changes something and reports its new state.
    public final <T> ResourceCommand<A> change(
            Function<A, T> change, Function<T, ?> quiet, Function<T, String> sentence) {
        return run(api -> {
            T changed = change.apply(api);
            output.done(changed, quiet.apply(changed), sentence.apply(changed));
        });
    }

    /// Removes something.
    ///
    /// @param find returns its id or name, which may take a request
    public final <I> ResourceCommand<A> remove(
            Function<A, I> find, BiConsumer<A, I> remove, Function<I, String> sentence) {
        return run(api -> {
            I gone = find.apply(api);
            remove.accept(api, gone);
            removed(gone.toString(), sentence.apply(gone));
        });
    }

    /// Reports that something was removed.
    ///
    /// @param what its id or name
    public final void removed(String what, String sentence) {
        output.done(new RemovedResult(what), what, sentence);
    }

    /// Makes something with a secret. Prints the secret on standard output, the rest on standard error.
    public final <T> ResourceCommand<A> secret(
            Function<A, T> make, Function<T, @Nullable String> secret, Function<T, String> sentence) {
        return run(api -> {
            T made = make.apply(api);
            output.secret(
                    made, Objects.requireNonNull(secret.apply(made), "the answer has no secret"), sentence.apply(made));
        });
    }
}
