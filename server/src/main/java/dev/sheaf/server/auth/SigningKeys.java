package dev.sheaf.server.auth;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.auth.jwk.Ed25519Key;
import dev.sheaf.server.auth.jwk.JwkSet;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys that sign access tokens. Thread-safe.
///
/// Rows record which keys exist and when each is used, so that all nodes of an installation agree. The keys
/// themselves are derived from the master secret and their ids, and are not stored. A key verifies from its
/// creation, signs from `active_from` until its successor does, and is refused from `retire_at` on.
public final class SigningKeys {
    private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);
    /// Time between the publication of a key and its first signature: longer than clients may cache the list of
    /// keys.
    private static final Duration NOTICE = Duration.ofMinutes(10);
    /// The time for which a key still verifies after it stops signing: until the last token that it signed on
    /// any node has expired.
    private static final Duration OVERLAP = AccessTokens.LONGEST_CLAIM.plusMinutes(1);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final String ALL = "all";

    private final Database database;
    private final MasterSecret master;
    private final InvalidatedCache<String, List<SigningKey>> known;
    private final AtomicReference<Instant> looked = new AtomicReference<>(Instant.MIN);

    private record SigningKey(
            Ed25519Key pair, Instant activeFrom, @Nullable Instant retireAt) {
        boolean isRetired(Instant now) {
            return retireAt != null && !now.isBefore(retireAt);
        }
    }

    /// Creates the first key if there is none.
    public SigningKeys(Database database, MasterSecret master) {
        this.database = database;
        this.master = master;
        this.known = new InvalidatedCache<>(database, "signing-keys", 1);
        database.onChange(this::forget);
        database.write(tx -> SigningKeyRows.newest(tx).isPresent() || SigningKeyRows.insert(tx, 1, tx.now()));
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case SIGNING_KEY, EVERYTHING -> known.forgetAll();
            case REPOSITORY,
                    NAMESPACE,
                    API_KEY,
                    ORGANIZATION,
                    SESSION,
                    PUBLISHER,
                    TOKEN,
                    WEBHOOK,
                    QUEUE,
                    EVENT,
                    FEED -> {
                // caches nothing of these kinds
            }
        }
    }

    private List<SigningKey> keys() {
        return known.get(
                        ALL,
                        all -> Optional.of(database.read(SigningKeyRows::list).stream()
                                .map(row -> new SigningKey(pair(row.kid()), row.activeFrom(), row.retireAt()))
                                .toList()))
                .orElseThrow();
    }

    /// Returns the key pair. All ids have the same length and no other label begins like this one, so no two uses
    /// of the secret share a label.
    private Ed25519Key pair(String kid) {
        return Ed25519Key.fromSeed(kid, master.derive("registry-token/" + kid));
    }

    /// Returns the key that signs now.
    Ed25519Key signer(Instant now) {
        var usable = keys().stream().filter(key -> !key.isRetired(now)).toList();
        return usable.reversed().stream()
                .filter(key -> !now.isBefore(key.activeFrom()))
                .findFirst()
                .orElseGet(usable::getFirst) // if the clock was set back
                .pair();
    }

    /// Returns the key with the given id, retired or not.
    Optional<Ed25519Key> verifier(String kid, Instant now) {
        var found = find(kid);
        if (found.isEmpty() && mayLookAgain(now)) { // another node may have created it a moment ago
            known.forgetAll();
            found = find(kid);
        }
        return found.map(SigningKey::pair);
    }

    /// Returns whether signatures of the key are no longer accepted.
    boolean isRetired(String kid, Instant now) {
        return find(kid).filter(key -> !key.isRetired(now)).isEmpty();
    }

    private Optional<SigningKey> find(String kid) {
        return keys().stream().filter(key -> key.pair().id().equals(kid)).findFirst();
    }

    /// Allows one look-up of an unknown id per second, because anybody can send unknown ids.
    private boolean mayLookAgain(Instant now) {
        var last = looked.get();
        return (last.equals(Instant.MIN) || !now.isBefore(last.plus(LOOK_AGAIN))) && looked.compareAndSet(last, now);
    }

    /// Returns the public keys that verify now or will, as a JWK set (RFC 7517, RFC 8037), oldest first.
    public JwkSet published() {
        var now = database.now();
        return new JwkSet(keys().stream()
                .filter(key -> !key.isRetired(now))
                .map(key -> JwkSet.Key.of(key.pair()))
                .toList());
    }

    /// Creates the next key. It is published immediately and signs ten minutes later. Tokens signed by its
    /// predecessor stay valid until they expire.
    public void rotate() {
        database.write(tx -> next(tx, newest(tx), NOTICE, OVERLAP));
    }

    /// Creates the next key and refuses all others, on this node immediately and on other nodes within a
    /// second. Every access token ends, and clients must ask for new ones. To be used when a key has leaked.
    public void replace() {
        database.write(tx -> next(tx, newest(tx), Duration.ZERO, Duration.ZERO));
        LOG.warn("the signing keys of access tokens were replaced; all tokens issued before are refused");
    }

    /// Rotates if the newest key has been signing for `period` or longer. Several nodes may call this at the same
    /// time.
    public void rotateAfter(Duration period) {
        boolean rotated = database.write(tx -> {
            var newest = newest(tx);
            return !newest.activeFrom().isAfter(tx.now().minus(period)) && next(tx, newest, NOTICE, OVERLAP);
        });
        if (rotated) {
            LOG.info("access tokens get a new signing key, which happens every {} days", period.toDays());
        }
    }

    private static SigningKeyRows.Row newest(Tx tx) {
        return SigningKeyRows.newest(tx).orElseThrow();
    }

    /// Returns false if `newest` already has a successor: one node wins.
    private static boolean next(Tx tx, SigningKeyRows.Row newest, Duration notice, Duration overlap) {
        long number = newest.number() + 1;
        var from = tx.now().plus(notice);
        boolean made = SigningKeyRows.insert(tx, number, from);
        if (made) {
            SigningKeyRows.retire(tx, number, from.plus(overlap));
            tx.changed(new DataChange(DataChange.Kind.SIGNING_KEY, ""));
        }
        return made;
    }
}
