package dev.sheaf.server.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Words;
import java.util.Locale;

/// What became of a delivery.
public enum DeliveryState {
    DELIVERED,
    /// It is tried, or tried again, when its time comes.
    PENDING,
    /// It is tried no more, unless somebody asks for it.
    FAILED;

    /// @throws dev.sheaf.model.ProblemException validation-failed where there is no such word
    public static DeliveryState parse(String word) {
        return Words.find(DeliveryState.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", Words.oneOf(DeliveryState.class)));
    }

    /// The word of the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
