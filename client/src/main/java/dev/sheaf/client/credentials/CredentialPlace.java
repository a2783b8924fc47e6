package dev.sheaf.client.credentials;

import dev.sheaf.client.api.SheafException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A place for credentials, with the result of looking there.
///
/// @param name a stable name for programs
/// @param detail a text for people without secrets: the exact place, or the reason why it is not used
/// @param found the credential if it is used, else null
public record CredentialPlace(String name, State state, String detail, Credentials.@Nullable Found found) {
    /// What a place has.
    public enum State {
        USED,
        /// It has a credential, but an earlier place has one too.
        PASSED_OVER,
        EMPTY,
        /// It has an unusable credential. If no earlier place has a credential, no credential works.
        UNUSABLE
    }

    /// Examines places in their order. Use an instance once, from one thread.
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
                    return new CredentialPlace(name, State.EMPTY, "no credential", null);
                }
                if (before != null) {
                    return new CredentialPlace(name, State.PASSED_OVER, "not used: " + before, null);
                }
                before = name + " takes precedence";
                return new CredentialPlace(name, State.USED, found.get().place(), found.get());
            } catch (SheafException.Cancelled e) {
                throw e;
            } catch (SheafException e) {
                var place = new CredentialPlace(name, State.UNUSABLE, String.valueOf(e.getMessage()), null);
                before = before == null ? name + " takes precedence, but is unusable" : before;
                return place;
            }
        }

        List<CredentialPlace> places() {
            return List.copyOf(places);
        }
    }
}
