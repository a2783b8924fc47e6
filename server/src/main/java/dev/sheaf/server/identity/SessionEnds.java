package dev.sheaf.server.identity;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.key.LeakedCredentials;
import dev.sheaf.server.org.member.Members;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Ends sessions. Thread-safe. An end takes effect on this node immediately, and on others within two seconds.
public final class SessionEnds {
    private static final Duration KEPT = Duration.ofDays(30);

    private final Database database;
    private final RefreshTokens refreshTokens;

    public SessionEnds(Database database, MasterSecret master) {
        this.database = database;
        this.refreshTokens = RefreshTokens.ofPrograms(master);
    }

    /// Ends one of the caller's sessions. Ending it again changes nothing.
    ///
    /// @throws ProblemException not-found if it does not exist or belongs to another person
    public void end(ChangeOrigin origin, Credential.Session own, UUID id) {
        database.write(tx -> {
            var session = SessionRows.lock(tx, id)
                    .filter(row -> row.account().equals(own.userId()))
                    .orElseThrow(() -> new Problem.NotFound("session " + id).raise());
            if (end(tx, session.id(), "signed out")) {
                AuditRows.record(tx, Accounts.at(tx, origin, own.userId()), "session.end", id.toString());
            }
            return id;
        });
    }

    /// Ends a session whose only purpose was to identify a person.
    public static void endAsShown(Tx tx, UUID id) {
        end(tx, id, "it was to decide about a device");
    }

    /// Ends the session of a refresh token (RFC 7009). Ignores tokens that this installation did not issue.
    public void endBy(Secret token, SignInSource visit) {
        endBy(token, "its refresh token was revoked", (tx, row) -> Sessions.audit(tx, row, visit, "session.end"));
    }

    /// Ends the session of a leaked refresh token, and notifies the organization of its person.
    ///
    /// @return false if the text does not have the form of a refresh token
    public boolean endLeaked(Secret token, LeakedCredentials.Report report) {
        return endBy(token, "its refresh token was leaked", (tx, row) -> tell(tx, row, report));
    }

    private boolean endBy(Secret token, String because, BiConsumer<Tx, SessionRows.Row> ended) {
        var claim = refreshTokens.read(token);
        claim.ifPresent(one -> database.write(tx -> {
            SessionRows.lock(tx, one.session())
                    .filter(row -> refreshTokens.isOurs(one, row.seed()))
                    .filter(row -> end(tx, row.id(), because))
                    .ifPresent(row -> ended.accept(tx, row));
            return one.session();
        }));
        return claim.isPresent();
    }

    private static void tell(Tx tx, SessionRows.Row row, LeakedCredentials.Report report) {
        var organization = Members.of(tx, row.account()).keySet().stream().findFirst();
        String id = row.id().toString();
        var event = new Event.AccessTokenLeaked(id, TokenSubject.text(new TokenSubject.Session(row.id())));
        organization.ifPresent(told -> OutboxRows.emit(tx, told, event));
        LeakedCredentials.record(tx, organization.orElse(null), report, "refresh_token.leak", id);
    }

    static boolean end(Tx tx, UUID id, String because) {
        tx.changed(new DataChange(DataChange.Kind.SESSION, id.toString()));
        return SessionRows.end(tx, id, because);
    }

    /// Ends a person's sessions except `kept`, and withdraws approvals of devices that have no session yet.
    static void endAll(Tx tx, UUID account, @Nullable UUID kept, String because) {
        DeviceRows.forget(tx, account); // waits for a concurrent poll; its session is then visible here
        SessionRows.live(tx, account, TimeOrderedIds.END, Integer.MAX_VALUE).stream()
                .map(SessionRows.Row::id)
                .filter(id -> !id.equals(kept))
                .forEach(id -> end(tx, id, because));
    }

    /// Deletes sessions that ended a month ago.
    public static void purge(Tx tx) {
        SessionRows.purge(tx, tx.now().minus(KEPT));
    }
}
