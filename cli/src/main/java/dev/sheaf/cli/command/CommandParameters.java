package dev.sheaf.cli.command;

import dev.sheaf.client.io.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options and arguments of the command that ran. The registry names members of JSON in its errors; this
/// record finds the parameter from which a member came.
public record CommandParameters(List<Parameter> all) {
    public static final CommandParameters NONE = new CommandParameters(List.of());

    /// @param name `--timeout` or `CRON`
    /// @param label the name of the value in help: `PERIOD`
    /// @param values the values as they were typed
    public record Parameter(String name, String label, List<String> values) {
        public Parameter {
            values = List.copyOf(values);
        }

        /// Returns the name with the typed value, such as `--timeout 0s`. Leaves the value out if it is long or
        /// the sentence already contains it.
        public String with(String pointer, String sentence) {
            var position = POSITION.matcher(pointer);
            int index = position.find() ? Integer.parseInt(position.group(1)) : values.size() == 1 ? 0 : -1;
            String value = index >= 0 && index < values.size() ? values.get(index) : "";
            return value.isEmpty() || value.length() > LONGEST_VALUE || sentence.contains(value)
                    ? name
                    : name + " " + ShellWord.of(value);
        }

        private boolean isNamed(String word) {
            return name.equals("--" + word) || name.equals(word.toUpperCase(Locale.ROOT));
        }

        private boolean isLabelled(String word) {
            return label.equals(word.toUpperCase(Locale.ROOT));
        }
    }

    private static final Pattern POSITION = Pattern.compile("/(\\d{1,6})$");
    private static final int LONGEST_VALUE = 60;
    private static final Pattern CAPITAL = Pattern.compile("([A-Z])");
    private static final Pattern UNIT = Pattern.compile("-(?:url|seconds?|days?)$");
    /// Options that choose the registry and the output format; no request contains them.
    private static final Set<String> SHARED = Set.of("connection", "output");

    /// Members whose parameters have other names.
    private static final Map<String, List<String>> OTHERWISE = Map.of(
            "slug", List.of("namespace", "habitat", "queue", "bundle", "name"),
            "email", List.of("address", "user"),
            "retention-days", List.of("keep"),
            "environment", List.of("env"),
            "repository", List.of("github", "gitlab"),
            "conditions", List.of("claim"),
            "template", List.of("file"),
            "cidrs", List.of("address"));

    public CommandParameters {
        all = List.copyOf(all);
    }

    static CommandParameters of(CommandLine command) {
        var spec = command.getCommandSpec();
        var shared = SHARED.stream()
                .map(spec.mixins()::get)
                .filter(mixin -> mixin != null)
                .flatMap(mixin -> mixin.optionsMap().keySet().stream())
                .collect(Collectors.toSet());
        return new CommandParameters(spec.args().stream()
                .map(CommandParameters::parameter)
                .filter(parameter -> !shared.contains(parameter.name()))
                .toList());
    }

    private static Parameter parameter(ArgSpec argument) {
        String name = argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
        return new Parameter(name, argument.paramLabel(), argument.originalStringValues());
    }

    /// Returns the value of the only parameter with this name or label.
    public Optional<String> value(String label) {
        return all.stream()
                .filter(parameter -> parameter.label().equals(label))
                .flatMap(parameter -> parameter.values().stream())
                .findFirst();
    }

    /// Returns the parameter from which a member came, by its JSON pointer: `--type` for `/eventTypes/0`.
    public Optional<Parameter> of(String pointer) {
        var words = words(pointer);
        return first(words, parameter -> !parameter.values().isEmpty()).or(() -> first(words, _ -> true));
    }

    private Optional<Parameter> first(Set<String> words, Predicate<Parameter> which) {
        return words.stream()
                .flatMap(word -> all.stream().filter(which).filter(parameter -> parameter.isNamed(word)))
                .findFirst()
                .or(() -> words.stream()
                        .flatMap(word -> all.stream().filter(which).filter(parameter -> parameter.isLabelled(word)))
                        .findFirst());
    }

    /// Returns possible names of the parameter, the likeliest first.
    private static Set<String> words(String pointer) {
        var segments = new ArrayList<>(Stream.of(pointer.split("/"))
                .filter(segment -> !segment.isEmpty() && !segment.matches("\\d+"))
                .map(segment -> CAPITAL.matcher(segment).replaceAll("-$1").toLowerCase(Locale.ROOT))
                .toList());
        var words = new LinkedHashSet<String>();
        for (String whole : segments.reversed()) {
            String one = whole.replaceFirst("s$", "");
            words.addAll(List.of(whole, one, UNIT.matcher(whole).replaceFirst("")));
            words.addAll(OTHERWISE.getOrDefault(whole, List.of()));
            words.addAll(List.of(one.substring(one.lastIndexOf('-') + 1), whole.replaceFirst("-.*", "")));
        }
        return words;
    }
}
