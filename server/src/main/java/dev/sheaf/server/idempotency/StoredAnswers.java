package dev.sheaf.server.idempotency;

import dev.sheaf.engine.db.AnswerLostException;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.util.Optional;

/// Stores each request with an `Idempotency-Key` (IETF httpapi, "The Idempotency-Key HTTP Header Field") and
/// its answer for 24 hours, per credential. Any node can answer a repeated request. Thread-safe.
///
/// The answer is stored after the change itself was committed. If a node dies in between, the key counts as in
/// progress for five minutes and then as new, and a repeated request makes the change again.
public final class StoredAnswers {
    private static final Duration KEPT = Duration.ofHours(24);
    private static final Duration MAX_DURATION = Duration.ofMinutes(5);

    private final Database database;
    private final int mostKept;

    /// @param mostKept the limit of keys per credential
    public StoredAnswers(Database database, int mostKept) {
        this.database = database;
        this.mostKept = mostKept;
    }

    /// A request with a key.
    ///
    /// @param principal the credential; keys of different credentials are independent
    /// @param fingerprint a hash of the request's method, path, query and body
    public record Request(String principal, String key, String fingerprint) {}

    /// Returns the stored answer of the request. If empty, the caller must carry out the request and then call
    /// [#succeeded] or [#failed].
    ///
    /// @throws ProblemException idempotency-mismatch if the key was used for another request;
    /// idempotency-in-progress if the same request is being carried out
    public Optional<StoredAnswer> begin(Request request) {
        return database.write(tx -> {
            if (OutcomeRows.begin(tx, request, tx.now().minus(KEPT), tx.now().minus(MAX_DURATION))) {
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

    public void succeeded(Request request, StoredAnswer outcome) {
        database.write(tx -> {
            OutcomeRows.end(tx, request, outcome);
            return request;
        });
    }

    /// Releases the key after a request that changed nothing. If it is unknown whether the request changed
    /// something, the key stays in progress until it expires.
    public void failed(Request request, Throwable why) {
        if (!(why instanceof AnswerLostException)) {
            forget(request);
        }
    }

    /// Releases the key.
    public void forget(Request request) {
        database.write(tx -> {
            OutcomeRows.forget(tx, request);
            return request;
        });
    }

    /// Deletes entries older than a day, and per credential the oldest ones over the limit.
    public void purge() {
        database.write(tx -> {
            OutcomeRows.purge(tx, tx.now().minus(KEPT));
            OutcomeRows.trim(tx, mostKept);
            return tx;
        });
    }
}
