package dev.sheaf.server.registry.api;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Grant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Scopes of the token endpoint: `repository:<name>:<actions>` (distribution's token scope grammar). The type
/// may have a class in brackets and the name a port, so the text is split at its first and last colon. Scopes
/// of other types, and of names that cannot exist here, grant nothing.
public final class TokenScope {
    static final String CATALOG = "registry:catalog:*";

    private TokenScope() {}

    /// Returns the union of the requested scopes, by repository.
    ///
    /// @param texts each contains scopes separated by white space (or by a plus, as some clients write a space
    /// in a query)
    public static Map<RepositoryName, Set<Grant.Action>> union(List<String> texts) {
        var union = new LinkedHashMap<RepositoryName, Set<Grant.Action>>();
        for (String text : texts) {
            for (String scope : text.split("[\\s+]+")) {
                add(scope, union);
            }
        }
        return union;
    }

    /// Returns whether the catalog is requested.
    public static boolean holdsCatalog(List<String> texts) {
        return texts.stream()
                .flatMap(text -> Arrays.stream(text.split("[\\s+]+")))
                .anyMatch(CATALOG::equals);
    }

    private static void add(String scope, Map<RepositoryName, Set<Grant.Action>> union) {
        int first = scope.indexOf(':');
        int last = scope.lastIndexOf(':');
        if (first < 0 || first == last) {
            return;
        }
        String type = scope.substring(0, first);
        if (!type.equals("repository") && !type.matches("repository\\([a-z0-9]+\\)")) {
            return;
        }
        var derived = DerivedName.find(scope.substring(first + 1, last));
        if (derived.isPresent()) { // derived images: only the right to pull, which comes with the bundle
            actions(scope.substring(last + 1)).stream()
                    .filter(Grant.Action.PULL::equals)
                    .forEach(pull -> union.computeIfAbsent(
                                    derived.get().source(), name -> EnumSet.noneOf(Grant.Action.class))
                            .add(pull));
            return;
        }
        try {
            union.computeIfAbsent(
                            RepositoryName.parseAny(scope.substring(first + 1, last)),
                            name -> EnumSet.noneOf(Grant.Action.class))
                    .addAll(actions(scope.substring(last + 1)));
        } catch (ProblemException e) {
            // not a name of this registry: nothing to grant
        }
    }

    private static Set<Grant.Action> actions(String words) {
        var actions = EnumSet.noneOf(Grant.Action.class);
        for (String word : words.split(",")) {
            switch (word) {
                case "pull" -> actions.add(Grant.Action.PULL);
                case "push" -> actions.add(Grant.Action.PUSH);
                case "delete" -> actions.add(Grant.Action.DELETE);
                case "*" -> actions.addAll(EnumSet.allOf(Grant.Action.class));
                default -> {
                    // an action of another registry
                }
            }
        }
        return actions;
    }
}
