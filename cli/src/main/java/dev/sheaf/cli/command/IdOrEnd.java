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

/// An id as typed: the whole id, or its end: twelve characters in a narrow table
/// (`…0123456789ab`), six in the console.
///
/// @param text the id or its end, without the `…`
public record IdOrEnd(String text) {
    private static final Pattern WHOLE = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern END = Pattern.compile("[0-9a-f]{6,12}");

    static IdOrEnd parse(String typed) {
        String text = bare(typed);
        if (!WHOLE.matcher(text).matches() && !END.matcher(text).matches()) {
            throw Problem.invalid(
                    "format",
                    Quoted.of(typed)
                            + " is not an id. An id looks like 01900000-0000-7000-8000-000000000001; its last 6"
                            + " to 12 characters are enough");
        }
        return new IdOrEnd(text);
    }

    private static String bare(String typed) {
        return (typed.startsWith("…") ? typed.substring(1) : typed).toLowerCase(Locale.ROOT);
    }

    /// Returns the whole id of a thing with a name. Sends a request unless a whole id was typed.
    ///
    /// @param typed its name, its id or the end of its id; a name takes precedence
    /// @param what the kind of thing, such as `schedule`
    /// @param all returns the existing ones
    /// @throws SheafException.NotFound if there is no such thing
    /// @throws SheafException.Conflict if there are several
    public static <T> UUID named(
            String typed, String what, Supplier<List<T>> all, Function<T, UUID> id, Function<T, String> name) {
        String text = bare(typed);
        if (WHOLE.matcher(text).matches()) {
            return UUID.fromString(text);
        }
        var things = all.get();
        var found = things.stream()
                .filter(one -> name.apply(one).equals(typed))
                .map(id)
                .toList();
        if (found.isEmpty() && END.matcher(text).matches()) {
            return new IdOrEnd(text).among(what, () -> things, id);
        }
        if (found.isEmpty()) {
            throw new SheafException.NotFound(
                    "there is no " + what + " with the name or id " + Quoted.of(typed), SheafException.Answer.NONE);
        }
        if (found.size() > 1) {
            throw new SheafException.Conflict(
                    "several have the name " + typed + "; use an id: " + joined(found), SheafException.Answer.NONE);
        }
        return found.getFirst();
    }

    private static String joined(List<UUID> ids) {
        return ids.stream().map(UUID::toString).collect(Collectors.joining(", "));
    }

    /// Returns the whole id. Sends a request only if just the end was typed.
    ///
    /// @param what the kind of thing, such as `webhook`
    /// @param all returns the existing ones
    /// @throws SheafException.NotFound if no id has this end
    /// @throws SheafException.Conflict if several ids have this end
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
            throw new SheafException.Conflict(
                    "several ids end in " + text + ": " + joined(found), SheafException.Answer.NONE);
        }
        return found.getFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
