package dev.sheaf.server.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.heap.HeapShare;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// Finds the session of a browser's cookie. Unlike a refresh token, the cookie is not replaced at each use,
/// because a browser loads several pages at the same time. The cookie is valid for pages only, not for the API.
/// Authentication checks at each use that the session has not ended. Thread-safe.
public final class PageSessions {

    /// The shortest time between two stored uses of a session.
    private static final Duration SELDOM = Duration.ofMinutes(1);

    private final Database database;
    private final RefreshTokens tokens;
    private final Duration idle;
    private final Cache<String, Seen> seen = Caffeine.newBuilder()
            .maximumSize(HeapShare.SESSIONS.entries(1, 100 + HeapShare.ENTRY))
            .build();

    private record Seen(UUID session, Instant since) {}

    public PageSessions(Database database, MasterSecret master, Sessions.Limits limits) {
        this.database = database;
        this.tokens = RefreshTokens.ofPages(master);
        this.idle = limits.idle();
    }

    /// Returns the value of the cookie for a session that has begun.
    public Secret token(UUID session) {
        var row = database.read(tx -> SessionRows.find(tx, session)).orElseThrow();
        return tokens.make(session, 0, row.seed());
    }

    /// Returns the session of a token. Empty if this installation did not issue the token, or if the session
    /// has ended.
    public Optional<UUID> find(SignInSource visit, Secret token) {
        String text = token.expose();
        var known = seen.getIfPresent(text);
        if (known != null && database.now().isBefore(known.since().plus(SELDOM))) {
            return Optional.of(known.session());
        }
        var found = tokens.read(token).flatMap(claim -> database.write(tx -> used(tx, visit, claim)));
        found.ifPresentOrElse(one -> seen.put(text, one), () -> seen.invalidate(text));
        return found.map(Seen::session);
    }

    private Optional<Seen> used(Tx tx, SignInSource visit, RefreshTokens.Claim claim) {
        return SessionRows.lock(tx, claim.session())
                .filter(row -> tokens.isOurs(claim, row.seed()))
                .filter(row -> row.endedAt() == null && tx.now().isBefore(row.end()))
                .map(row -> {
                    SessionRows.touch(tx, row.id(), tx.now().plus(idle), visit.address());
                    tx.changed(new DataChange(DataChange.Kind.SESSION, row.id().toString()));
                    return new Seen(row.id(), tx.now());
                });
    }
}
