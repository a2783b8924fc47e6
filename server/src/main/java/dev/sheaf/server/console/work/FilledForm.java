package dev.sheaf.server.console.work;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The texts in the fields of a form, and their meaning for the API, which checks them.
public record FilledForm(Map<String, List<String>> fields) {
    public static final FilledForm NOTHING = new FilledForm(Map.of());

    private static final String NUMBER = "-?[0-9]{1,9}";
    private static final String LOCAL_TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?";
    private static final int WITH_SECONDS = 19;

    public static FilledForm of(FormFields form) {
        return new FilledForm(form.fields());
    }

    /// Returns the form with one more field.
    public FilledForm with(String name, @Nullable Object value) {
        var all = new LinkedHashMap<>(fields);
        if (value != null) {
            all.put(
                    name,
                    value instanceof List<?> several
                            ? several.stream().map(Object::toString).toList()
                            : List.of(value.toString()));
        }
        return new FilledForm(all);
    }

    /// Returns the text of a field; empty if the field is missing. Replaces CR LF, with which browsers end
    /// lines.
    public String of(String name) {
        var values = fields.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.getFirst().replace("\r\n", "\n");
    }

    /// Returns whether a box is checked.
    public boolean has(String name, String value) {
        return all(name).contains(value);
    }

    public List<String> all(String name) {
        return fields.getOrDefault(name, List.of()).stream()
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /// Returns the text of a field; null if it is empty.
    public @Nullable String text(String name) {
        return of(name).isBlank() ? null : of(name);
    }

    /// Returns the lines of a text, or its parts between commas.
    public List<String> several(String name) {
        return List.of(of(name).split("[,\\s]+")).stream()
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /// Returns a number; any other text is returned as it is, and the API refuses it.
    public @Nullable Object number(String name) {
        String text = of(name).strip();
        return text.matches(NUMBER) ? Integer.valueOf(text) : text.isEmpty() ? null : text;
    }

    /// Returns a time from a date field, in UTC.
    public @Nullable String time(String name) {
        return time(text(name), name);
    }

    /// Returns a time from a text.
    static @Nullable String time(@Nullable String text, String name) {
        return text != null && text.matches(LOCAL_TIME) ? text + (text.length() == WITH_SECONDS ? "Z" : ":00Z") : text;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if it is not JSON
    public @Nullable Object json(String name) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        try {
            return Json.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (ProblemException e) {
            String said = e.problem().detail().replaceFirst("^the body ", "");
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError("/" + name, "format", said))).raise();
        }
    }

    /// Returns members for the API.
    ///
    /// @param read returns the value of a field by its name
    public Map<String, @Nullable Object> members(Function<String, @Nullable Object> read, String... names) {
        var members = new LinkedHashMap<String, @Nullable Object>();
        for (String name : names) {
            members.put(name, read.apply(name));
        }
        return members;
    }
}
