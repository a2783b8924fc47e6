package dev.sheaf.cli;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/// The lists of commands in help: the commands of `sheaf` in groups, with a few lines to start with.
final class HelpCommands {
    private static final Map<String, List<String>> GROUPS = groups();
    private static final String SENTENCE_END = "\\.(?: .*)?$";

    private HelpCommands() {}

    private static Map<String, List<String>> groups() {
        var groups = new LinkedHashMap<String, List<String>>();
        groups.put("Use bundles", List.of("add", "install", "update", "outdated", "remove", "list", "why", "import"));
        groups.put("Fetch files", List.of("pull", "lock", "verify", "resolve"));
        groups.put(
                "Find",
                List.of(
                        "search",
                        "bundles",
                        "open",
                        "info",
                        "versions",
                        "usage",
                        "dependents",
                        "diff",
                        "star",
                        "unstar"));
        groups.put("Publish", List.of("init", "lint", "push", "publish", "review", "tags", "edit", "visibility"));
        groups.put(
                "Withdraw",
                List.of(
                        "yank",
                        "unyank",
                        "recall",
                        "unrecall",
                        "advisories",
                        "deprecate",
                        "undeprecate",
                        "delete",
                        "restore"));
        groups.put(
                "Login, organization and keys",
                List.of("login", "logout", "whoami", "account", "org", "members", "keys", "publishers"));
        groups.put("Queues, workers and events", List.of("queue", "jobs", "work", "webhooks", "events"));
        groups.put("Run a server", List.of("serve", "config", "admin"));
        groups.put("Shell and settings", List.of("doctor", "cache", "completion", "git-credential"));
        return groups;
    }

    /// Returns the first steps; only the help of `sheaf` itself shows them.
    static String start(Help help) {
        return isRoot(help) ? "\n" + heading("Start here", help) + """

                    sheaf login --url URL              signs in to a registry
                    sheaf add acme/java-kit            installs its skills for your agents
                    sheaf pull acme/java-kit           writes its files to ./java-kit
                    sheaf push . acme/java-kit:1.0.0   publishes this directory as a version
                  """ : "";
    }

    /// Returns the names of all commands in the groups; a name in two groups appears twice.
    static List<String> grouped() {
        return GROUPS.values().stream().flatMap(List::stream).toList();
    }

    /// Returns the list of subcommands; empty if there are none.
    static String list(Help help) {
        var below = new LinkedHashMap<String, CommandLine>();
        new LinkedHashSet<>(help.commandSpec().subcommands().values())
                .stream()
                        .filter(command ->
                                !command.getCommandSpec().usageMessage().hidden())
                        .forEach(command -> below.put(command.getCommandName(), command));
        if (below.isEmpty()) {
            return "";
        }
        return isRoot(help)
                ? GROUPS.entrySet().stream()
                                .map(group -> group(group.getKey(), group.getValue(), below, help))
                                .collect(Collectors.joining("\n", "\n", ""))
                        + "\nsheaf COMMAND --help describes a command; sheaf --version prints the version.\n"
                : "\n" + group("Commands", List.copyOf(below.keySet()), below, help);
    }

    private static boolean isRoot(Help help) {
        return help.commandSpec().parent() == null;
    }

    private static String group(String title, List<String> names, Map<String, CommandLine> commands, Help help) {
        int width = commands.values().stream()
                .mapToInt(command -> names(command).length())
                .max()
                .orElseThrow();
        return heading(title, help)
                + names.stream()
                        .map(commands::get)
                        .map(command -> "\n  "
                                + help.colorScheme().commandText(names(command))
                                + " ".repeat(width - names(command).length() + 2)
                                + firstSentence(command))
                        .collect(Collectors.joining())
                + "\n";
    }

    private static String heading(String title, Help help) {
        return help.colorScheme().ansi().string("@|bold " + title + "|@") + ":";
    }

    private static String names(CommandLine command) {
        return String.join(", ", command.getCommandSpec().names());
    }

    private static String firstSentence(CommandLine command) {
        return command.getCommandSpec().usageMessage().description()[0].replaceFirst(SENTENCE_END, "");
    }
}
