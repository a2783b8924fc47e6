package dev.sheaf.server.maintenance.operations;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.WireWords;
import java.time.Duration;
import java.util.Locale;

/// How far back the samples go, and how long each of them is.
public enum SampleSpan {
    HOUR(Duration.ofHours(1), Duration.ofMinutes(1)),
    DAY(Duration.ofDays(1), Duration.ofMinutes(15)),
    MONTH(Duration.ofDays(30), Duration.ofHours(1));

    private final Duration back;
    private final Duration step;

    SampleSpan(Duration back, Duration step) {
        this.back = back;
        this.step = step;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed for another word
    public static SampleSpan parse(String word) {
        return WireWords.find(SampleSpan.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(SampleSpan.class)));
    }

    public Duration back() {
        return back;
    }

    public Duration step() {
        return step;
    }

    /// Returns the word in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
