package dev.sheaf.cli;

import dev.sheaf.cli.account.AccountCommand;
import dev.sheaf.cli.account.GitCredentialCommand;
import dev.sheaf.cli.account.KeysCommand;
import dev.sheaf.cli.account.LoginCommand;
import dev.sheaf.cli.account.LogoutCommand;
import dev.sheaf.cli.account.MembersCommand;
import dev.sheaf.cli.account.OrgCommand;
import dev.sheaf.cli.account.PublishersCommand;
import dev.sheaf.cli.account.UserCommand;
import dev.sheaf.cli.account.WhoAmICommand;
import dev.sheaf.cli.admin.AdminCommand;
import dev.sheaf.cli.admin.AuditCommand;
import dev.sheaf.cli.admin.CacheCommand;
import dev.sheaf.cli.admin.DoctorCommand;
import dev.sheaf.cli.admin.EventsCommand;
import dev.sheaf.cli.admin.NodeCommands;
import dev.sheaf.cli.admin.ServerCommand;
import dev.sheaf.cli.admin.TaskCommands;
import dev.sheaf.cli.bundle.BundleCommands;
import dev.sheaf.cli.bundle.BundlesCommand;
import dev.sheaf.cli.bundle.DiffCommand;
import dev.sheaf.cli.bundle.EditCommand;
import dev.sheaf.cli.bundle.InfoCommand;
import dev.sheaf.cli.bundle.InitCommand;
import dev.sheaf.cli.bundle.LintCommand;
import dev.sheaf.cli.bundle.LockCommand;
import dev.sheaf.cli.bundle.OpenCommand;
import dev.sheaf.cli.bundle.PublishCommand;
import dev.sheaf.cli.bundle.PullCommand;
import dev.sheaf.cli.bundle.PushCommand;
import dev.sheaf.cli.bundle.ResolveCommand;
import dev.sheaf.cli.bundle.SearchCommand;
import dev.sheaf.cli.bundle.TagsCommand;
import dev.sheaf.cli.bundle.VerifyCommand;
import dev.sheaf.cli.bundle.VersionCommands;
import dev.sheaf.cli.bundle.VersionsCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.NamedRegistry;
import dev.sheaf.cli.command.Near;
import dev.sheaf.cli.command.Typed;
import dev.sheaf.cli.command.Words;
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
import dev.sheaf.cli.queue.JobsCommand;
import dev.sheaf.cli.queue.QueueCommand;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.webhook.WebhooksCommand;
import dev.sheaf.cli.work.WorkCommand;
import dev.sheaf.client.Users;
import dev.sheaf.client.network.Preparation;
import dev.sheaf.model.wire.account.User;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/// The tree of commands, wired by hand.
final class Commands {
    @Command(
            name = "sheaf",
            description = "Publishes and fetches bundles of skills, agents, prompts, tools and configuration.",
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "COMMAND")
    private record Root() {}

    private static final int HELP_COLUMNS = 80;
    private static final int LEAST_HELP_COLUMNS = 60;
    private static final int MOST_HELP_COLUMNS = 120;
    /// Options of the program itself, which need no command.
    private static final Set<String> VERSION = Set.of("-V", "--version");

    private final Shell shell;
    private final NamedRegistry named = new NamedRegistry();
    private final Map<String, Supplier<Object>> commands = new LinkedHashMap<>();

    private Commands(Shell shell) {
        this.shell = shell;
        commands.put("push", () -> new PushCommand(connection()));
        commands.put("publish", () -> new PublishCommand(connection()));
        commands.put("resolve", () -> new ResolveCommand(connection()));
        commands.put("pull", () -> new PullCommand(connection()));
        commands.put("init", () -> new InitCommand(shell));
        commands.put("lint", () -> new LintCommand(shell));
        commands.put("verify", () -> new VerifyCommand(connection()));
        commands.put("lock", () -> new LockCommand(connection()));
        commands.put("search", () -> new SearchCommand(connection()));
        commands.put("bundles", () -> new BundlesCommand(connection()));
        commands.put("open", () -> new OpenCommand(connection()));
        commands.put("info", () -> new InfoCommand(connection()));
        commands.put("versions", () -> new VersionsCommand(connection()));
        commands.put("tags", () -> TagsCommand.of(this::connection));
        commands.put("yank", () -> new VersionCommands.Yank(connection()));
        commands.put("unyank", () -> new VersionCommands.Unyank(connection()));
        commands.put("deprecate", () -> new VersionCommands.Deprecate(connection()));
        commands.put("undeprecate", () -> new VersionCommands.Undeprecate(connection()));
        commands.put("delete", () -> new BundleCommands.Delete(connection()));
        commands.put("restore", () -> new BundleCommands.Restore(connection()));
        commands.put("visibility", () -> new BundleCommands.ShowOrSetVisibility(connection()));
        commands.put("edit", () -> new EditCommand(connection()));
        commands.put("star", () -> star(true, "Stars a public bundle for your organization."));
        commands.put("unstar", () -> star(false, "Removes the star of your organization."));
        commands.put("diff", () -> new DiffCommand(connection()));
        addInstalls();
        addOthers();
    }

    /// Adds the commands for agent programs.
    private void addInstalls() {
        commands.put("add", () -> new AddCommand(connection()));
        commands.put("install", () -> new InstallCommand(connection()));
        commands.put("update", () -> new UpdateCommand(connection()));
        commands.put("outdated", () -> new OutdatedCommand(connection()));
        commands.put("remove", () -> new RemoveCommand(connection()));
        commands.put("list", () -> new ListCommand(connection()));
        commands.put("import", () -> new ImportCommand(connection()));
        commands.put("why", () -> new WhyCommand(connection()));
    }

    /// Adds the commands that are not about bundles.
    private void addOthers() {
        commands.put("cache", () -> CacheCommand.of(shell));
        commands.put("keys", () -> KeysCommand.of(this::connection));
        commands.put("members", () -> MembersCommand.of(this::connection));
        commands.put("publishers", () -> PublishersCommand.of(this::connection));
        commands.put("org", () -> OrgCommand.of(this::connection));
        commands.put("account", () -> AccountCommand.of(this::connection));
        commands.put("webhooks", () -> WebhooksCommand.of(this::connection));
        commands.put("queue", () -> QueueCommand.of(this::connection));
        commands.put("jobs", () -> JobsCommand.of(this::connection));
        commands.put("work", () -> new WorkCommand(connection()));
        commands.put("events", () -> EventsCommand.of(this::connection));
        commands.put("whoami", () -> new WhoAmICommand(connection()));
        commands.put("admin", this::admin);
        commands.put("login", () -> new LoginCommand(connection()));
        commands.put("logout", () -> new LogoutCommand(connection()));
        commands.put("git-credential", () -> new GitCredentialCommand(connection()));
        commands.put("doctor", () -> new DoctorCommand(connection()));
        commands.put("completion", () -> new CompletionCommand(shell));
        commands.put(NamesCommand.NAME, () -> new NamesCommand(shell, first -> of(shell, first)));
        commands.put("serve", () -> server("serve", "Starts a registry. Options: sheaf serve --help."));
        commands.put("config", () -> server("config", "Shows the settings of the server, and where each comes from."));
    }

    /// Returns the command line. It contains only the command that `first`, the first argument, names, or all
    /// commands if `first` is empty: picocli reads each command by reflection, and reading all of them takes
    /// longer than most commands run.
    static CommandLine of(Shell shell, String first) {
        return new Commands(shell).build(first);
    }

    static boolean has(Shell shell, String command) {
        return new Commands(shell).commands.containsKey(command);
    }

    private CommandLine build(String first) {
        var needed = new LinkedHashMap<String, Object>();
        neededCommands(first).forEach((name, command) -> needed.put(name, command.get()));
        var root = new CommandLine(new Root());
        needed.forEach(root::addSubcommand);
        addHelp(root);
        describe(root);
        HelpLayout.apply(root, () -> helpColumns(shell));
        Words.register(root, named);
        Words.register(root, CompletionCommand.Language.class, CompletionCommand.Language.values());
        return root.setExpandAtFiles(false) // an argument @FILE is not expanded
                .setOut(new PrintWriter(shell.out(), true))
                .setErr(new PrintWriter(shell.err(), true))
                .setColorScheme(HelpStyles.of(shell.colour()))
                .setParameterExceptionHandler((e, arguments) -> Misuse.report(shell, e, arguments))
                .setExecutionExceptionHandler((e, command, parsed) -> FailureReport.report(
                        shell, e, Typed.of(command, parsed.originalArgs()), Output.isJson(command), new Near(command)));
    }

    /// Returns only the named command, or all commands if the named one describes the others.
    private Map<String, Supplier<Object>> neededCommands(String first) {
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
        Preparation.begin(); // while picocli reads the command
        return new Connection(shell, named);
    }

    private CommandLine star(boolean starred, String description) {
        var command = new CommandLine(new BundleCommands.Star(starred, connection()));
        command.getCommandSpec().usageMessage().description(description);
        return command;
    }

    private CommandLine admin() {
        var admin = new CommandLine(new AdminCommand()).addSubcommand(new AdminCommand.Stats(connection()));
        TaskCommands.add(admin, this::connection);
        admin.addSubcommand(
                "restore",
                server(
                        "admin restore",
                        "Restores a backup into a new installation. sheaf admin restore BACKUP --data-dir DIR [--dry-run]"));
        admin.addSubcommand(
                "upgrade-check",
                server(
                        "admin upgrade-check",
                        "Says what an upgrade would change. sheaf admin upgrade-check [--data-dir DIR] [--config FILE]"));
        admin.addSubcommand(new CommandLine(new AuditCommand())
                .addSubcommand(new AuditCommand.Verify(connection()))
                .addSubcommand(new AuditCommand.Export(connection())));
        admin.addSubcommand(users());
        admin.addSubcommand(new NodeCommands.Health(connection())).addSubcommand(new NodeCommands.Mode(connection()));
        return admin.addSubcommand(new AdminCommand.ListAll(connection()))
                .addSubcommand(new AdminCommand.Cancel(connection()));
    }

    private CommandLine users() {
        var disable = new CommandLine(new UserCommand.Switch(connection(), Users::disable, User::state));
        disable.getCommandSpec().usageMessage().description("Disables an account and ends its sessions.");
        var enable = new CommandLine(new UserCommand.Switch(connection(), Users::enable, User::state));
        enable.getCommandSpec().usageMessage().description("Enables an account again.");
        var removeTotp = new CommandLine(
                new UserCommand.Switch(connection(), Users::removeTotp, user -> "without an authenticator"));
        removeTotp
                .getCommandSpec()
                .usageMessage()
                .description("Removes the authenticator of an account. The password alone is then enough.");
        return new CommandLine(new UserCommand())
                .addSubcommand(new UserCommand.Create(connection()))
                .addSubcommand(new UserCommand.ListAll(connection()))
                .addSubcommand("disable", disable)
                .addSubcommand("enable", enable)
                .addSubcommand("remove-totp", removeTotp)
                .addSubcommand(new UserCommand.ResetPassword(connection()));
    }

    private CommandLine server(String name, String description) {
        var command = new CommandLine(new ServerCommand(shell, name));
        command.getCommandSpec().usageMessage().description(description);
        return command;
    }

    private static void addHelp(CommandLine parent) {
        parent.getSubcommands().values().stream()
                .distinct()
                .forEach(
                        command -> { // an alias is listed twice
                            if (!(command.getCommand() instanceof ServerCommand)) {
                                command.getCommandSpec()
                                        .addOption(OptionSpec.builder("-h", "--help")
                                                .usageHelp(true)
                                                .description("Show this help message and exit.")
                                                .build());
                                Connection.nameTheKey(command);
                                addHelp(command);
                            }
                        });
    }

    private static void describe(CommandLine root) {
        var codes = new LinkedHashMap<String, String>();
        Arrays.stream(ExitCode.values()).forEach(code -> codes.put(" " + code.status(), code.meaning()));
        var version = Commands.class.getPackage().getImplementationVersion();
        root.getCommandSpec()
                .version("sheaf " + (version == null ? "dev" : version))
                .usageMessage()
                .exitCodeListHeading("%nExit status:%n")
                .exitCodeList(codes)
                .footer("", Connection.KEY);
    }
}
