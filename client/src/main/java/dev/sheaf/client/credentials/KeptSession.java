package dev.sheaf.client.credentials;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DigestLock;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The stored session for a registry. Its access token is renewed shortly before it expires, by one thread of
/// one process at a time: each renewal uses up a refresh token, and using one twice ends the session. Renewals
/// by other processes are used too. Thread-safe.
public final class KeptSession implements Bearer {
    /// The storage of the session.
    interface Place {
        Optional<Session> find();

        void store(Session session);

        void forget();
    }

    private final Place place;
    private final Path folder;
    private final Supplier<TokenEndpoint> endpoint;
    private final InstantSource clock;
    private volatile @Nullable Session latest;

    /// @param folder the absolute path of the folder with the lock that all processes of this user share
    KeptSession(Place place, Path folder, Supplier<TokenEndpoint> endpoint, InstantSource clock) {
        this.place = place;
        this.folder = folder;
        this.endpoint = endpoint;
        this.clock = clock;
    }

    @Override
    public Secret token() {
        var known = latest;
        return known != null && known.isFresh(clock.instant())
                ? known.access()
                : locked(() -> renewed(null)).access();
    }

    @Override
    public String identity() {
        var known = latest;
        return known != null ? known.id() : stored().id();
    }

    private Session stored() {
        return place.find()
                .orElseThrow(() -> new SheafException.Unauthenticated(
                        "the session was ended by a logout", SheafException.Answer.NONE));
    }

    /// Renews the session if the token was revoked before it expired. For example, all tokens of an
    /// installation may be revoked at the same time.
    @Override
    public boolean replaces(Secret refused) {
        locked(() -> renewed(refused));
        return true;
    }

    private Session renewed(@Nullable Secret refused) {
        var stored = stored();
        boolean good = stored.isFresh(clock.instant())
                && (refused == null || !stored.access().equals(refused));
        var session = good ? stored : next(stored);
        latest = session;
        return session;
    }

    private Session next(Session stored) {
        try (var tokens = endpoint.get()) {
            return switch (tokens.refresh(stored.refresh())) {
                case TokenEndpoint.Outcome.Begun begun -> {
                    var renewed = begun.session().withIdOf(stored);
                    place.store(renewed);
                    yield renewed;
                }
                case TokenEndpoint.Outcome.Refused refused -> {
                    if (refused.error().equals("invalid_grant")) {
                        place.forget();
                    }
                    throw refused.failure();
                }
            };
        }
    }

    /// Stores a new session.
    void begin(Session session) {
        locked(() -> {
            place.store(session);
            return session;
        });
        latest = session;
    }

    /// Removes the stored session, then ends it at the registry. An unreadable session is only removed.
    ///
    /// @return whether there was a session
    /// @throws SheafException if the registry could not be reached; the session then expires later
    boolean end() {
        var ended = locked(() -> {
            try {
                return place.find();
            } finally {
                place.forget();
            }
        });
        latest = null;
        ended.ifPresent(session -> {
            try (var tokens = endpoint.get()) {
                tokens.revoke(session.refresh());
            }
        });
        return ended.isPresent();
    }

    private <T> T locked(Supplier<T> work) {
        try {
            OwnerOnly.makeFolder(folder);
            try (var lock = DigestLock.acquire(folder.resolve("session.lock"))) {
                return work.get();
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot lock the session in " + folder, e);
        }
    }
}
