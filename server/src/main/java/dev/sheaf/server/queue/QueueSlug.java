package dev.sheaf.server.queue;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Short names for paths. Paths also accept ids, so a slug must not look like an id.
public final class QueueSlug {
    private static final Pattern SLUG = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");
    private static final Pattern ID = Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int MAX = 100;

    private QueueSlug() {}

    /// @throws dev.sheaf.model.ProblemException validation-failed
    static String parse(String text) {
        if (text.length() > MAX
                || !SLUG.matcher(text).matches()
                || ID.matcher(text).matches()) {
            throw Problem.invalid(
                    "format",
                    Quoted.of(text) + " must have 1 to " + MAX
                            + " lower-case letters, digits and inner hyphens, and must not look like an id");
        }
        return text;
    }

    /// Reads the member `slug`; if it is absent, makes a slug from the name.
    public static String of(RequestFields fields, String name) {
        if (fields.has("slug")) {
            return fields.parsed("slug", QueueSlug::parse, "x");
        }
        String made =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String cut = made.substring(0, Math.min(made.length(), MAX)).replaceAll("-$", "");
        if (!name.isEmpty() && (cut.isEmpty() || ID.matcher(cut).matches())) {
            fields.error("slug", "required", "is required, because it cannot be made from the name");
        }
        return cut;
    }

    /// Returns the slug in a path; empty if the text is not a valid slug, because the database does not accept
    /// every text.
    public static Optional<String> named(String text) {
        return text.length() <= MAX && SLUG.matcher(text).matches() ? Optional.of(text) : Optional.empty();
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if it is not an id
    public static UUID parseId(String text) {
        return id(text).orElseThrow(() -> Problem.invalid("format", "must be an id (UUID)"));
    }

    /// Returns the id in a path; empty if it is a slug.
    public static Optional<UUID> id(String text) {
        return ID.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
    }
}
