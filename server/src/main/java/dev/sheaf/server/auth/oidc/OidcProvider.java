package dev.sheaf.server.auth.oidc;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.sheaf.engine.net.RemoteDocuments;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The OpenID provider that people sign in with: the authorization code flow (OpenID Connect Core 1.0, section
/// 3.1) with PKCE (RFC 7636). Thread-safe.
public final class OidcProvider {
    private static final Logger LOG = LoggerFactory.getLogger(OidcProvider.class);

    private final Client client;
    private final IdTokens idTokens;
    private final OidcIssuer issuer;
    private final RemoteDocuments documents = new RemoteDocuments();

    /// This registry as a client of the provider.
    ///
    /// @param secret null for a public client
    public record Client(String issuer, String id, @Nullable Secret secret) {}

    public OidcProvider(Client client) {
        this.client = client;
        this.idTokens = new IdTokens(List.of(client.issuer()));
        this.issuer = new OidcIssuer(client.issuer(), documents);
    }

    /// Returns the address at which a browser signs in.
    ///
    /// @param challenge SHA-256 of the verifier in URL-safe base64
    /// @throws ProblemException unavailable if the provider cannot be reached
    public URI authorize(String redirectUri, String state, String nonce, String challenge, Instant now) {
        var query = new LinkedHashMap<String, String>();
        query.put("response_type", "code");
        query.put("client_id", client.id());
        query.put("redirect_uri", redirectUri);
        query.put("scope", "openid email profile");
        query.put("state", state);
        query.put("nonce", nonce);
        query.put("code_challenge", challenge);
        query.put("code_challenge_method", "S256");
        try {
            String place = issuer.endpoint("authorization_endpoint", now).toString();
            return URI.create(place + (place.contains("?") ? "&" : "?") + form(query));
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    /// Returns the ID token of the person who signed in. The caller must still compare the nonce.
    ///
    /// @throws ProblemException token-refused if the provider's answer is invalid; unavailable if it cannot be
    /// reached
    public IdToken exchange(String code, String verifier, String redirectUri, Instant now) {
        var form = new LinkedHashMap<String, String>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", redirectUri);
        form.put("client_id", client.id());
        form.put("code_verifier", verifier);
        try {
            String answer = documents.post(
                    issuer.endpoint("token_endpoint", now),
                    form(form),
                    client.secret() == null ? null : basic(client.secret()));
            String token = JSONObjectUtils.getString(JSONObjectUtils.parse(answer), "id_token");
            if (token == null) {
                throw OAuthError.INVALID_GRANT.refuse("the provider sent no id_token");
            }
            return idTokens.verifyOfPerson(token, Set.of(client.id()), now);
        } catch (ParseException e) {
            throw OAuthError.INVALID_GRANT.refuse("the provider's answer is not valid JSON");
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    /// Returns the client's credentials. Both parts are form-encoded before they are joined (RFC 6749, section
    /// 2.3.1).
    private String basic(Secret secret) {
        String pair = encode(client.id()) + ":" + encode(secret.expose());
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static String form(Map<String, String> values) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static ProblemException unavailable(IOException e) {
        LOG.warn("cannot reach the provider that people sign in with", e);
        return new Problem.Unavailable("the sign-in provider cannot be reached, or it refused the code; try again", 10)
                .raise();
    }
}
