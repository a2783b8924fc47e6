package dev.sheaf.server.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import java.util.concurrent.atomic.AtomicLong;

/// The revoked access tokens (RFC 7009). Each node knows them without asking the database, because every
/// revocation is announced with the token's id. They are forgotten once no such token can still be valid. The
/// token of a claim outlives the access token that claimed, so for those the database is asked.
/// Thread-safe.
public final class RevokedTokens {
    private final Database database;
    private final Cache<String, Boolean> ids = Caffeine.newBuilder()
            .expireAfterWrite(AccessTokens.LONGEST.plusMinutes(5))
            .build();
    private final AtomicLong wanted = new AtomicLong(1); // incremented whenever announcements may have been missed
    private volatile long loaded;
    private volatile long loadedAt;

    RevokedTokens(Database database) {
        this.database = database;
        database.onChange(change -> {
            switch (change.kind()) {
                case TOKEN -> ids.put(change.id(), true);
                case EVERYTHING -> wanted.incrementAndGet();
                default -> {
                    // not about a token
                }
            }
        });
    }

    /// Returns whether a token, or one that was exchanged for it, was revoked.
    boolean endsAny(AccessTokens.Token token) {
        var tokenIds = token.lineage();
        boolean mayOutlive = !token.from().isEmpty() && token.grant().claim().isPresent();
        if (mayOutlive || !database.isCurrent()) {
            return database.read(tx -> RevokedTokenRows.containsAny(tx, tokenIds));
        }
        if (!isLoaded()) {
            load();
        }
        return tokenIds.stream().anyMatch(id -> ids.getIfPresent(id) != null);
    }

    /// Loads all revoked tokens. Callers wait while another thread loads, so that no revoked token passes
    /// meanwhile.
    private synchronized void load() {
        long current = wanted.get();
        if (!isLoaded()) {
            database.read(RevokedTokenRows::list).forEach(id -> ids.put(id, true));
            loadedAt = System.nanoTime();
            loaded = current;
        }
    }

    private boolean isLoaded() {
        return loaded == wanted.get() && System.nanoTime() - loadedAt < InvalidatedCache.LONGEST.toNanos();
    }

    /// Revokes a token: on this node when the transaction commits, on other nodes within two seconds.
    ///
    /// @return false if it was already revoked
    public static boolean revoke(Tx tx, AccessTokens.Token token) {
        tx.changed(new DataChange(DataChange.Kind.TOKEN, token.id()));
        return RevokedTokenRows.insert(tx, token.id(), token.expiresAt());
    }

    /// Deletes the tokens that have expired.
    public static int purge(Tx tx) {
        return RevokedTokenRows.purge(tx);
    }
}
