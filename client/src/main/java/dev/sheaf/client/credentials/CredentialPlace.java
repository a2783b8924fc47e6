package dev.sheaf.client.credentials;

import dev.sheaf.client.api.SheafException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One place where a credential may be, and what a look at it found.
///
/// @param name a word that stays the same
/// @param detail for people: where it is, or why it is not used; holds no secret
/// @param found what is used, else null
public record CredentialPlace(String name, State state, String detail, Credentials.@Nullable Found found) {
    public enum State {
        USED,
        /// There is one, and a place before it has one as well.
        PASSED_OVER,
        EMPTY,
        /// There is one that cannot be used. Where no place before it has one, nothing works.
        UNUSABLE
    }

    /// Looks at places in their order. One use, one thread.
    static final class Survey {
        private final List<CredentialPlace> places = new ArrayList<>();
        private @Nullable String before;

        void add(String name, Supplier<Optional<Credentials.Found>> look) {
            places.add(look(name, look));
        }

        private CredentialPlace look(String name, Supplier<Optional<Credentials.Found>> look) {
            try {
                var found = look.get();
                if (found.isEmpty()) {
                    return new CredentialPlace(name, State.EMPTY, "there is none", null);
                }
                if (before != null) {
                    return new CredentialPlace(name, State.PASSED_OVER, "there is one, but " + before, null);
                }
                before = name + " goes before it";
                return new CredentialPlace(name, State.USED, found.get().place(), found.get());
            } catch (SheafException.Cancelled e) {
                throw e;
            } catch (SheafException e) {
                var place = new CredentialPlace(name, State.UNUSABLE, String.valueOf(e.getMessage()), null);
                before = before == null ? name + " goes before it and cannot be used" : before;
                return place;
            }
        }

        List<CredentialPlace> places() {
            return List.copyOf(places);
        }
    }
}
