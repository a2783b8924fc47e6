package dev.sheaf.server.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.WireWords;
import java.util.Locale;

/// The state of a delivery.
public enum DeliveryState {
    DELIVERED,
    /// Waits for its next attempt.
    PENDING,
    /// Not attempted again, unless someone requests it.
    FAILED;

    /// @throws dev.sheaf.model.ProblemException validation-failed if the word is not a state
    public static DeliveryState parse(String word) {
        return WireWords.find(DeliveryState.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(DeliveryState.class)));
    }

    /// Returns the word that the API uses.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
