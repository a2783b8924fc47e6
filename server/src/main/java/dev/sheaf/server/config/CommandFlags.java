package dev.sheaf.server.config;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reads command lines: the options that a command declares by annotations, and every setting as `--key value` or
/// `--key=value`.
public final class CommandFlags {
    private static final int MAX_SLIPS = 2;

    private CommandFlags() {}

    /// A command of the server.
    public interface Command {
        /// Called before the settings are read; may add to the settings of the command line.
        ///
        /// @throws StartException if the parsed options are invalid
        default void parsed(Map<String, String> settings) {}

        ServerExit run(Config config);
    }

    /// Runs a command, or shows its help.
    ///
    /// @throws StartException if the command line is invalid or the command fails
    public static ServerExit run(
            Command command, List<String> arguments, Map<String, String> environment, PrintStream out)
            throws Config.InvalidException {
        var settings = new LinkedHashMap<String, String>();
        var line = of(command, settings);
        try {
            line.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new StartException(
                    ServerExit.USAGE,
                    messageOf(e) + "\n  see: " + line.getCommandSpec().name() + " --help");
        }
        if (line.isUsageHelpRequested()) {
            line.usage(out, CommandLine.Help.Ansi.OFF);
            return ServerExit.OK;
        }
        command.parsed(settings);
        return command.run(Config.load(settings, environment));
    }

    /// @param settings receives the settings on the command line
    private static CommandLine of(Command command, Map<String, String> settings) {
        var line = new CommandLine(command);
        var spec = line.getCommandSpec();
        spec.usageMessage().sortOptions(false).width(120);
        add(spec, "config", settings);
        for (Setting setting : Setting.values()) {
            add(spec, setting.key(), settings);
        }
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Shows this help.")
                .build());
        return line.setOverwrittenOptionsAllowed(true).setExpandAtFiles(false);
    }

    private static void add(CommandSpec spec, String key, Map<String, String> settings) {
        spec.addOption(OptionSpec.builder("--" + key)
                .type(String.class)
                .hidden(true)
                .setter(new Into(key, settings))
                .build());
    }

    private record Into(String key, Map<String, String> settings) implements ISetter {
        @Override
        public <T> @Nullable T set(@Nullable T value) {
            if (value != null) {
                settings.put(key, value.toString());
            }
            return null;
        }
    }

    private static String messageOf(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched ->
                unmatched(unmatched.getUnmatched()) + suggestion(unmatched.getUnmatched());
            case MissingParameterException missing
            when missing.getMissing().getFirst() instanceof OptionSpec option ->
                option.longestName() + " needs a value" + expectedValue(option);
            default -> String.valueOf(e.getMessage());
        };
    }

    /// Returns what the value must be; empty if it may be anything.
    private static String expectedValue(OptionSpec option) {
        return Arrays.stream(Setting.values())
                .filter(setting -> option.longestName().equals("--" + setting.key()))
                .map(setting -> setting.rule().words())
                .filter(words -> !words.isEmpty())
                .findFirst()
                .map(words -> "; it " + words)
                .orElse("");
    }

    /// Returns a hint with the setting that is spelled most like the argument. picocli suggests no hidden options.
    private static String suggestion(List<String> arguments) {
        String typed = arguments.getFirst().replaceFirst("=.*", "");
        return Arrays.stream(Setting.values())
                .map(setting -> "--" + setting.key())
                .filter(flag -> typed.startsWith("--") && slips(typed, flag) <= MAX_SLIPS)
                .min(Comparator.comparingInt(flag -> slips(typed, flag)))
                .map(flag -> "; did you mean " + flag + "?")
                .orElse("");
    }

    /// Returns the Levenshtein distance.
    private static int slips(String from, String to) {
        int[] before = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int[] now = new int[before.length];
            now[0] = i;
            for (int j = 1; j < now.length; j++) {
                int replaced = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[to.length()];
    }

    private static String unmatched(List<String> arguments) {
        var flags =
                arguments.stream().filter(argument -> argument.startsWith("--")).toList();
        if (flags.isEmpty()) {
            return "unexpected argument " + arguments.getFirst() + "; a setting is --key value";
        }
        return flags.contains("--json")
                ? "sheaf config has no --json: it prints lines of key = value"
                : "unknown setting " + String.join(", ", flags) + "; `sheaf config` lists all of them";
    }
}
