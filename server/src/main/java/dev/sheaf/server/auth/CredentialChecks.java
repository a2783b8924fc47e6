package dev.sheaf.server.auth;

import dev.sheaf.engine.metrics.LabeledCounter;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/// Counts the checks of one kind of credential by their result. Thread-safe.
final class CredentialChecks {
    private final LongAdder accepted;
    private final LongAdder unavailable;
    private final Map<CredentialFault, LongAdder> refused = new EnumMap<>(CredentialFault.class);

    CredentialChecks(LabeledCounter tally, String kind) {
        this.accepted = tally.of(kind, "accepted");
        this.unavailable = tally.of(kind, "unavailable");
        for (var fault : CredentialFault.values()) {
            refused.put(fault, tally.of(kind, fault.name().toLowerCase(Locale.ROOT)));
        }
    }

    /// Runs a check and counts its result.
    Caller counted(Supplier<Caller> check) {
        try {
            var caller = check.get();
            accepted.increment();
            return caller;
        } catch (ProblemException e) {
            var counter = e.problem() instanceof Problem.Unauthenticated problem
                    ? Objects.requireNonNull(refused.get(problem.fault()))
                    : unavailable;
            counter.increment();
            throw e;
        }
    }
}
