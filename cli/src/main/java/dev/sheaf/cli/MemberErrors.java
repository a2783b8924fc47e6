package dev.sheaf.cli;

import dev.sheaf.cli.command.CommandParameters;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.text.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/// Rewrites the registry's error messages about JSON members for the command line: names the option or argument
/// from which the member came.
final class MemberErrors {
    private static final Pattern ENTRY = Pattern.compile("/\\d+$");
    private static final Pattern NUMBER = Pattern.compile("\\b\\d{1,9}\\b");

    private MemberErrors() {}

    /// Returns the registry's message. If it is about one member, the name of the parameter replaces the JSON
    /// pointer.
    static String sentence(String sentence, List<FieldError> errors, CommandParameters parameters) {
        boolean one = errors.size() == 1
                && !errors.getFirst().pointer().isEmpty()
                && sentence.startsWith(errors.getFirst().pointer() + ": ");
        return one ? sentence(errors.getFirst(), parameters) : sentence;
    }

    /// Returns the message for one of several errors. It contains the whole pointer if the member was not typed
    /// but came from a file, for example.
    static String line(FieldError error, CommandParameters parameters) {
        String pointer = error.pointer();
        if (pointer.isEmpty()) {
            return error.detail();
        }
        return parameters.of(pointer).isPresent()
                ? sentence(error, parameters)
                : Quoted.of(pointer) + ": " + error.detail();
    }

    private static String sentence(FieldError error, CommandParameters parameters) {
        String pointer = error.pointer();
        String name = name(pointer);
        var parameter = parameters.of(pointer);
        String rest = error.detail();
        String member = '"' + name + "\" ";
        if (rest.startsWith(member)) {
            rest = rest.substring(member.length());
        }
        if (parameter.isEmpty()) {
            return name + ": " + rest;
        }
        String said = periods(name, rest);
        return parameter.orElseThrow().with(pointer, said) + ": " + said;
    }

    /// Writes numbers as periods with a unit, as users type them. The registry's messages count seconds or
    /// days.
    private static String periods(String name, String rest) {
        long unit = name.endsWith("Seconds")
                ? 1
                : name.endsWith("Days") ? Duration.ofDays(1).toSeconds() : 0;
        return unit == 0
                ? rest
                : NUMBER.matcher(rest)
                        .replaceAll(
                                number -> TextFormat.period(Duration.ofSeconds(unit * Long.parseLong(number.group()))))
                        .replace("a whole number", "a period");
    }

    private static String name(String pointer) {
        String member = ENTRY.matcher(pointer).replaceFirst("");
        return member.substring(member.lastIndexOf('/') + 1);
    }
}
