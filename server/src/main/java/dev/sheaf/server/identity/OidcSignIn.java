package dev.sheaf.server.identity;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Secret;
import dev.sheaf.server.auth.IdToken;
import dev.sheaf.server.auth.IdTokens;
import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.auth.OidcProvider;
import dev.sheaf.server.auth.OneTime;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Lets people in whom an OpenID provider knows. What a sign-in began with (state, nonce, PKCE verifier) is in a
/// cookie of the browser that began it, sealed with a key derived from the master secret, so no other browser can
/// end it. An account belongs to a subject of an issuer; an e-mail address counts only where the provider has
/// verified it, and finds an account that is there already only where the settings say so. Thread-safe.
public final class OidcSignIn {
    /// How long a sign-in may take.
    public static final Duration LONGEST = Duration.ofMinutes(10);

    private static final String LABEL = "oidc-cookie/1";

    private final Database database;
    private final MasterSecret master;
    private final Sessions sessions;
    private final OidcProvider provider;
    private final Rules rules;

    /// @param domains of e-mail addresses that may come in; empty: all
    /// @param provision whether somebody new gets an account
    /// @param link whether a verified e-mail address finds an account that was made otherwise
    public record Rules(Set<String> domains, boolean provision, boolean link) {
        public Rules {
            domains = Set.copyOf(domains);
        }
    }

    public OidcSignIn(Database database, MasterSecret master, Sessions sessions, OidcProvider provider, Rules rules) {
        this.database = database;
        this.master = master;
        this.sessions = sessions;
        this.provider = provider;
        this.rules = rules;
    }

    /// Where the browser goes, and the cookie that it keeps meanwhile.
    public record Begun(URI place, String cookie) {}

    /// A session, and the path of this service to go on at.
    public record Ended(Sessions.Opened opened, String path) {}

    // --- begin ---

    /// @param path of this service, where to go on
    public Begun begin(String redirectUri, String path) {
        String state = OneTime.generate("state").expose();
        String nonce = OneTime.generate("nonce").expose();
        String verifier = OneTime.generate("verifier").expose();
        var now = database.now();
        URI place = provider.authorize(redirectUri, state, nonce, challenge(verifier), now);
        String text = String.join(
                "\n",
                state,
                nonce,
                verifier,
                path,
                Long.toString(now.plus(LONGEST).toEpochMilli()));
        String sealed = Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return new Begun(place, sealed + "." + seal(sealed));
    }

    private String seal(String text) {
        return master.hashOf(LABEL, Secret.of(text));
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
        int dot = cookie.indexOf('.');
        String sealed = cookie.substring(0, Math.max(dot, 0));
        if (dot > 0 && Secret.of(seal(sealed)).equals(Secret.of(cookie.substring(dot + 1)))) {
            var parts = new String(Base64.getUrlDecoder().decode(sealed), StandardCharsets.UTF_8).split("\n", -1);
            if (database.now().isBefore(Instant.ofEpochMilli(Long.parseLong(parts[4])))) {
                return new Kept(parts[0], parts[1], parts[2], parts[3]);
            }
        }
        throw refuse("this browser did not begin the sign-in, or too long ago; begin again");
    }

    // --- end ---

    /// Begins the session of whoever the provider says has signed in.
    ///
    /// @param cookie of [#begin]
    /// @throws ProblemException unauthenticated, saying why; unavailable where the provider cannot be asked
    public Ended end(Visit visit, String cookie, String state, String code, String redirectUri) {
        var kept = kept(cookie);
        if (!Secret.of(kept.state()).equals(Secret.of(state))) {
            throw refuse("the state is not the one that this browser was given; begin again");
        }
        var token = told(code, kept, redirectUri);
        String subject = token.text("sub")
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> IdTokens.refuse("sub", null, "a subject"));
        var begun = database.write(tx -> {
            var account = account(tx, token, subject);
            if (account.isDisabled()) {
                throw new Problem.Unauthenticated(
                                CredentialFault.DISABLED, "the account is disabled; an administrator can enable it")
                        .raise();
            }
            return sessions.begin(
                    tx, new Sessions.Entry(account.id(), account.email().value(), "oidc", visit));
        });
        return new Ended(sessions.open(begun), kept.path());
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
            throw refuse("the claim nonce of the id_token is not the one of this sign-in; begin again");
        }
        return token;
    }

    private Account account(Tx tx, IdToken token, String subject) {
        var email = verified(token);
        var known = IdentityRows.find(tx, token.issuer(), subject);
        if (!rules.domains().isEmpty() && (email == null || !rules.domains().contains(email.domain()))) {
            throw refuse("accounts of this registry have a verified e-mail address of certain domains");
        }
        if (known.isPresent()) {
            return AccountRows.find(tx, known.get()).orElseThrow();
        }
        if (email == null) {
            throw refuse("the provider has not verified the e-mail address (claims email, email_verified)");
        }
        var there = AccountRows.find(tx, email);
        if (there.isPresent() ? !rules.link() : !rules.provision()) {
            throw refuse(
                    there.isPresent()
                            ? "there is an account of that e-mail address, which is not signed in to by this provider"
                            : "there is no account of that e-mail address, and this registry makes none at a sign-in");
        }
        var account = there.orElseGet(() -> Accounts.create(tx, email, name(token), "oidc"));
        if (!IdentityRows.insert(tx, token.issuer(), subject, account.id())) {
            throw new Problem.Conflict("somebody signs in with this identity at this moment; try again").raise();
        }
        return account;
    }

    private static @Nullable EmailAddress verified(IdToken token) {
        try {
            return token.text("email_verified").equals(Optional.of("true"))
                    ? token.text("email").map(EmailAddress::parse).orElse(null)
                    : null;
        } catch (ProblemException e) {
            return null; // not the shape of an address
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
