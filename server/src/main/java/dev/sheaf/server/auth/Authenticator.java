package dev.sheaf.server.auth;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Problem.Unauthenticated;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Secret;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Remembered;
import java.net.InetAddress;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Turns a credential into a [Caller]. Thread-safe. Keys are cached until a committed change to them is announced,
/// so a revocation works on this node at once and on others within a second; expiry is judged at every use.
public final class Authenticator {
    private static final int CACHED_KEYS = 100_000;

    /// How keys are found; wired to the key store, which sits above this package.
    public interface KeySource {
        Optional<UUID> findIdBySecretHash(String hash);

        Optional<KeyRecord> findById(UUID id);
    }

    private final KeySource keys;
    private final Database database;
    private final MasterSecret master;
    private final Tokens tokens;
    private final Consumer<UUID> used;
    private final Remembered<String, UUID> ids = new Remembered<>(CACHED_KEYS); // never changes, so is never forgotten
    private final Remembered<UUID, KeyRecord> live = new Remembered<>(CACHED_KEYS);

    /// @param used told of every successful use of a key; must return at once
    public Authenticator(KeySource keys, Database database, MasterSecret master, Tokens tokens, Consumer<UUID> used) {
        this.keys = keys;
        this.database = database;
        this.master = master;
        this.tokens = tokens;
        this.used = used;
        database.onChange(this::forget);
    }

    private void forget(Change change) {
        switch (change.kind()) {
            case API_KEY -> live.forget(UUID.fromString(change.id()));
            case EVERYTHING -> live.forgetAll();
            case REPOSITORY, NAMESPACE, SIGNING_KEY, ORGANIZATION -> {
                // holds nothing of these
            }
        }
    }

    /// The caller behind an API key or an access token of the registry.
    ///
    /// @throws ProblemException unauthenticated, saying whether it is malformed, unknown, expired, revoked or
    /// disabled
    public Caller authenticate(Secret credential, InetAddress address) {
        String text = credential.expose();
        if (text.startsWith(KeyFormat.PREFIX)) {
            return caller(byKey(text), Grant.ALL, address);
        }
        var token = tokens.verify(text, database.now());
        UUID keyId = token.keyId();
        if (keyId == null) {
            return Caller.ANONYMOUS;
        }
        var key = live.get(keyId, keys::findById)
                .orElseThrow(
                        () -> refuse(CredentialFault.REVOKED, "the API key of this access token no longer exists"));
        return caller(key, token.grant(), address);
    }

    private KeyRecord byKey(String text) {
        if (!KeyFormat.isWellFormed(text)) {
            throw refuse(
                    CredentialFault.MALFORMED, "the API key is malformed; copy it again, whole and without spaces");
        }
        return ids.get(master.hashOf(text), keys::findIdBySecretHash)
                .flatMap(id -> live.get(id, keys::findById))
                .orElseThrow(() ->
                        refuse(CredentialFault.UNKNOWN, "the API key is unknown here; is it a key of this registry?"));
    }

    private Caller caller(KeyRecord key, Grant grant, InetAddress address) {
        var fault = key.state().fault(database.now());
        if (fault.isPresent()) {
            throw refuse(fault.get(), sentence(fault.get()));
        }
        if (!key.restrictions().permit(address)) {
            throw refuse(CredentialFault.UNKNOWN, "the API key may not be used from this address");
        }
        used.accept(key.id());
        return new Caller.Keyed(key.id(), key.name(), key.organizationId(), key.scope(), key.restrictions(), grant);
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
        return new Unauthenticated(
                CredentialFault.MISSING, "credentials are needed; send Authorization: Bearer <API key>");
    }
}
