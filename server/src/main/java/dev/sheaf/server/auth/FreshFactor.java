package dev.sheaf.server.auth;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import java.util.UUID;

/// The second factor of people who are signed in, for what needs a fresh code. It is used below the package that has
/// it.
public interface FreshFactor {
    /// Returns whether a person has set one up.
    boolean isSetUp(Tx tx, UUID person);

    /// Counts an attempt at a code before its result is known.
    ///
    /// @throws ProblemException rate-limited
    void begin(UUID person);

    /// Requires a code, and marks it as used, in the transaction of what it is for.
    ///
    /// @throws ProblemException validation-failed for a wrong code, and without a second factor
    void prove(Tx tx, UUID person, Secret code);
}
