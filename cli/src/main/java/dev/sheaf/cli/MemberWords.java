package dev.sheaf.cli;

import dev.sheaf.cli.command.Typed;
import dev.sheaf.model.Problem;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Members of JSON that a registry complains about, by the options that they were typed as.
final class MemberWords {
    private static final Pattern CAPITAL = Pattern.compile("([A-Z])");
    private static final Pattern ENTRY = Pattern.compile("/\\d+$");

    private MemberWords() {}

    /// The sentence without the pointer into JSON that nobody typed: it names the option, or the thing itself.
    static String sentence(String sentence, List<Problem.FieldError> errors, Typed typed) {
        if (errors.size() != 1 || errors.getFirst().pointer().isEmpty()) {
            return sentence;
        }
        String pointer = errors.getFirst().pointer();
        if (!sentence.startsWith(pointer + ": ")) {
            return sentence;
        }
        String place = place(pointer, typed);
        String rest = sentence.substring(pointer.length() + 2);
        String member = '"' + name(pointer) + "\" ";
        if (!place.startsWith("--") || !rest.startsWith(member)) {
            return place + ": " + rest;
        }
        boolean seconds = name(pointer).endsWith("Seconds");
        return place + ": " + (seconds ? "in seconds, it " : "") + rest.substring(member.length());
    }

    private static String name(String pointer) {
        String member = ENTRY.matcher(pointer).replaceFirst("");
        return member.substring(member.lastIndexOf('/') + 1);
    }

    /// The option that the member was typed as, else the member: of `/eventTypes/0` that is `--type`.
    private static String place(String pointer, Typed typed) {
        String name = name(pointer);
        String words = CAPITAL.matcher(name).replaceAll("-$1").toLowerCase(Locale.ROOT);
        String one = words.replaceFirst("s$", "");
        return Stream.of(
                        words,
                        one,
                        one.substring(one.lastIndexOf('-') + 1),
                        one.replaceFirst("-(?:url|second|day)$", ""),
                        one.equals("retention-day") ? "keep" : one,
                        // `/retry/capSeconds` is a part of what `--retry` says
                        pointer.replaceFirst("^/([^/]*)/.*", "$1"))
                .map(word -> "--" + word)
                .filter(option -> typed.command().matches("(?s).* " + Pattern.quote(option) + "(?:[ =].*)?"))
                .findFirst()
                .orElse(name);
    }
}
