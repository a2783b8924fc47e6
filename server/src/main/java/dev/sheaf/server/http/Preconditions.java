package dev.sheaf.server.http;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// If-Match and If-None-Match of a change (RFC 9110, section 13), checked against what the resource is inside the
/// change's transaction.
public final class Preconditions {
    private Preconditions() {}

    /// @param current the record that GET would answer now; empty where there is no resource
    /// @throws ProblemException precondition-failed
    public static void check(Call call, Optional<?> current) {
        var match = tags(call, "If-Match");
        var noneMatch = tags(call, "If-None-Match");
        if (match.isEmpty() && noneMatch.isEmpty()) {
            return;
        }
        String etag = current.map(value -> Sender.etag(Json.write(value))).orElse("none, since it does not exist");
        boolean matches = match.isEmpty() || holds(match, etag, current.isPresent());
        boolean clashes = !noneMatch.isEmpty() && holds(noneMatch, etag, current.isPresent());
        if (!matches || clashes) {
            throw new Problem.PreconditionFailed(etag).raise();
        }
    }

    private static boolean holds(List<String> tags, String etag, boolean exists) {
        return exists && (tags.contains("*") || tags.contains(etag));
    }

    private static List<String> tags(Call call, String header) {
        return call.headers(header).stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(String::strip)
                .map(Coding::plainEtag)
                .toList();
    }
}
