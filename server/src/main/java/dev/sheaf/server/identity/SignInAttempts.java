package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.time.Duration;
import java.time.Instant;

/// Slows down guessing. After ten failed attempts on an account, each further one must wait twice as long as
/// the one before, at most fifteen minutes, across all nodes and addresses. An attempt is counted before its
/// password is checked, so parallel attempts cannot avoid the limit. Unknown accounts are counted like known
/// ones. Only a keyed hash of the account is stored. Thread-safe.
public final class SignInAttempts {
    private static final int FREE = 10;
    private static final Duration LONGEST = Duration.ofMinutes(15);
    private static final Duration KEPT = Duration.ofDays(1);

    private final Database database;
    private final MasterSecret master;

    public SignInAttempts(Database database, MasterSecret master) {
        this.database = database;
        this.master = master;
    }

    /// Returns the keyed hash under which attempts are counted.
    ///
    /// @param what the target of the guesses, such as the word "email" and an address
    public String subject(String what) {
        return master.hashOf("sign-in-attempt/1", Secret.of(what));
    }

    /// Counts an attempt before its result is known.
    ///
    /// @throws ProblemException rate-limited if the attempt comes too early; it then does not count
    public void begin(String subject) {
        database.write(tx -> {
            if (!AttemptRows.insertFirst(tx, subject)) {
                AttemptRows.lock(tx, subject)
                        .ifPresentOrElse(
                                before -> next(tx, subject, before), () -> AttemptRows.insertFirst(tx, subject));
            }
            return subject;
        });
    }

    private static void next(Tx tx, String subject, AttemptRows.Row before) {
        if (before.failures() >= FREE && tx.now().isBefore(before.retryAt())) {
            long seconds =
                    Duration.between(tx.now(), before.retryAt()).plusMillis(999).toSeconds();
            throw new Problem.RateLimited(
                            Throttle.GUESSES,
                            "sign-ins",
                            "too many sign-ins failed; try again in " + seconds + " s",
                            seconds)
                    .raise();
        }
        boolean old = before.lastAt().isBefore(tx.now().minus(KEPT));
        int failures = old ? 1 : Math.min(before.failures() + 1, 1_000);
        AttemptRows.update(tx, subject, failures, tx.now().plus(pause(failures)));
    }

    private static Duration pause(int failures) {
        int doublings = Math.min(failures - FREE, 20);
        var pause = doublings < 0 ? Duration.ZERO : Duration.ofSeconds(1L << doublings);
        return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    }

    /// Deletes the attempts of a subject after a success.
    public static void succeeded(Tx tx, String subject) {
        AttemptRows.delete(tx, subject);
    }

    public static void purge(Tx tx) {
        Instant old = tx.now().minus(KEPT);
        AttemptRows.purge(tx, old);
    }
}
