package dev.sheaf.server.auth;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Problem.Unauthenticated;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.Pepper;
import dev.sheaf.server.auth.secret.Peppers;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns a credential into a [Caller]. Thread-safe. Keys are cached until a committed change to them is announced,
/// so a revocation works on this node at once and on others within a second; expiry is judged at every use.
public final class Authenticator {
    /// How credentials are sent, in sentences that end with it.
    public static final String HOW = "; send Authorization: Bearer <API key>";

    private static final int CACHED = 100_000;

    /// How long before its end a key is said to end soon.
    public static final Duration NOTICE = Duration.ofDays(14);

    /// No key's id.
    private static final UUID NOBODY = new UUID(0, 0);

    /// A key, by its secret.
    ///
    /// @param pepper the one it is stored under
    public record Found(UUID id, long pepper) {}

    /// How keys are found; wired to the key store, which sits above this package.
    public interface KeySource {
        /// @param hashes of one secret under all peppers, of which at most one is stored
        Optional<Found> find(List<String> hashes);

        Optional<KeyRecord> findById(UUID id);

        /// Told what is to be stored of a key instead of what is; must return at once.
        ///
        /// @return false where it is about to be stored
        boolean rehash(UUID id, Peppers.Hashed hash);
    }

    /// Where credentials are looked up. All of it is remembered until a committed change is announced: of kind
    /// API_KEY, SESSION or PUBLISHER with the id.
    ///
    /// @param used told of every successful use of a key; must return at once
    public record Sources(
            KeySource keys,
            Function<UUID, Optional<SessionRecord>> sessions,
            Function<UUID, Optional<PublisherRecord>> publishers,
            Consumer<UUID> used) {
        /// Keys alone.
        public static Sources of(KeySource keys) {
            return new Sources(keys, id -> Optional.empty(), id -> Optional.empty(), id -> {});
        }
    }

    /// From where a credential is used, and for what.
    ///
    /// @param address null: it is not used, somebody who holds it asks what it is good for
    /// @param organization the one that the request is about, asked only for people
    /// @param refused told who it would have been, where a key is known and works no more
    public record Place(
            @Nullable InetAddress address, Supplier<Optional<UUID>> organization, Consumer<Caller.Known> refused) {
        /// Of nowhere, for whoever asks what a credential is good for.
        public static Place asked(Supplier<Optional<UUID>> organization) {
            return new Place(null, organization, known -> {});
        }

        public static Place of(InetAddress address) {
            return new Place(address, Optional::empty, known -> {});
        }
    }

    private final Sources sources;
    private final Database database;
    private final Peppers peppers;
    private final Tokens tokens;
    private final Pepper own = Pepper.ofThisProcess();
    private final InvalidatedCache<String, Found> ids; // by hash under our own pepper
    private final InvalidatedCache<UUID, KeyRecord> keys;
    private final InvalidatedCache<UUID, SessionRecord> sessions;
    private final InvalidatedCache<UUID, PublisherRecord> publishers;
    private final RevokedTokens revoked;

    public Authenticator(Sources sources, Database database, Peppers peppers, Tokens tokens) {
        this.sources = sources;
        this.database = database;
        this.peppers = peppers;
        this.tokens = tokens;
        this.ids = new InvalidatedCache<>(database, CACHED);
        this.keys = new InvalidatedCache<>(database, CACHED);
        this.sessions = new InvalidatedCache<>(database, CACHED);
        this.publishers = new InvalidatedCache<>(database, CACHED);
        this.revoked = new RevokedTokens(database);
        database.onChange(this::forget);
    }

    private void forget(Change change) {
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
            case REPOSITORY, NAMESPACE, ORGANIZATION, EVENT, FEED -> {
                // holds nothing of these
            }
        }
    }

    /// The caller behind an API key or an access token.
    ///
    /// @throws ProblemException unauthenticated, saying whether it is malformed, unknown, expired, revoked or
    /// disabled
    public Caller authenticate(Secret credential, Place place) {
        String text = credential.expose();
        if (text.startsWith(KeyFormat.PREFIX)) {
            return key(byKey(credential), new Use(Grant.ALL, null, place));
        }
        var token = tokens.verify(text, database.now());
        if (revoked.containsAny(token.lineage())) {
            throw gone("the access token was revoked; ask for a new one");
        }
        var use = new Use(token.grant(), token.expiresAt(), place);
        return switch (token.subject()) {
            case null -> Caller.ANONYMOUS;
            case Subject.Key subject ->
                key(
                        keys.get(subject.id(), sources.keys()::findById)
                                .orElseThrow(() -> gone("the API key of this access token no longer exists")),
                        use);
            case Subject.Session subject ->
                session(
                        sessions.get(subject.id(), sources.sessions())
                                .orElseThrow(() -> gone("the session of this access token is over; sign in again")),
                        use);
            case Subject.Publisher subject -> publisher(subject, use);
        };
    }

    /// The organization to which what an access token is for belongs, whether that still works or not; empty where
    /// it is gone, or for nobody.
    public Optional<UUID> owner(@Nullable Subject subject) {
        return switch (subject) {
            case null -> Optional.empty();
            case Subject.Key key -> keys.get(key.id(), sources.keys()::findById).map(KeyRecord::organizationId);
            case Subject.Session session ->
                sessions.get(session.id(), sources.sessions()).map(SessionRecord::home);
            case Subject.Publisher publisher ->
                publishers.get(publisher.id(), sources.publishers()).map(PublisherRecord::organizationId);
        };
    }

    /// When the caller's key ends, also where a token made from it was sent; empty where that is not soon.
    public Optional<Instant> endingSoon(Caller caller) {
        if (caller instanceof Caller.Known known && known.credential() instanceof Credential.Key key) {
            return Optional.ofNullable(key.endsAt())
                    .filter(end -> !end.isAfter(database.now().plus(NOTICE)));
        }
        return Optional.empty();
    }

    /// How a credential is used.
    ///
    /// @param endsAt when the token of which it is the subject expires; null: it is the credential itself
    private record Use(Grant grant, @Nullable Instant endsAt, Place place) {
        @Nullable
        Instant endsBefore(@Nullable Instant end) {
            return endsAt == null || (end != null && end.isBefore(endsAt)) ? end : endsAt;
        }
    }

    private static ProblemException gone(String detail) {
        return refuse(CredentialFault.REVOKED, detail);
    }

    private KeyRecord byKey(Secret secret) {
        if (!KeyFormat.isWellFormed(secret.expose())) {
            throw refuse(
                    CredentialFault.MALFORMED, "the API key is malformed; copy it again, whole and without spaces");
        }
        String name = own.hash(secret);
        var found = ids.get(name, missing -> sources.keys().find(peppers.hashes(secret)));
        found.ifPresent(key -> renew(name, key, secret));
        // an unknown key costs the same two look-ups as one that is no good any more
        return keys.get(found.map(Found::id).orElse(NOBODY), sources.keys()::findById)
                .orElseThrow(() ->
                        refuse(CredentialFault.UNKNOWN, "the API key is unknown here; is it a key of this registry?"));
    }

    /// Has a key stored under the newest pepper: now, since its secret is at hand only when it is used.
    private void renew(String name, Found key, Secret secret) {
        if (key.pepper() != peppers.current() && sources.keys().rehash(key.id(), peppers.hash(secret))) {
            ids.forget(name);
        }
    }

    private Caller key(KeyRecord key, Use use) {
        var credential =
                new Credential.Key(key.id(), key.name(), key.hint(), key.life().endsAt());
        var fault = key.life().state(database.now()).fault();
        if (fault.isPresent()) {
            use.place()
                    .refused()
                    .accept(new Caller.Known(
                            credential, key.organizationId(), key.scope(), key.restrictions(), use.grant(), null));
            throw refuse(fault.get(), sentence(fault.get()));
        }
        var caller = narrowed(
                credential,
                key.organizationId(),
                key.scope(),
                key.restrictions(),
                use.endsBefore(key.life().endsAt()),
                use);
        if (use.place().address() != null) {
            sources.used().accept(key.id());
        }
        return caller;
    }

    private Caller session(SessionRecord session, Use use) {
        if (session.revokedAt() != null) {
            throw gone("the session of this access token was ended; sign in again");
        }
        if (!database.now().isBefore(session.endsAt())) {
            throw refuse(CredentialFault.EXPIRED, "the session of this access token has expired; sign in again");
        }
        UUID organization = use.place()
                .organization()
                .get()
                .filter(session.organizations()::containsKey)
                .or(() -> Optional.ofNullable(session.home()))
                .orElse(SessionRecord.NO_ORGANIZATION);
        return narrowed(
                new Credential.Session(session.id(), session.userId(), session.email()),
                organization,
                session.organizations().getOrDefault(organization, Scope.READ),
                Restrictions.NONE,
                use.endsBefore(session.endsAt()),
                use);
    }

    private Caller publisher(Subject.Publisher subject, Use use) {
        var publisher = publishers
                .get(subject.id(), sources.publishers())
                .orElseThrow(() -> gone("the trusted publisher of this access token was removed"));
        return narrowed(
                new Credential.Run(publisher.id(), subject.run()),
                publisher.organizationId(),
                Scope.WRITE,
                publisher.restrictions(),
                use.endsBefore(null),
                use);
    }

    private static Caller narrowed(
            Credential credential,
            UUID organization,
            Scope scope,
            Restrictions restrictions,
            @Nullable Instant endsAt,
            Use use) {
        var part = use.grant().part();
        var address = use.place().address();
        if (address != null
                && !(restrictions.permit(address) && part.restrictions().permit(address))) {
            throw refuse(CredentialFault.UNKNOWN, "the " + word(credential) + " may not be used from this address");
        }
        return new Caller.Known(
                credential,
                organization,
                Scope.lower(scope, part.scope()),
                restrictions.and(part.restrictions()),
                use.grant(),
                endsAt);
    }

    private static String word(Credential credential) {
        return credential instanceof Credential.Key ? "API key" : "credential";
    }

    private static String sentence(CredentialFault fault) {
        return switch (fault) {
            case EXPIRED -> "the API key has expired; create a new one";
            case REVOKED -> "the API key was revoked; create a new one";
            case DISABLED -> "the API key is disabled; an admin of its organization can enable it";
            case MISSING, MALFORMED, UNKNOWN -> "the API key is not valid";
        };
    }

    static ProblemException refuse(CredentialFault fault, @Nullable String detail) {
        return new Unauthenticated(fault, detail == null ? "the credential is not valid" : detail).raise();
    }

    /// The problem of a caller that names no credential where one is needed.
    public static Problem missing() {
        return new Unauthenticated(CredentialFault.MISSING, "credentials are needed" + HOW);
    }
}
