package dev.sheaf.server.identity.oidc;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.oidc.IdToken;
import dev.sheaf.server.auth.oidc.IdTokens;
import dev.sheaf.server.auth.oidc.OidcProvider;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import dev.sheaf.server.identity.Account;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.SignInSource;
import dev.sheaf.server.identity.factor.SecondFactor;
import dev.sheaf.server.identity.signin.IdentityParts;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Signs people in with an OpenID provider. The state, nonce and PKCE verifier of a sign-in are in a cookie of
/// the browser that began it. The cookie is sealed with a key derived from the master secret, so no other
/// browser can finish the sign-in. An account is linked to a subject of an issuer. An e-mail address counts
/// only if the provider has verified it, and links an existing account only if the settings allow that.
/// Thread-safe.
public final class OidcSignIn {
    /// The limit for the duration of a sign-in.
    public static final Duration LONGEST = Duration.ofMinutes(10);

    private final Database database;
    private final SealedCookie begun;
    private final SealedCookie waiting;
    private final Sessions sessions;
    private final SecondFactor secondFactor;
    private final OidcProvider provider;
    private final Rules rules;

    /// @param domains the domains of e-mail addresses that may sign in; empty for all
    /// @param provision whether a new person gets an account
    /// @param link whether a verified e-mail address links an account that was created in another way
    /// @param vouches whether no code of an authenticator is required, because the provider requires its own
    /// second factor
    public record Rules(Set<String> domains, boolean provision, boolean link, boolean vouches) {
        public Rules {
            domains = Set.copyOf(domains);
        }
    }

    public OidcSignIn(
            Database database, MasterSecret master, IdentityParts identity, OidcProvider provider, Rules rules) {
        this.database = database;
        this.begun = new SealedCookie(master, "oidc-cookie/1");
        this.waiting = new SealedCookie(master, "oidc-code-cookie/1");
        this.sessions = identity.sessions();
        this.secondFactor = identity.secondFactor();
        this.provider = provider;
        this.rules = rules;
    }

    /// A sign-in that has begun.
    ///
    /// @param place the address of the provider, to which the browser is redirected
    /// @param cookie the cookie that the browser keeps during the sign-in
    public record Begun(URI place, String cookie) {}

    /// The result of a sign-in at the provider.
    public sealed interface Ended {
        /// A session, and the path on this server at which to continue.
        record In(Sessions.Opened opened, String path) implements Ended {}

        /// The account also needs a code of an authenticator; the cookie is for [OidcSignIn#withCode].
        record CodeNeeded(String cookie) implements Ended {}
    }

    // --- begin ---

    /// @param path the path on this server at which to continue
    public Begun begin(String redirectUri, String path) {
        String state = OneTimeSecret.generate("state").expose();
        String nonce = OneTimeSecret.generate("nonce").expose();
        String verifier = OneTimeSecret.generate("verifier").expose();
        var now = database.now();
        URI place = provider.authorize(redirectUri, state, nonce, challenge(verifier), now);
        return new Begun(place, begun.seal(now.plus(LONGEST), state, nonce, verifier, path));
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private record Kept(String state, String nonce, String verifier, String path) {}

    private Kept kept(String cookie) {
        return begun.open(cookie, database.now())
                .map(lines -> new Kept(lines.get(0), lines.get(1), lines.get(2), lines.get(3)))
                .orElseThrow(() -> refuse("this sign-in was started in another browser, or too long ago; start again"));
    }

    // --- end ---

    /// Begins the session of the person whom the provider names, unless the account also needs a code.
    ///
    /// @param cookie the cookie of [#begin]
    /// @throws ProblemException unauthenticated with the reason; unavailable if the provider cannot be reached
    public Ended end(SignInSource visit, String cookie, String state, String code, String redirectUri) {
        var kept = kept(cookie);
        if (!Secret.of(kept.state()).equals(Secret.of(state))) {
            throw refuse("the state is not the one that this browser was given; start again");
        }
        var token = told(code, kept, redirectUri);
        String subject = token.text("sub")
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> IdTokens.refuse("sub", null, "a subject"));
        var step = database.write(tx -> {
            var found = allowed(
                    AccountRows.lock(tx, account(tx, token, subject).id()).orElseThrow());
            var account = proved(tx, found, token, visit);
            boolean needsCode = account.hasTotp() && !rules.vouches();
            return new Step(account.id(), needsCode ? null : begin(tx, account, visit));
        });
        var session = step.session();
        return session == null
                ? new Ended.CodeNeeded(waiting.seal(
                        database.now().plus(LONGEST), step.account().toString(), kept.path()))
                : new Ended.In(sessions.open(session), kept.path());
    }

    /// @param session null if a code is needed before it can begin
    private record Step(UUID account, Sessions.@Nullable Begun session) {}

    private static Account allowed(Account account) {
        if (account.isDisabled()) {
            throw new Problem.Unauthenticated(
                            CredentialFault.DISABLED, "the account is disabled; an administrator can enable it")
                    .raise();
        }
        return account;
    }

    /// Returns the account after the provider has proved its address.
    private static Account proved(Tx tx, Account account, IdToken token, SignInSource visit) {
        if (!account.email().equals(verified(token))) {
            return account;
        }
        var self = new Credential.Session(
                account.id(), account.id(), account.email().value());
        Accounts.prove(tx, account, visit.origin(self, account.id()));
        return AccountRows.find(tx, account.id()).orElseThrow();
    }

    private Sessions.Begun begin(Tx tx, Account account, SignInSource visit) {
        return sessions.begin(
                tx, new Sessions.Entry(account.id(), account.email().value(), "oidc", visit));
    }

    /// Returns whether a cookie of [Ended.CodeNeeded] is still valid.
    public boolean waits(String cookie) {
        return waiting.open(cookie, database.now()).isPresent();
    }

    /// Begins the session of a person who has signed in at the provider, with the required code.
    ///
    /// @param cookie the cookie of [Ended.CodeNeeded]
    /// @param code the code of the person's authenticator, or a recovery code
    /// @throws ProblemException unauthenticated; totp-required for a wrong code; rate-limited
    public Ended.In withCode(SignInSource visit, String cookie, Secret code) {
        var lines = waiting.open(cookie, database.now())
                .orElseThrow(
                        () -> refuse("this browser did not sign in at the provider, or too long ago; start again"));
        var id = UUID.fromString(lines.getFirst());
        secondFactor.begin(id);
        var session = database.write(tx -> {
            var account = allowed(AccountRows.lock(tx, id).orElseThrow());
            if (account.hasTotp()) { // it may have been removed in the meantime
                secondFactor.require(tx, account, code);
            }
            return begin(tx, account, visit);
        });
        return new Ended.In(sessions.open(session), lines.getLast());
    }

    private IdToken told(String code, Kept kept, String redirectUri) {
        IdToken token;
        try {
            token = provider.exchange(code, kept.verifier(), redirectUri, database.now());
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.Unavailable
                    ? e
                    : refuse(e.problem().detail());
        }
        if (!token.text("nonce").equals(Optional.of(kept.nonce()))) {
            throw refuse("the claim nonce of the id_token is not the one of this sign-in; start again");
        }
        return token;
    }

    private Account account(Tx tx, IdToken token, String subject) {
        var email = verified(token);
        var known = IdentityRows.find(tx, token.issuer(), subject);
        if (!rules.domains().isEmpty() && (email == null || !rules.domains().contains(email.domain()))) {
            throw refuse("sign-in needs a verified e-mail address of an allowed domain; ask the registry's operator");
        }
        if (known.isPresent()) {
            return AccountRows.find(tx, known.get()).orElseThrow();
        }
        if (email == null) {
            throw refuse("the provider has not verified the e-mail address (claims email, email_verified);"
                    + " verify it there, then sign in again");
        }
        var there = AccountRows.find(tx, email);
        if (there.isPresent() ? !rules.link() : !rules.provision()) {
            throw refuse(
                    there.isPresent()
                            ? "the account of this e-mail address does not accept sign-ins through this provider;"
                                    + " sign in with its password, or ask the registry's operator"
                            : "this e-mail address has no account, and this registry does not create accounts"
                                    + " at sign-in; ask the registry's operator");
        }
        var account = there.orElseGet(() -> Accounts.create(tx, email, name(token), "oidc"));
        if (!IdentityRows.insert(tx, token.issuer(), subject, account.id())) {
            throw new Problem.Conflict("another sign-in with this identity is in progress; try again").raise();
        }
        return account;
    }

    private static @Nullable EmailAddress verified(IdToken token) {
        try {
            return token.text("email_verified").equals(Optional.of("true"))
                    ? token.text("email").map(EmailAddress::parse).orElse(null)
                    : null;
        } catch (ProblemException e) {
            return null; // not a valid address
        }
    }

    private static @Nullable String name(IdToken token) {
        return token.text("name")
                .map(text -> text.replaceAll("\\p{C}", ""))
                .filter(text -> !text.isBlank() && text.length() <= 200)
                .orElse(null);
    }

    private static ProblemException refuse(String why) {
        return new Problem.Unauthenticated(CredentialFault.UNKNOWN, why).raise();
    }
}
