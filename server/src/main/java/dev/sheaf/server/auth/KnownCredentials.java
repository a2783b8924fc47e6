package dev.sheaf.server.auth;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.Pepper;
import dev.sheaf.server.auth.secret.PepperRing;
import dev.sheaf.server.heap.HeapShare;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A cache of keys, sessions and publishers. Entries are kept until a committed change to one is announced.
/// Thread-safe.
public final class KnownCredentials {
    private static final int CACHED = HeapShare.CREDENTIALS.entries(4, 400 + HeapShare.ENTRY);

    /// An id that no key has.
    private static final UUID NOBODY = new UUID(0, 0);

    /// A key that was found by its secret.
    ///
    /// @param pepper the number of the pepper that it is stored under
    public record StoredKey(UUID id, long pepper) {}

    /// Finds keys. Implemented by the key store, which sits above this package.
    public interface KeySource {
        /// @param hashes the hashes of one secret under all peppers; at most one of them is stored
        Optional<StoredKey> find(List<String> hashes);

        Optional<KeyRecord> findById(UUID id);

        /// Schedules a new hash to be stored for a key. Must not block.
        ///
        /// @return false if one is scheduled already
        boolean rehash(UUID id, PepperRing.Hashed hash);
    }

    /// The sources of credentials. Their results are cached until a change of kind API_KEY, SESSION or PUBLISHER
    /// with the id is announced.
    ///
    /// @param used receives every successful use of a key, with the client's address; must not block
    public record Sources(
            KeySource keys,
            Function<UUID, Optional<SessionRecord>> sessions,
            Function<UUID, Optional<PublisherRecord>> publishers,
            BiConsumer<UUID, InetAddress> used) {
        /// Returns sources that contain only keys.
        public static Sources of(KeySource keys) {
            return new Sources(keys, id -> Optional.empty(), id -> Optional.empty(), (id, from) -> {});
        }
    }

    private final Sources sources;
    private final PepperRing peppers;
    private final Pepper own = Pepper.ofThisProcess();
    private final InvalidatedCache<String, StoredKey> ids; // by hash under the pepper of this process
    private final InvalidatedCache<UUID, KeyRecord> keys;
    private final InvalidatedCache<UUID, SessionRecord> sessions;
    private final InvalidatedCache<UUID, PublisherRecord> publishers;

    public KnownCredentials(Sources sources, Database database, PepperRing peppers) {
        this.sources = sources;
        this.peppers = peppers;
        this.ids = new InvalidatedCache<>(database, "key-secrets", CACHED);
        this.keys = new InvalidatedCache<>(database, "keys", CACHED);
        this.sessions = new InvalidatedCache<>(database, "sessions", CACHED);
        this.publishers = new InvalidatedCache<>(database, "publishers", CACHED);
        database.onChange(this::forget);
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case API_KEY -> keys.forget(UUID.fromString(change.id()));
            case SESSION -> sessions.forget(UUID.fromString(change.id()));
            case PUBLISHER -> publishers.forget(UUID.fromString(change.id()));
            case SIGNING_KEY -> ids.forgetAll(); // a pepper may have been retired
            case EVERYTHING -> {
                ids.forgetAll();
                keys.forgetAll();
                sessions.forgetAll();
                publishers.forgetAll();
            }
            case REPOSITORY, NAMESPACE, ORGANIZATION, WEBHOOK, QUEUE, EVENT, FEED -> {
                // caches nothing of these kinds
            }
        }
    }

    /// Returns the key with this secret.
    ///
    /// @throws dev.sheaf.model.ProblemException unauthenticated if it is malformed or unknown
    KeyRecord key(Secret secret) {
        if (!KeyFormat.isWellFormed(secret.expose())) {
            throw Authenticator.refuse(
                    CredentialFault.MALFORMED, "the API key is malformed; copy it again, whole and without spaces");
        }
        String name = own.hash(secret);
        var found = ids.get(name, missing -> sources.keys().find(peppers.hashes(secret)));
        found.ifPresent(key -> renew(name, key, secret));
        // an unknown key takes the same two look-ups as a key that no longer works
        return keys.get(found.map(StoredKey::id).orElse(NOBODY), sources.keys()::findById)
                .orElseThrow(() -> Authenticator.refuse(
                        CredentialFault.UNKNOWN, "the API key is unknown; check that it is a key of this registry"));
    }

    /// Stores the key's hash under the newest pepper. This happens when the key is used, because its secret is
    /// known only then.
    private void renew(String name, StoredKey key, Secret secret) {
        if (key.pepper() != peppers.current() && sources.keys().rehash(key.id(), peppers.hash(secret))) {
            ids.forget(name);
        }
    }

    Optional<KeyRecord> key(UUID id) {
        return keys.get(id, sources.keys()::findById);
    }

    Optional<SessionRecord> session(UUID id) {
        return sessions.get(id, sources.sessions());
    }

    Optional<PublisherRecord> publisher(UUID id) {
        return publishers.get(id, sources.publishers());
    }

    /// Reports that a key was used from an address.
    void used(UUID key, InetAddress from) {
        sources.used().accept(key, from);
    }

    /// Returns the organization of a token's subject, even if the subject no longer works; empty if it was
    /// deleted, or the token was issued to an anonymous client.
    public Optional<UUID> owner(@Nullable TokenSubject subject) {
        return switch (subject) {
            case null -> Optional.empty();
            case TokenSubject.Key key -> key(key.id()).map(KeyRecord::organizationId);
            case TokenSubject.Session session -> session(session.id()).map(SessionRecord::home);
            case TokenSubject.Publisher publisher -> publisher(publisher.id()).map(PublisherRecord::organizationId);
        };
    }
}
