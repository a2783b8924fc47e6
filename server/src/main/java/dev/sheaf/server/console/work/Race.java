package dev.sheaf.server.console.work;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Show;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Two people who edit the same thing at a time. A form holds the validator of what it was made from, so that whoever
/// saves last replaces nothing unseen; and a mark of each field, which tells what the other one has changed.
public final class Race {
    /// Of the thing that a form was made from.
    public static final String ETAG = "etag";

    /// Of its fields, as `name=mark`, separated by spaces.
    public static final String MARKS = "marks";

    private static final int MARK = 12; // hexadecimal digits
    private static final int BRIEF = 200; // characters

    private Race() {}

    /// A form for a thing as it is.
    ///
    /// @param form filled in from it
    public static Filled begin(Filled form, String etag) {
        return form.with(ETAG, etag).with(MARKS, marks(form));
    }

    /// What was typed, to be saved over the thing as it is now.
    ///
    /// @param now as [#begin] made it
    public static Filled again(Filled typed, Filled now) {
        return typed.with(ETAG, now.of(ETAG)).with(MARKS, now.of(MARKS));
    }

    /// Says what somebody else has changed since a form was shown.
    ///
    /// @param typed with the marks of what was shown
    /// @param now the form of the thing as it is
    public static FormErrors lost(Filled typed, Filled now, Problem problem) {
        var shown = parsed(typed.of(MARKS));
        var is = parsed(now.of(MARKS));
        var names = new TreeSet<>(shown.keySet());
        names.addAll(is.keySet());
        var changed = new LinkedHashMap<String, String>();
        for (String name : names) {
            if (!shown.getOrDefault(name, "").equals(is.getOrDefault(name, ""))) {
                changed.put(name, said(name, now));
            }
        }
        String what = changed.isEmpty()
                ? "Somebody else has changed something since this page was shown that is not on it."
                : "Somebody else has changed this since the page was shown.";
        return new FormErrors(
                changed, List.of(what + " Below is what you typed; saving it now replaces theirs."), problem);
    }

    private static String said(String name, Filled now) {
        String value = String.join(", ", now.all(name));
        if (value.isBlank()) {
            return "Somebody else has emptied " + name + ".";
        }
        String brief = value.codePointCount(0, value.length()) <= BRIEF
                ? value
                : value.substring(0, value.offsetByCodePoints(0, BRIEF)) + "…";
        return "Somebody else has set " + name + " to “" + Show.visible(brief) + "”.";
    }

    private static String marks(Filled form) {
        return form.fields().keySet().stream()
                .filter(name -> !form.all(name).isEmpty())
                .map(name -> name + "=" + mark(form.all(name)))
                .collect(Collectors.joining(" "));
    }

    private static String mark(List<String> values) {
        String all = String.join("\n", values);
        return Digest.sha256(all.getBytes(StandardCharsets.UTF_8)).hex().substring(0, MARK);
    }

    private static Map<String, String> parsed(String marks) {
        var parsed = new LinkedHashMap<String, String>();
        for (String pair : marks.split(" ")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parsed.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return parsed;
    }
}
