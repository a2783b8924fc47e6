package dev.sheaf.server.console.work;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.input.Form;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What stands in the fields of a form, and what it means to the API, which says what is wrong with it.
public record Filled(Map<String, List<String>> fields) {
    public static final Filled NOTHING = new Filled(Map.of());

    private static final String NUMBER = "-?[0-9]{1,9}";
    private static final String LOCAL_TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?";
    private static final int WITH_SECONDS = 19;

    public static Filled of(Form form) {
        return new Filled(form.fields());
    }

    /// The same with another field.
    public Filled with(String name, @Nullable Object value) {
        var all = new LinkedHashMap<>(fields);
        if (value != null) {
            all.put(
                    name,
                    value instanceof List<?> several
                            ? several.stream().map(Object::toString).toList()
                            : List.of(value.toString()));
        }
        return new Filled(all);
    }

    /// The text of a field; empty where there is none. Browsers end lines in two characters.
    public String of(String name) {
        var values = fields.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.getFirst().replace("\r\n", "\n");
    }

    /// Whether a box is checked.
    public boolean has(String name, String value) {
        return all(name).contains(value);
    }

    public List<String> all(String name) {
        return fields.getOrDefault(name, List.of()).stream()
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /// Null: it is empty.
    public @Nullable String text(String name) {
        return of(name).isBlank() ? null : of(name);
    }

    /// The lines of a text, or what stands between its commas.
    public List<String> several(String name) {
        return List.of(of(name).split("[,\\s]+")).stream()
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /// A number; what is none stays a text, of which the API says so.
    public @Nullable Object number(String name) {
        String text = of(name).strip();
        return text.matches(NUMBER) ? Integer.valueOf(text) : text.isEmpty() ? null : text;
    }

    /// A moment as fields for it give it, in UTC.
    public @Nullable String time(String name) {
        return time(text(name), name);
    }

    /// The same of a text.
    static @Nullable String time(@Nullable String text, String name) {
        return text != null && text.matches(LOCAL_TIME) ? text + (text.length() == WITH_SECONDS ? "Z" : ":00Z") : text;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed where it is no JSON
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

    /// Members for the API.
    ///
    /// @param read how the value of a name is read
    public Map<String, @Nullable Object> members(Function<String, @Nullable Object> read, String... names) {
        var members = new LinkedHashMap<String, @Nullable Object>();
        for (String name : names) {
            members.put(name, read.apply(name));
        }
        return members;
    }
}
