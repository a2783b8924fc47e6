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
import org.jspecify.annotations.Nullable;

/// The limits that an access token puts on the rights of its subject. [#ALL] is the grant of a credential that is
/// not a token, and of a person's session.
public sealed interface Grant {
    /// The actions of the distribution token protocol.
    enum Action {
        PULL,
        PUSH,
        DELETE;

        /// Returns the name in the protocol: `pull`, `push` or `delete`.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// No limits.
    record Unlimited() implements Grant {}

    /// The grant of a token that was delegated to a program: at most this scope, within these restrictions, and
    /// never keys or members.
    record Delegated(Scope scope, CredentialRestrictions restrictions) implements Grant {}

    /// The grant of a registry token: only these actions on these repositories.
    ///
    /// @param pinned the only manifest that may be pulled, with the content that it refers to, by repository
    /// @param of the grant of the token that was exchanged for this one; its limits still apply
    /// @param endsWith the claim with which the token ends; null for other tokens
    record Limited(
            Map<String, Set<Action>> actions,
            Map<String, Digest> pinned,
            Delegated of,
            @Nullable HeldClaim endsWith) implements Grant {
        public Limited {
            pinned = Map.copyOf(pinned);
            var copy = new TreeMap<String, Set<Action>>();
            actions.forEach((name, set) -> copy.put(name, Set.copyOf(set)));
            actions = Collections.unmodifiableMap(copy);
        }

        /// Creates the grant of a token that was issued for a credential itself.
        public Limited(Map<String, Set<Action>> actions) {
            this(actions, WHOLE);
        }

        public Limited(Map<String, Set<Action>> actions, Delegated of) {
            this(actions, Map.of(), of, null);
        }

        /// Returns a grant to pull one manifest while a claim is held.
        public static Limited to(RepositoryName name, Digest manifest, HeldClaim claim) {
            return new Limited(Map.of(), Map.of(name.toString(), manifest), WHOLE, claim);
        }

        /// Returns the actions on one repository by their protocol names, sorted.
        public Set<String> words(String repository) {
            var words = new TreeSet<String>();
            actions.getOrDefault(repository, Set.of()).forEach(action -> words.add(action.toString()));
            return words;
        }
    }

    Grant ALL = new Unlimited();

    /// Everything except keys and members.
    Delegated WHOLE = new Delegated(Scope.ADMIN, CredentialRestrictions.NONE);

    /// The entry of a limited grant that allows listing everything the credential sees. No repository can have
    /// this name.
    String CATALOG = "registry:catalog";

    /// Returns the scope and the restrictions that remain.
    default Delegated part() {
        return switch (this) {
            case Unlimited ignored -> WHOLE;
            case Delegated delegated -> delegated;
            case Limited limited -> limited.of();
        };
    }

    /// Returns the claim with which the token ends; empty for other tokens.
    default Optional<HeldClaim> claim() {
        return this instanceof Limited limited ? Optional.ofNullable(limited.endsWith()) : Optional.empty();
    }

    /// Returns whether the token may list everything that the credential sees.
    default boolean allowsCatalog() {
        return switch (this) {
            case Unlimited ignored -> true;
            case Delegated ignored -> true;
            case Limited limited -> limited.actions().containsKey(CATALOG);
        };
    }

    /// Returns the only manifest of a repository that may be pulled; empty if the grant is not limited in this
    /// way.
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
