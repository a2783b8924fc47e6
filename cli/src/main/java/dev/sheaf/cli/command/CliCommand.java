package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Output;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/// A command: its texts, its parameters and its work. Code describes them, not annotations: the compiler then knows
/// the types, and picocli need not read annotations by reflection, which took half of the time of a command.
///
/// A small command is made by a method: it adds its parameters with [#option], [#argument] and the like, and reads
/// their values in the work, when the command line is parsed. A large one is a class with the parameters as fields.
@SuppressWarnings("this-escape") // picocli only keeps the reference until the command is called
public class CliCommand implements Callable<Integer> {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
    private @Nullable Callable<ExitCode> work;
    private Function<ParameterException, Optional<String>> hint = _ -> Optional.empty();
    private int arguments;

    /// @param description lists of commands show the first sentence
    protected CliCommand(String name, String... description) {
        spec.name(name).usageMessage().description(description);
    }

    /// Returns the model of the command; each call returns the same.
    public final CommandSpec spec() {
        return spec;
    }

    protected final void setAliases(String... aliases) {
        spec.aliases(aliases);
    }

    /// Sets the end of the help.
    protected final void setFooter(String... lines) {
        spec.usageMessage().footer(lines);
    }

    protected final void setWork(Callable<ExitCode> work) {
        this.work = work;
    }

    /// Sets what to say about a common mistake on the command line.
    protected final void setHint(Function<ParameterException, Optional<String>> hint) {
        this.hint = hint;
    }

    /// Returns what to say about a common mistake; empty if the command line shows none.
    public final Optional<String> hintFor(ParameterException mistake) {
        return hint.apply(mistake);
    }

    /// Adds the options for the form of the results.
    protected final Output use(Output output) {
        spec.addMixin("output", mixin(output, output.options()));
        return output;
    }

    /// Adds the options for the registry.
    protected final Connection use(Connection connection) {
        spec.addMixin("connection", mixin(connection, connection.options()));
        return connection;
    }

    /// Adds the option for the organization.
    protected final OrganizationOption use(OrganizationOption organization) {
        spec.addMixin("organization", mixin(organization, organization.options()));
        return organization;
    }

    private static CommandSpec mixin(Object owner, List<OptionSpec> options) {
        var mixin = CommandSpec.wrapWithoutInspection(owner);
        options.forEach(mixin::addOption);
        return mixin;
    }

    /// @param names one or more, separated by spaces: `-y --yes`
    public final FlagOption flag(String names, String description) {
        var flag = FlagOption.of(names, description);
        spec.addOption(flag.option());
        return flag;
    }

    /// Adds options of which only one may be given.
    protected final void addOneOf(FlagOption... flags) {
        var group = ArgGroupSpec.builder().exclusive(true);
        Stream.of(flags).forEach(flag -> group.addArg(flag.option()));
        spec.addArgGroup(group.build());
    }

    /// @param label the name of the value in help: `PERIOD`
    public final OptionalValue<String> option(String names, String label, String description) {
        return option(String.class, names, label, description);
    }

    public final <T> OptionalValue<T> option(Class<T> type, String names, String label, String description) {
        return new OptionalValue<>(added(OptionalValue.builder(type, names, label, description)));
    }

    /// Adds an option that the command needs.
    public final RequiredValue<String> requiredOption(String names, String label, String description) {
        return new RequiredValue<>(added(
                OptionalValue.builder(String.class, names, label, description).required(true)));
    }

    /// Adds an option that may be repeated.
    public final RepeatedValue<String> options(String names, String label, String description) {
        return options(String.class, names, label, description);
    }

    public final <T> RepeatedValue<T> options(Class<T> type, String names, String label, String description) {
        return new RepeatedValue<>(added(several(type, names, label, description)));
    }

    /// Adds an option that may be repeated, of which one is needed.
    public final RepeatedValue<String> requiredOptions(String names, String label, String description) {
        return new RepeatedValue<>(
                added(several(String.class, names, label, description).required(true)));
    }

    /// Adds an option that may be repeated, and that may have several values with commas between them.
    public final RepeatedValue<String> commaOptions(String names, String label, String description) {
        return new RepeatedValue<>(
                added(several(String.class, names, label, description).splitRegex(",")));
    }

    /// Adds an option of the form NAME=VALUE that may be repeated.
    public final OptionalValue<Map<String, String>> pairs(String names, String description) {
        return new OptionalValue<>(added(OptionalValue.builder(Map.class, names, "NAME=VALUE", description)
                .auxiliaryTypes(String.class, String.class)));
    }

    /// Adds an option with an opposite, `--no-...`.
    public final OptionalValue<Boolean> choice(String name, String description) {
        return new OptionalValue<>(added(OptionSpec.builder(name)
                .type(Boolean.class)
                .arity("0")
                .negatable(true)
                .description(description)));
    }

    private static OptionSpec.Builder several(Class<?> type, String names, String label, String description) {
        return OptionalValue.builder(List.class, names, label, description).auxiliaryTypes(type);
    }

    private OptionSpec added(OptionSpec.Builder option) {
        var built = option.build();
        spec.addOption(built);
        return built;
    }

    /// Adds the next argument.
    public final RequiredValue<String> argument(String label, String description) {
        return argument(String.class, label, description);
    }

    public final <T> RequiredValue<T> argument(Class<T> type, String label, String description) {
        return new RequiredValue<>(positional(type, "1", label, description));
    }

    public final OptionalValue<String> optionalArgument(String label, String description) {
        return optionalArgument(String.class, label, description);
    }

    public final <T> OptionalValue<T> optionalArgument(Class<T> type, String label, String description) {
        return new OptionalValue<>(positional(type, "0..1", label, description));
    }

    /// Adds all further arguments.
    ///
    /// @param arity how many there may be: `0..*` or `1..*`
    public final <T> RepeatedValue<T> arguments(Class<T> type, String arity, String label, String description) {
        return new RepeatedValue<>(added(PositionalParamSpec.builder()
                .index(arguments + "..*")
                .type(List.class)
                .auxiliaryTypes(type)
                .arity(arity)
                .required(arity.startsWith("1"))
                .paramLabel(label)
                .description(description)));
    }

    private ArgSpec positional(Class<?> type, String arity, String label, String description) {
        return added(PositionalParamSpec.builder()
                .index(Integer.toString(arguments++))
                .type(type)
                .arity(arity)
                .required(arity.equals("1"))
                .paramLabel(label)
                .description(description));
    }

    private ArgSpec added(PositionalParamSpec.Builder argument) {
        var built = argument.build();
        spec.addPositional(built);
        return built;
    }

    /// Returns an exception that refuses the command line.
    public final ParameterException misuse(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    /// @throws ParameterException if it is wrong
    public final void refuse(boolean wrong, String why) {
        if (wrong) {
            throw misuse(why);
        }
    }

    @Override
    public final Integer call() throws Exception {
        if (work == null) {
            throw misuse("Missing required subcommand");
        }
        return work.call().status();
    }

    /// Returns a command line with this command as its root or for a tree.
    public final CommandLine line() {
        return new CommandLine(spec);
    }
}
