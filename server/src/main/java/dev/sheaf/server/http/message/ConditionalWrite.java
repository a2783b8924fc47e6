package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.entity.ContentCoding;
import dev.sheaf.server.http.entity.EntityTag;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks If-Match and If-None-Match of a change against the current resource (RFC 9110, section 13), inside
/// the transaction of the change.
public final class ConditionalWrite {
    private ConditionalWrite() {}

    /// @param current the record that GET would return now; null if the resource does not exist
    /// @throws ProblemException precondition-failed
    public static void check(Call call, @Nullable Object current) {
        var match = tags(call, "If-Match");
        var noneMatch = tags(call, "If-None-Match");
        if (match.isEmpty() && noneMatch.isEmpty()) {
            return;
        }
        check(match, noneMatch, current == null ? List.of() : List.of(etag(current)));
    }

    /// Returns the check as a function of the record that GET would return now. The code that makes the change
    /// calls it.
    public static <T> Consumer<T> of(Call call) {
        return current -> check(call, current);
    }

    /// Returns the check of a form, which contains the validator of what its page showed.
    ///
    /// @param etag the expected validator; empty means no condition
    public static <T> Consumer<T> of(String etag) {
        return current -> {
            if (!etag.isEmpty()) {
                check(List.of(ContentCoding.plainEtag(etag)), List.of(), List.of(etag(current)));
            }
        };
    }

    /// Checks the validator in a form.
    ///
    /// @param etag the expected validator
    /// @param current the current validators; empty if the resource does not exist
    public static void checkTags(String etag, List<String> current) {
        check(List.of(ContentCoding.plainEtag(etag)), List.of(), current);
    }

    /// Refuses a form for a new resource if the resource exists.
    ///
    /// @param current the current validators; empty if the resource does not exist
    public static void checkNew(List<String> current) {
        check(List.of(), List.of("*"), current);
    }

    /// Checks a resource that has a validator for each of its representations.
    ///
    /// @param current the current validators; empty if the resource does not exist
    public static void checkTags(Call call, List<String> current) {
        check(tags(call, "If-Match"), tags(call, "If-None-Match"), current);
    }

    private static void check(List<String> match, List<String> noneMatch, List<String> current) {
        boolean matches = match.isEmpty() || holds(match, current);
        if (!matches || holds(noneMatch, current)) {
            throw new Problem.PreconditionFailed(
                            current.isEmpty() ? "none, because it does not exist" : current.getFirst())
                    .raise();
        }
    }

    /// Returns the validator of a record as JSON.
    public static String etag(Object value) {
        return EntityTag.of(Json.write(value));
    }

    private static boolean holds(List<String> tags, List<String> current) {
        return !current.isEmpty() && (tags.contains("*") || tags.stream().anyMatch(current::contains));
    }

    private static List<String> tags(Call call, String header) {
        return call.listed(header).stream().map(ContentCoding::plainEtag).toList();
    }
}
