package dev.sheaf.server.testing;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Handle;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.KnownCredentials;
import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.PepperRing;
import dev.sheaf.server.org.directory.FirstStart;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.KeyChanges;
import dev.sheaf.server.org.key.KeyLookup;
import dev.sheaf.server.org.key.NewKey;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The keys of one installation on one node, and whoever checks them.
public final class Keys {
    public static final InetAddress HERE = InetAddress.getLoopbackAddress();

    public final ApiKeys store;
    public final KeyLookup lookUp;
    public final KeyChanges changes;
    public final PepperRing peppers;
    public final SigningKeys signingKeys;
    public final AccessTokens tokens;
    public final KnownCredentials known;
    public final Authenticator authenticator;
    private final Database database;

    public Keys(Database database, String master) {
        this(database, master, List.of());
    }

    /// @param previous master secrets that this one has replaced
    public Keys(Database database, String master, List<String> previous) {
        var secret = MasterSecret.parse(master);
        this.database = database;
        this.peppers = new PepperRing(
                database, secret, previous.stream().map(MasterSecret::parse).toList());
        this.lookUp = new KeyLookup(database);
        this.store = new ApiKeys(database, peppers, 100);
        this.changes = new KeyChanges(database, store, 100);
        this.signingKeys = new SigningKeys(database, secret);
        this.tokens = new AccessTokens(signingKeys);
        this.known = new KnownCredentials(KnownCredentials.Sources.of(lookUp), database, peppers);
        this.authenticator = new Authenticator(known, database, tokens, claim -> false);
    }

    /// Makes the organization with its first key, and says who holds it.
    public ChangeOrigin bootstrap() {
        var secret = new FirstStart(database, store)
                .run(Handle.parse("acme"), key -> {})
                .orElseThrow();
        return new ChangeOrigin((Caller.Known) check(secret), "127.0.0.1", "request-1");
    }

    public ApiKey create(
            ChangeOrigin origin, Scope scope, @Nullable Instant expiresAt, CredentialRestrictions restrictions) {
        return store.create(origin, new NewKey("key " + scope, null, Set.of(scope), expiresAt, restrictions));
    }

    public ApiKey create(ChangeOrigin origin) {
        return create(origin, Scope.READ, null, CredentialRestrictions.NONE);
    }

    public void revoke(ChangeOrigin origin, UUID key) {
        changes.revoke(origin, key, "over", now -> {});
    }

    /// The secret of a key that was just created.
    public static Secret secret(ApiKey created) {
        return Secret.of(Objects.requireNonNull(created.key()));
    }

    public Caller check(Secret secret) {
        return authenticator.authenticate(secret, Authenticator.Context.of(HERE));
    }
}
