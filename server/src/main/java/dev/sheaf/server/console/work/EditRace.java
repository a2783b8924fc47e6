package dev.sheaf.server.console.work;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.http.message.ConditionalWrite;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Detects that two people edit the same object. A form contains the validator of the shown state, so that
/// nobody overwrites an unseen change, and a mark of each field, which shows what the other person changed.
public final class EditRace {
    /// The validator of the shown state.
    public static final String ETAG = "etag";

    /// Marks of its fields, as `name=mark`, separated by spaces.
    public static final String MARKS = "marks";

    private static final int MARK = 12; // hexadecimal digits
    private static final int BRIEF = 200; // characters

    private EditRace() {}

    /// The current state, and its validator.
    public record Current<T>(T value, String etag) {
        /// @param fixed the part of the state that forms change
        public static <T> Current<T> of(T value, Object fixed) {
            return new Current<>(value, ConditionalWrite.etag(fixed));
        }
    }

    /// Returns the check that the state is still as the form shows it.
    ///
    /// @param fixed returns the part of the state that forms change
    public static <T> Consumer<T> unchanged(FilledForm form, Function<T, ?> fixed) {
        var check = ConditionalWrite.<Object>of(form.of(ETAG));
        return current -> check.accept(fixed.apply(current));
    }

    /// Returns a form for the current state.
    ///
    /// @param form the form with the values of the current state
    public static FilledForm begin(FilledForm form, String etag) {
        return form.with(ETAG, etag).with(MARKS, marks(form));
    }

    /// Returns the typed form, to be saved over the current state.
    ///
    /// @param now the form that [#begin] returned for the current state
    public static FilledForm again(FilledForm typed, FilledForm now) {
        return typed.with(ETAG, now.of(ETAG)).with(MARKS, now.of(MARKS));
    }

    /// Reports what somebody else has changed since a form was shown.
    ///
    /// @param typed the typed form, with the marks of the shown state
    /// @param now the form of the current state
    public static FormErrors lost(FilledForm typed, FilledForm now, Problem problem) {
        var shown = parsed(typed.of(MARKS));
        var is = parsed(now.of(MARKS));
        var names = new TreeSet<>(shown.keySet());
        names.addAll(is.keySet());
        var changed = new LinkedHashMap<String, String>();
        for (String name : names) {
            if (!shown.getOrDefault(name, "").equals(is.getOrDefault(name, ""))) {
                changed.put(name, describeChange(name, now));
            }
        }
        String what = changed.isEmpty()
                ? "After you opened this page, somebody else changed something that it does not show."
                : "Somebody else changed this after you opened the page.";
        return new FormErrors(
                changed, List.of(what + " Your input is below; if you save it, it replaces their changes."), problem);
    }

    private static String describeChange(String name, FilledForm now) {
        String value = String.join(", ", now.all(name));
        if (value.isBlank()) {
            return "Somebody else has emptied " + name + ".";
        }
        String brief = value.codePointCount(0, value.length()) <= BRIEF
                ? value
                : value.substring(0, value.offsetByCodePoints(0, BRIEF)) + "…";
        return "Somebody else has set " + name + " to “" + PageFormat.visible(brief) + "”.";
    }

    private static String marks(FilledForm form) {
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
