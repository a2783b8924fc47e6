package dev.sheaf.server.idempotency;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.db.AnswerLostException;
import dev.sheaf.server.db.Database;
import java.time.Duration;
import java.util.Optional;

/// Remembers for 24 hours, for each credential, which requests were made under which `Idempotency-Key` (IETF
/// httpapi, "The Idempotency-Key HTTP Header Field"), and what those that succeeded were answered. Thread-safe; any
/// node answers a repetition.
///
/// The memory of an answer is written after the change itself. Where a node dies in between, the key counts as in
/// progress for five minutes, and then as new; the change itself must then be one that can be made twice.
public final class Idempotency {
    private static final Duration KEPT = Duration.ofHours(24);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Database database;
    private final int mostKept;

    /// @param mostKept of each credential
    public Idempotency(Database database, int mostKept) {
        this.database = database;
        this.mostKept = mostKept;
    }

    /// A request under a key.
    ///
    /// @param principal whose key it is: the keys of others are other keys
    /// @param fingerprint of everything that makes it this request
    public record Request(String principal, String key, String fingerprint) {}

    /// What the request was answered before, or empty where the caller is the one to carry it out, and to call
    /// [#succeeded] or [#failed] at the end.
    ///
    /// @throws ProblemException idempotency-mismatch where the key was used for another request;
    /// idempotency-in-progress where this one is being carried out
    public Optional<Outcome> begin(Request request) {
        return database.write(tx -> {
            if (OutcomeRows.begin(tx, request, tx.now().minus(KEPT), tx.now().minus(LONGEST))) {
                return Optional.empty();
            }
            var before = OutcomeRows.find(tx, request).orElseThrow();
            if (!before.fingerprint().equals(request.fingerprint())) {
                throw new Problem.IdempotencyMismatch(request.key()).raise();
            }
            var outcome = before.outcome();
            if (outcome == null) {
                throw new Problem.IdempotencyInProgress(request.key()).raise();
            }
            return Optional.of(outcome);
        });
    }

    public void succeeded(Request request, Outcome outcome) {
        database.write(tx -> {
            OutcomeRows.end(tx, request, outcome);
            return request;
        });
    }

    /// Nothing was changed, and the key is free again. Where nobody knows whether something was, it counts as in
    /// progress until that is over.
    public void failed(Request request, Throwable why) {
        if (!(why instanceof AnswerLostException)) {
            forget(request);
        }
    }

    /// The key is free again.
    public void forget(Request request) {
        database.write(tx -> {
            OutcomeRows.forget(tx, request);
            return request;
        });
    }

    /// Forgets what is older than a day, and of each credential the oldest beyond so many.
    public void purge() {
        database.write(tx -> {
            OutcomeRows.purge(tx, tx.now().minus(KEPT));
            OutcomeRows.trim(tx, mostKept);
            return tx;
        });
    }
}
