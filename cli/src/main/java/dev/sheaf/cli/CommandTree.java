package dev.sheaf.cli;

import dev.sheaf.cli.account.AccountCommands;
import dev.sheaf.cli.account.GitCredentialCommand;
import dev.sheaf.cli.account.KeyCommands;
import dev.sheaf.cli.account.LoginCommand;
import dev.sheaf.cli.account.LogoutCommand;
import dev.sheaf.cli.account.MemberCommands;
import dev.sheaf.cli.account.OrganizationCommands;
import dev.sheaf.cli.account.PublisherCommands;
import dev.sheaf.cli.account.WhoAmICommand;
import dev.sheaf.cli.admin.AdminCommands;
import dev.sheaf.cli.admin.CacheCommands;
import dev.sheaf.cli.admin.DoctorCommand;
import dev.sheaf.cli.admin.EventCommands;
import dev.sheaf.cli.admin.ServerCommand;
import dev.sheaf.cli.bundle.BundleCommands;
import dev.sheaf.cli.bundle.DiffCommand;
import dev.sheaf.cli.bundle.InitCommand;
import dev.sheaf.cli.bundle.LintCommand;
import dev.sheaf.cli.bundle.LockCommand;
import dev.sheaf.cli.bundle.PublishCommand;
import dev.sheaf.cli.bundle.PullCommand;
import dev.sheaf.cli.bundle.PushCommand;
import dev.sheaf.cli.bundle.RecallCommands;
import dev.sheaf.cli.bundle.ResolveCommand;
import dev.sheaf.cli.bundle.ReviewCommands;
import dev.sheaf.cli.bundle.TagCommands;
import dev.sheaf.cli.bundle.UsageCommand;
import dev.sheaf.cli.bundle.VerifyCommand;
import dev.sheaf.cli.bundle.VersionCommands;
import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.NameSuggestions;
import dev.sheaf.cli.command.NamedRegistry;
import dev.sheaf.cli.command.TypedCommand;
import dev.sheaf.cli.command.ValueParsers;
import dev.sheaf.cli.completion.CompletionCommand;
import dev.sheaf.cli.completion.NamesCommand;
import dev.sheaf.cli.install.AddCommand;
import dev.sheaf.cli.install.ImportCommand;
import dev.sheaf.cli.install.InstallCommand;
import dev.sheaf.cli.install.ListCommand;
import dev.sheaf.cli.install.OutdatedCommand;
import dev.sheaf.cli.install.RemoveCommand;
import dev.sheaf.cli.install.UpdateCommand;
import dev.sheaf.cli.install.WhyCommand;
import dev.sheaf.cli.queue.JobCommands;
import dev.sheaf.cli.queue.QueueCommands;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.webhook.WebhookCommands;
import dev.sheaf.cli.work.WorkCommand;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The tree of commands, wired by hand.
final class CommandTree {
    private static final int HELP_COLUMNS = 80;
    private static final int LEAST_HELP_COLUMNS = 60;
    private static final int MOST_HELP_COLUMNS = 120;

    /// Options of the program itself, which need no command.
    private static final Set<String> VERSION = Set.of("-V", "--version");

    private final Shell shell;
    private final NamedRegistry named = new NamedRegistry();
    private final Map<String, Supplier<CliCommand>> commands = new LinkedHashMap<>();

    private CommandTree(Shell shell) {
        this.shell = shell;
        add("push", PushCommand::new);
        add("publish", PublishCommand::new);
        add("resolve", ResolveCommand::of);
        add("pull", PullCommand::new);
        commands.put("init", () -> new InitCommand(shell));
        commands.put("lint", () -> new LintCommand(shell));
        add("verify", VerifyCommand::new);
        add("lock", LockCommand::new);
        add("search", BundleCommands::search);
        add("bundles", BundleCommands::list);
        add("open", BundleCommands::open);
        add("info", BundleCommands::info);
        add("versions", BundleCommands::versions);
        add("usage", UsageCommand::of);
        add("dependents", BundleCommands::dependents);
        addGroup("tags", TagCommands::of);
        add("yank", VersionCommands::yank);
        add("unyank", VersionCommands::unyank);
        addGroup("review", ReviewCommands::of);
        add("recall", RecallCommands::recall);
        add("unrecall", RecallCommands::unrecall);
        add("advisories", RecallCommands::advisories);
        add("deprecate", VersionCommands::deprecate);
        add("undeprecate", VersionCommands::undeprecate);
        add("delete", VersionCommands::delete);
        add("restore", BundleCommands::restore);
        add("visibility", BundleCommands::visibility);
        add("edit", BundleCommands::edit);
        add("star", BundleCommands::star);
        add("unstar", BundleCommands::unstar);
        add("diff", DiffCommand::new);
        addInstalls();
        addOthers();
    }

    /// Adds the commands for agent programs.
    private void addInstalls() {
        add("add", AddCommand::new);
        add("install", InstallCommand::new);
        add("update", UpdateCommand::new);
        add("outdated", OutdatedCommand::new);
        add("remove", RemoveCommand::new);
        add("list", ListCommand::new);
        add("import", ImportCommand::new);
        add("why", WhyCommand::new);
    }

    /// Adds the commands that are not about bundles.
    private void addOthers() {
        addGroup("cache", connections -> CacheCommands.of(connections, shell));
        addGroup("keys", KeyCommands::of);
        addGroup("members", MemberCommands::of);
        addGroup("publishers", PublisherCommands::of);
        addGroup("org", OrganizationCommands::of);
        addGroup("account", AccountCommands::of);
        addGroup("webhooks", WebhookCommands::of);
        addGroup("queue", QueueCommands::of);
        addGroup("jobs", JobCommands::of);
        add("work", WorkCommand::new);
        addGroup("events", EventCommands::of);
        add("whoami", WhoAmICommand::of);
        addGroup("admin", connections -> AdminCommands.of(connections, shell));
        add("login", LoginCommand::new);
        add("logout", LogoutCommand::new);
        add("git-credential", GitCredentialCommand::new);
        add("doctor", DoctorCommand::new);
        commands.put("completion", () -> new CompletionCommand(shell));
        commands.put(NamesCommand.NAME, () -> new NamesCommand(shell, first -> of(shell, first)));
        commands.put(
                "serve", () -> new ServerCommand(shell, "serve", "Starts a registry. Options: sheaf serve --help."));
        commands.put(
                "config",
                () -> new ServerCommand(
                        shell, "config", "Shows the settings of the server, and where each comes from."));
    }

    private void add(String name, Function<Connection, CliCommand> command) {
        commands.put(name, () -> command.apply(connection()));
    }

    private void addGroup(String name, Function<Supplier<Connection>, CliCommand> group) {
        commands.put(name, () -> group.apply(this::connection));
    }

    /// Returns the command line. It contains only the command that `first`, the first argument, names, or all
    /// commands if `first` is empty: to make all of them takes longer than most commands run.
    static CommandLine of(Shell shell, String first) {
        return new CommandTree(shell).build(first);
    }

    static boolean has(Shell shell, String command) {
        return new CommandTree(shell).commands.containsKey(command);
    }

    private CommandLine build(String first) {
        var root = root();
        neededCommands(first).values().forEach(command -> {
            var made = command.get().line();
            root.addSubcommand(made.getCommandName(), made);
        });
        addHelp(root);
        HelpLayout.apply(root, () -> helpColumns(shell));
        ValueParsers.register(root, named);
        ValueParsers.register(root, CompletionCommand.Language.class, CompletionCommand.Language.values());
        return root.setExpandAtFiles(false) // an argument @FILE is not expanded
                .setOut(new PrintWriter(shell.out(), true))
                .setErr(new PrintWriter(shell.err(), true))
                .setColorScheme(HelpStyles.of(shell.colour()))
                .setParameterExceptionHandler((e, arguments) -> UsageErrors.report(shell, e, arguments))
                .setExecutionExceptionHandler((e, command, parsed) -> FailureReport.report(
                        shell,
                        e,
                        TypedCommand.of(command, parsed.originalArgs()),
                        Output.isJson(command),
                        new NameSuggestions(command)));
    }

    /// Returns only the named command, or all commands if the named one describes the others.
    private Map<String, Supplier<CliCommand>> neededCommands(String first) {
        if (VERSION.contains(first)) {
            return Map.of();
        }
        var command = commands.get(first);
        return command == null || first.equals("completion") ? commands : Map.of(first, command);
    }

    /// Returns the width of the terminal, within limits that are easy to read.
    private static int helpColumns(Shell shell) {
        return shell.terminal() ? Math.clamp(shell.columns(), LEAST_HELP_COLUMNS, MOST_HELP_COLUMNS) : HELP_COLUMNS;
    }

    private Connection connection() {
        return new Connection(shell, named);
    }

    private static CommandLine root() {
        var version = CommandTree.class.getPackage().getImplementationVersion();
        var codes = new LinkedHashMap<String, String>();
        Arrays.stream(ExitCode.values()).forEach(code -> codes.put(" " + code.status(), code.meaning()));
        var spec = CommandSpec.create()
                .name("sheaf")
                .version("sheaf " + (version == null ? "dev" : version))
                .addOption(help())
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print version information and exit.")
                        .build());
        spec.usageMessage()
                .description("Publishes and fetches bundles of skills, agents, prompts, tools and configuration.")
                .synopsisSubcommandLabel("COMMAND")
                .exitCodeListHeading("%nExit status:%n")
                .exitCodeList(codes)
                .footer("", Connection.KEY);
        return new CommandLine(spec);
    }

    private static void addHelp(CommandLine parent) {
        parent.getSubcommands().values().stream()
                .distinct() // an alias is listed twice
                .filter(command -> !(command.getCommand() instanceof ServerCommand))
                .forEach(command -> {
                    command.getCommandSpec().addOption(help());
                    Connection.nameTheKey(command);
                    addHelp(command);
                });
    }

    private static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help message and exit.")
                .build();
    }
}
