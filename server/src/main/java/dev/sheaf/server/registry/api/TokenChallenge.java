package dev.sheaf.server.registry.api;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.http.message.Call;
import java.util.Optional;

/// The challenge of a 401 (distribution's token authentication): where to get a token, and the scope with which
/// the same request will succeed.
final class TokenChallenge {
    private TokenChallenge() {}

    /// Returns the challenge with the scope that the request needs.
    static String of(Call call) {
        var derived = DerivedName.ofPath(call.rawPath());
        return of(
                call,
                derived.isPresent()
                        ? "repository:" + derived.get() + ":pull"
                        : name(call.rawPath()).map(name -> scope(call, name)).orElseGet(() -> elsewhere(call)));
    }

    private static String elsewhere(Call call) {
        return call.rawPath().equals("/v2/_catalog") ? TokenScope.CATALOG : "";
    }

    /// @param scope empty if the request is not about a repository
    static String of(Call call, String scope) {
        String challenge = "Bearer realm=\"" + call.baseUrl() + "/v2/token\",service=\"" + call.registryHost() + "\"";
        return scope.isEmpty() ? challenge : challenge + ",scope=\"" + scope + "\"";
    }

    private static String scope(Call call, RepositoryName name) {
        boolean isUpload = call.rawPath().contains("/blobs/uploads/");
        String own = scope(
                name,
                switch (call.method()) {
                    case "GET", "HEAD" -> isUpload ? "pull,push" : "pull";
                    case "DELETE" -> isUpload ? "pull,push" : "pull,push,delete";
                    default -> "pull,push";
                });
        return mounted(call).map(from -> own + " " + scope(from, "pull")).orElse(own);
    }

    static String scope(RepositoryName name, String actions) {
        return "repository:" + name + ":" + actions;
    }

    private static Optional<RepositoryName> mounted(Call call) {
        try {
            return call.query("mount").isEmpty()
                    ? Optional.empty()
                    : call.query("from").map(RepositoryName::parseAny);
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /// Returns the repository in a path of this API.
    static Optional<RepositoryName> name(String rawPath) {
        String[] segments = DistributionApi.folded(rawPath).split("/", 5);
        try {
            return segments.length < 5
                    ? Optional.empty()
                    : Optional.of(RepositoryAccess.name(segments[2], segments[3].replace("%2F", "/")));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }
}
