package dev.sheaf.server.auth;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.metrics.LabeledCounter;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Problem.Unauthenticated;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns a credential into a [Caller]. Keys are cached until a committed change to them is announced, so a
/// revocation takes effect on this node immediately and on others within two seconds. Expiry is checked at every
/// use. Thread-safe.
public final class Authenticator {
    /// Explains how to send credentials; the end of a sentence.
    public static final String HOW = "; send Authorization: Bearer <API key>";

    /// The time before its end in which a key is reported as ending soon.
    public static final Duration NOTICE = Duration.ofDays(14);

    /// The circumstances in which a credential is used.
    ///
    /// @param address null if the credential is not used, but its holder asks what it may do
    /// @param organization the organization that the request is about; called only for people
    /// @param refused receives the caller if the key is known but no longer works
    public record Context(
            @Nullable InetAddress address, Supplier<Optional<UUID>> organization, Consumer<Caller.Known> refused) {
        /// Returns a context without an address, for a holder who asks what a credential may do.
        public static Context asked(Supplier<Optional<UUID>> organization) {
            return new Context(null, organization, known -> {});
        }

        public static Context of(InetAddress address) {
            return new Context(address, Optional::empty, known -> {});
        }
    }

    private final KnownCredentials known;
    private final Database database;
    private final AccessTokens tokens;
    private final RevokedTokens revoked;
    private final HeldClaim.Check claims;
    private final LabeledCounter checks = new LabeledCounter();
    private final CredentialChecks keys = new CredentialChecks(checks, "key");
    private final CredentialChecks issued = new CredentialChecks(checks, "token");
    private final CredentialChecks sessions = new CredentialChecks(checks, "session");

    /// @param claims says whether the claim of a job's token is still held
    public Authenticator(KnownCredentials known, Database database, AccessTokens tokens, HeldClaim.Check claims) {
        this.known = known;
        this.database = database;
        this.tokens = tokens;
        this.revoked = new RevokedTokens(database);
        this.claims = claims;
    }

    /// Returns the caller of an API key or an access token.
    ///
    /// @throws ProblemException unauthenticated; says whether it is malformed, unknown, expired, revoked or
    /// disabled
    public Caller authenticate(Secret credential, Context context) {
        String text = credential.expose();
        return text.startsWith(KeyFormat.PREFIX)
                ? keys.counted(() -> key(known.key(credential), new Use(context)))
                : issued.counted(() -> token(text, context));
    }

    /// Returns how many credentials were checked, by kind and result.
    public LabeledCounter checks() {
        return checks;
    }

    private Caller token(String text, Context context) {
        var token = tokens.verify(text, database.now());
        if (revoked.endsAny(token)) {
            throw ended("the access token was revoked; ask for a new one");
        }
        if (token.grant().claim().filter(claim -> !claims.isHeld(claim)).isPresent()) {
            throw ended("the job of this access token is no longer held by the claim that it came with; claim a job"
                    + " again");
        }
        var use = new Use(token.grant(), token.lineage(), token.expiresAt(), context);
        return switch (token.subject()) {
            case null -> Caller.ANONYMOUS;
            case TokenSubject.Key subject ->
                key(
                        known.key(subject.id())
                                .orElseThrow(() ->
                                        ended("the API key of this access token no longer exists; use another key")),
                        use);
            case TokenSubject.Session subject ->
                session(
                        known.session(subject.id())
                                .orElseThrow(() ->
                                        ended("the session of this access token no longer exists; sign in again")),
                        use);
            case TokenSubject.Publisher subject -> publisher(subject, use);
        };
    }

    /// Returns the caller of a browser session.
    ///
    /// @throws ProblemException unauthenticated if the session is unknown or over
    public Caller inSession(UUID id, Context context) {
        return sessions.counted(() -> session(
                known.session(id).orElseThrow(() -> ended("the session no longer exists; sign in again")),
                new Use(context)));
    }

    /// Returns the end of the caller's key, even if a token issued for the key was sent; empty if it does not
    /// end soon.
    public Optional<Instant> endingSoon(Caller caller) {
        if (caller instanceof Caller.Known known && known.credential() instanceof Credential.Key key) {
            return Optional.ofNullable(key.endsAt())
                    .filter(end -> !end.isAfter(database.now().plus(NOTICE)));
        }
        return Optional.empty();
    }

    /// A use of a credential.
    ///
    /// @param tokens the ids of the access token for this credential, and of those that were exchanged for it
    /// @param endsAt when the access token expires; null if the credential itself was sent
    private record Use(
            Grant grant, List<String> tokens, @Nullable Instant endsAt, Context context) {
        Use(Context context) {
            this(Grant.ALL, List.of(), null, context);
        }

        @Nullable
        Instant endsBefore(@Nullable Instant end) {
            return endsAt == null || (end != null && end.isBefore(endsAt)) ? end : endsAt;
        }
    }

    private static ProblemException ended(String detail) {
        return refuse(CredentialFault.REVOKED, detail);
    }

    private Caller key(KeyRecord key, Use use) {
        var credential =
                new Credential.Key(key.id(), key.name(), key.hint(), key.life().endsAt());
        var fault = key.life().state(database.now()).fault();
        if (fault.isPresent()) {
            use.context()
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
        var address = use.context().address();
        if (address != null) {
            known.used(key.id(), address);
        }
        return caller;
    }

    private Caller session(SessionRecord session, Use use) {
        if (session.revokedAt() != null) {
            throw ended("the session of this access token was ended; sign in again");
        }
        if (!database.now().isBefore(session.endsAt())) {
            throw refuse(CredentialFault.EXPIRED, "the session of this access token has expired; sign in again");
        }
        UUID organization = use.context()
                .organization()
                .get()
                .filter(session.organizations()::containsKey)
                .or(() -> Optional.ofNullable(session.home()))
                .orElse(SessionRecord.NO_ORGANIZATION);
        return narrowed(
                new Credential.Session(session.id(), session.userId(), session.email()),
                organization,
                session.organizations().getOrDefault(organization, Scope.READ),
                CredentialRestrictions.NONE,
                use.endsBefore(session.endsAt()),
                use);
    }

    private Caller publisher(TokenSubject.Publisher subject, Use use) {
        var publisher = known.publisher(subject.id())
                .orElseThrow(() -> ended(
                        "the trusted publisher of this access token was deleted; create it again, or use an API key"));
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
            CredentialRestrictions restrictions,
            @Nullable Instant endsAt,
            Use use) {
        var part = use.grant().part();
        var address = use.context().address();
        if (address != null
                && !(restrictions.permit(address) && part.restrictions().permit(address))) {
            throw refuse(
                    CredentialFault.UNKNOWN,
                    "the " + word(credential)
                            + " may not be used from this address; use one whose restrictions allow the address");
        }
        return new Caller.Known(
                credential,
                organization,
                Scope.lower(scope, part.scope()),
                restrictions.and(part.restrictions()),
                use.grant(),
                use.tokens(),
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
            case MISSING, MALFORMED, UNKNOWN -> "the API key is not valid; check it, or create a new one";
        };
    }

    static ProblemException refuse(CredentialFault fault, @Nullable String detail) {
        return new Unauthenticated(
                        fault, detail == null ? "the credential is not valid; check it, or get a new one" : detail)
                .raise();
    }

    /// Returns the problem of a request without a credential where one is needed.
    public static Problem missing() {
        return new Unauthenticated(CredentialFault.MISSING, "credentials are needed" + HOW);
    }
}
