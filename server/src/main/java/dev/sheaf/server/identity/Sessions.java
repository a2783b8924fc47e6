package dev.sheaf.server.identity;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.SessionRecord;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import dev.sheaf.server.org.member.Members;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Sessions of people (contract 5.3). A session is continued with its refresh token, which is replaced at each
/// use. The use of a replaced token ends the session, because two parties have that token and one of them stole
/// it (RFC 9700, section 4.14.2). Thread-safe. An end takes effect on this node immediately, and on others
/// within two seconds.
public final class Sessions {
    /// The time for which a replaced token may be sent again, such as after a lost answer or from two windows
    /// at the same time. The answer contains the same successor again, so a second holder is still noticed
    /// later.
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final int MOST = 100;

    private final Database database;
    private final AccessTokens tokens;
    private final RefreshTokens refreshTokens;
    private final Limits limits;

    /// @param idle how long a session lasts without use
    /// @param lifetime how long a session lasts at most
    public record Limits(Duration idle, Duration lifetime) {}

    /// The rights of a session of a program: a scope in one organization.
    public record Delegation(Scope scope, UUID organization) {}

    /// A person who has just been identified.
    ///
    /// @param method `password`, `oidc` or `device`
    /// @param delegation null for a person's own session, without limits
    public record Entry(
            UUID account,
            String email,
            String method,
            SignInSource visit,
            @Nullable Delegation delegation) {
        public Entry(UUID account, String email, String method, SignInSource visit) {
            this(account, email, method, visit, null);
        }
    }

    /// A session with its tokens.
    ///
    /// @param access the access token
    /// @param refresh the current refresh token
    /// @param scope the delegated scope; null for all rights of the person
    /// @param refreshEndsAt when the refresh token expires if it is not used
    public record Opened(
            UUID session,
            Secret access,
            Instant accessEndsAt,
            Secret refresh,
            Instant refreshEndsAt,
            @Nullable Scope scope) {}

    public Sessions(Database database, MasterSecret master, AccessTokens tokens, Limits limits) {
        this.database = database;
        this.tokens = tokens;
        this.refreshTokens = RefreshTokens.ofPrograms(master);
        this.limits = limits;
    }

    /// Begins a session inside the transaction of a sign-in. If a person has more than a hundred, the oldest
    /// ends.
    public Begun begin(Tx tx, Entry entry) {
        Instant now = tx.now();
        String seed = OneTimeSecret.generate("seed").expose();
        var row = new SessionRows.Row(
                TimeOrderedIds.next(now),
                entry.account(),
                entry.email(),
                null,
                seed,
                0,
                now,
                entry.method(),
                entry.visit().device(),
                entry.visit().address(),
                now,
                now,
                now.plus(limits.idle()),
                now.plus(limits.lifetime()),
                null,
                entry.delegation());
        SessionRows.insert(tx, row);
        var live = SessionRows.live(tx, entry.account(), TimeOrderedIds.END, MOST + 1);
        live.stream().skip(MOST).forEach(old -> SessionEnds.end(tx, old.id(), "newer sessions"));
        AccountRows.signedIn(tx, entry.account());
        audit(tx, row, entry.visit(), "session.begin");
        return new Begun(row);
    }

    /// A session that exists once its transaction has committed.
    public record Begun(SessionRows.Row row) {}

    /// Returns the tokens of a session that has begun. Call it after the commit.
    public Opened open(Begun begun) {
        return opened(begun.row(), 0, begun.row().end(), begun.row().createdAt());
    }

    private Opened opened(SessionRows.Row row, long generation, Instant end, Instant now) {
        Instant accessEnd = now.plus(AccessTokens.LIFETIME).isBefore(end) ? now.plus(AccessTokens.LIFETIME) : end;
        return new Opened(
                row.id(),
                tokens.issue(new TokenSubject.Session(row.id()), grant(row), List.of(), now, accessEnd),
                accessEnd,
                refreshTokens.make(row.id(), generation, row.seed()),
                end,
                row.delegation() == null ? null : row.delegation().scope());
    }

    private static Grant grant(SessionRows.Row row) {
        var delegation = row.delegation();
        return delegation == null ? Grant.ALL : new Grant.Delegated(delegation.scope(), CredentialRestrictions.NONE);
    }

    /// The result of a refresh.
    private sealed interface Turn {
        record Next(SessionRows.Row row, long generation, Instant end, Instant now) implements Turn {}

        record Refused(CredentialFault fault, String detail) implements Turn {}
    }

    /// Replaces a refresh token. When this returns, the old one can no longer be used.
    ///
    /// @throws ProblemException unauthenticated that says whether the token is malformed, unknown, expired or
    /// revoked. A token that was already used ends its session
    public Opened refresh(SignInSource visit, Secret token) {
        var claim = refreshTokens
                .read(token)
                .orElseThrow(() -> refuse(CredentialFault.MALFORMED, "this is not a refresh token; sign in again"));
        return switch (database.write(tx -> turn(tx, visit, claim))) {
            case Turn.Next next -> opened(next.row(), next.generation(), next.end(), next.now());
            case Turn.Refused refused -> throw refuse(refused.fault(), refused.detail());
        };
    }

    private Turn turn(Tx tx, SignInSource visit, RefreshTokens.Claim claim) {
        var row = SessionRows.lock(tx, claim.session()).orElse(null);
        if (row == null || !refreshTokens.isOurs(claim, row.seed()) || claim.generation() > row.generation()) {
            return new Turn.Refused(CredentialFault.UNKNOWN, "the refresh token is unknown here; sign in again");
        }
        if (row.endedAt() != null || row.disabledAt() != null) {
            return new Turn.Refused(CredentialFault.REVOKED, "the session was ended; sign in again");
        }
        if (!tx.now().isBefore(row.end())) {
            return new Turn.Refused(CredentialFault.EXPIRED, "the session has expired; sign in again");
        }
        if (claim.generation() == row.generation()) {
            Instant idleUntil = tx.now().plus(limits.idle());
            SessionRows.rotate(tx, row, idleUntil, visit.address());
            tx.changed(new DataChange(DataChange.Kind.SESSION, row.id().toString()));
            Instant end = idleUntil.isBefore(row.endsAt()) ? idleUntil : row.endsAt();
            return new Turn.Next(row, row.generation() + 1, end, tx.now());
        }
        if (claim.generation() == row.generation() - 1
                && tx.now().isBefore(row.rotatedAt().plus(GRACE))) {
            return new Turn.Next(row, row.generation(), row.end(), tx.now());
        }
        SessionEnds.end(tx, row.id(), "a refresh token was used twice");
        audit(tx, row, visit, "session.reuse");
        return new Turn.Refused(
                CredentialFault.REVOKED, "the refresh token was already used, so its session was ended; sign in again");
    }

    private static ProblemException refuse(CredentialFault fault, String detail) {
        return new Problem.Unauthenticated(fault, detail).raise();
    }

    static void audit(Tx tx, SessionRows.Row row, SignInSource visit, String action) {
        var credential = new Credential.Session(row.id(), row.account(), row.email());
        AuditRows.record(
                tx,
                visit.origin(credential, home(tx, row.account())),
                action,
                row.id().toString());
    }

    /// Returns the organization whose audit log records a person's actions on the account: the first one that
    /// the person joined. Without a membership, only the log of the installation records them.
    public static UUID home(Tx tx, UUID account) {
        return Members.of(tx, account).keySet().stream().findFirst().orElse(SessionRecord.NO_ORGANIZATION);
    }

    /// Returns the data of a session that authentication needs; empty if the session does not exist.
    public Optional<SessionRecord> record(UUID id) {
        return database.read(tx -> SessionRows.find(tx, id).map(row -> record(tx, row)));
    }

    private static SessionRecord record(Tx tx, SessionRows.Row row) {
        var roles = Members.of(tx, row.account());
        var scopes = new LinkedHashMap<UUID, Scope>();
        var delegation = row.delegation();
        roles.forEach((organization, role) -> {
            if (delegation == null || delegation.organization().equals(organization)) {
                scopes.put(organization, role.scope());
            }
        });
        Instant ended = row.endedAt() == null ? row.disabledAt() : row.endedAt();
        return new SessionRecord(
                row.id(),
                row.account(),
                row.email(),
                scopes,
                scopes.keySet().stream().findFirst().orElse(null),
                row.end(),
                ended);
    }

    /// Lists a person's live sessions, newest first, starting before the id `before`.
    public List<SessionView> list(Credential.Session own, @Nullable String before, int limit) {
        return database
                .read(tx -> SessionRows.live(tx, own.userId(), before == null ? TimeOrderedIds.END : before, limit))
                .stream()
                .map(row -> new SessionView(
                        row.id(),
                        row.method(),
                        row.device(),
                        row.address(),
                        row.createdAt(),
                        row.usedAt(),
                        row.end(),
                        row.id().equals(own.id())))
                .toList();
    }
}
