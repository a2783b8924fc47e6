package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// An id as somebody types it: all of it, or the end that a narrow table shows (`…0123456789ab`).
///
/// @param text without the mark that stands before an end
public record IdOrEnd(String text) {
    private static final Pattern WHOLE = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern END = Pattern.compile("[0-9a-f]{12}");

    static IdOrEnd parse(String typed) {
        String text = (typed.startsWith("…") ? typed.substring(1) : typed).toLowerCase(Locale.ROOT);
        if (!WHOLE.matcher(text).matches() && !END.matcher(text).matches()) {
            throw Problem.invalid(
                    "format",
                    Quoted.of(typed) + " is no id, which looks like 01900000-0000-7000-8000-000000000001; its last 12"
                            + " characters will do");
        }
        return new IdOrEnd(text);
    }

    /// The id that is meant. Only an end costs a request.
    ///
    /// @param what is looked for, such as `webhook`
    /// @param all which there are
    /// @throws SheafException.NotFound where no id ends so
    /// @throws SheafException.Conflict where several do
    public <T> UUID among(String what, Supplier<List<T>> all, Function<T, UUID> id) {
        if (WHOLE.matcher(text).matches()) {
            return UUID.fromString(text);
        }
        var found = all.get().stream()
                .map(id)
                .filter(one -> one.toString().endsWith(text))
                .toList();
        if (found.isEmpty()) {
            throw new SheafException.NotFound(
                    "no " + what + " has an id that ends in " + text, SheafException.Answer.NONE);
        }
        if (found.size() > 1) {
            String ids = found.stream().map(UUID::toString).collect(Collectors.joining(", "));
            throw new SheafException.Conflict("several ids end in " + text + ": " + ids, SheafException.Answer.NONE);
        }
        return found.getFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
