package dev.sheaf.server.auth;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Scope;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What an access token leaves of what its subject may. [#ALL] belongs to a credential that is no token, and to the
/// token of a person who signed in here.
public sealed interface Grant {
    /// Actions of the distribution token protocol.
    enum Action {
        PULL,
        PUSH,
        DELETE;

        /// The wire name: `pull`, `push` or `delete`.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Everything that the credential itself may.
    record Unlimited() implements Grant {}

    /// What was handed on to a program: at most this scope, within these restrictions, and never keys or members.
    record Delegated(Scope scope, Restrictions restrictions) implements Grant {}

    /// Only these actions on these repositories: a token of the registry.
    ///
    /// @param pinned of these repositories one manifest may be pulled, with what it refers to, and nothing else
    /// @param of what the token that bought it left; it stays out of reach
    record Limited(Map<String, Set<Action>> actions, Map<String, Digest> pinned, Delegated of) implements Grant {
        public Limited {
            pinned = Map.copyOf(pinned);
            var copy = new TreeMap<String, Set<Action>>();
            actions.forEach((name, set) -> copy.put(name, Set.copyOf(set)));
            actions = Collections.unmodifiableMap(copy);
        }

        /// Bought by a credential itself.
        public Limited(Map<String, Set<Action>> actions) {
            this(actions, WHOLE);
        }

        public Limited(Map<String, Set<Action>> actions, Delegated of) {
            this(actions, Map.of(), of);
        }

        /// Good for one manifest.
        public static Limited to(RepositoryName name, Digest manifest) {
            return new Limited(Map.of(), Map.of(name.toString(), manifest), WHOLE);
        }

        /// The actions on one repository, by wire name, sorted.
        public Set<String> words(String repository) {
            var words = new TreeSet<String>();
            actions.getOrDefault(repository, Set.of()).forEach(action -> words.add(action.toString()));
            return words;
        }
    }

    Grant ALL = new Unlimited();

    /// Leaves everything but keys and members.
    Delegated WHOLE = new Delegated(Scope.ADMIN, Restrictions.NONE);

    /// Stands among the repositories of a limited grant that may list all that its key sees; no repository can be
    /// called so.
    String CATALOG = "registry:catalog";

    /// The part that is left of scope and restrictions.
    default Delegated part() {
        return switch (this) {
            case Unlimited ignored -> WHOLE;
            case Delegated delegated -> delegated;
            case Limited limited -> limited.of();
        };
    }

    /// True where everything that the credential sees may be listed.
    default boolean allowsCatalog() {
        return switch (this) {
            case Unlimited ignored -> true;
            case Delegated ignored -> true;
            case Limited limited -> limited.actions().containsKey(CATALOG);
        };
    }

    /// The one manifest of a repository that may be pulled; empty where more may, or nothing.
    default Optional<Digest> pinned(RepositoryName name) {
        return this instanceof Limited limited
                ? Optional.ofNullable(limited.pinned().get(name.toString()))
                : Optional.empty();
    }

    default boolean allows(RepositoryName name, Action action) {
        return switch (this) {
            case Unlimited ignored -> true;
            case Delegated delegated -> delegated.restrictions().permit(name);
            case Limited limited ->
                limited.actions().getOrDefault(name.toString(), Set.of()).contains(action);
        };
    }
}
