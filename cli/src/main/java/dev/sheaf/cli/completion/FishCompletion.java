package dev.sheaf.cli.completion;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Writes completions in the language of fish(1), from the model of the commands.
final class FishCompletion {
    private static final String HEAD = """
            # Completion of sheaf for fish.
            # Succeeds if the words typed so far, without options, are exactly these commands.
            function __sheaf_at
                set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
                test "$words" = "$argv"
            end
            # Succeeds if they begin with these commands.
            function __sheaf_in
                set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
                set -l most (count $argv)
                test "$words[1..$most]" = "$argv"
            end
            # Names that the registry knows.
            function __sheaf_names
                set -l words (commandline -opc)[2..-1]
                set -l current (commandline -ct)
                if type -q sheaf; and not string match -q -- '-*' "$current"
                    sheaf @names@ -- $words "$current" 2>/dev/null
                end
            end
            """.replace("@names@", NamesCommand.NAME);

    private final StringBuilder script = new StringBuilder(HEAD);

    private FishCompletion() {}

    static String script(CommandLine root) {
        var fish = new FishCompletion();
        fish.add(root, "");
        return fish.script.toString();
    }

    /// @param path the commands that lead here, each followed by a space
    private void add(CommandLine command, String path) {
        command.getSubcommands().values().stream()
                .distinct()
                .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
                .forEach(below -> {
                    String name = below.getCommandName();
                    script.append("complete -c sheaf -f -n '__sheaf_at ").append(path.strip());
                    script.append("' -a ")
                            .append(name)
                            .append(described(
                                    below.getCommandSpec().usageMessage().description()));
                    add(below, path + name + " ");
                });
        for (var parameter : command.getCommandSpec().positionalParameters()) {
            var words = parameter.completionCandidates();
            if (words != null) {
                script.append("complete -c sheaf -f -n '__sheaf_in ").append(path.strip());
                script.append("' -a '").append(String.join(" ", words)).append("'\n");
            }
        }
        var positional = command.getCommandSpec().positionalParameters();
        if (positional.stream().anyMatch(FishCompletion::isNamed)) {
            boolean files = positional.stream()
                    .anyMatch(parameter -> parameter.typeInfo().getType() == Path.class);
            script.append(files ? "complete -c sheaf" : "complete -c sheaf -f")
                    .append(" -n '__sheaf_in ")
                    .append(path.strip());
            script.append("' -a '(__sheaf_names)'\n");
        }
        for (OptionSpec option : command.getCommandSpec().options()) {
            String condition = path.isEmpty() ? "__sheaf_at" : "__sheaf_in " + path.strip();
            script.append("complete -c sheaf -n '").append(condition).append('\'');
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
                script.append(option.negatable() ? " -l no-" + name.substring(2) : "");
            }
            script.append(value(option)).append(described(option.description()));
        }
    }

    /// Returns the flags of an option with a value, and its possible values if they are known.
    private static String value(OptionSpec option) {
        var words = option.completionCandidates();
        if (words != null) {
            return " -x -a '" + String.join(" ", words) + "'";
        }
        if (isNamed(option)) {
            return " -x -a '(__sheaf_names)'";
        }
        return option.arity().max() > 0 ? " -r" : "";
    }

    private static boolean isNamed(ArgSpec argument) {
        return WordUnderCursor.Kind.of(argument).isPresent();
    }

    private static String described(String[] lines) {
        String text = Arrays.stream(lines).limit(1).collect(Collectors.joining());
        int end = text.indexOf(". ");
        String sentence = (end < 0 ? text : text.substring(0, end + 1)).replace("%n", " ");
        return " -d '" + sentence.replace("\\", "\\\\").replace("'", "\\'") + "'\n";
    }
}
