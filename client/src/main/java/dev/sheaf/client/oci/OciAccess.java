package dev.sheaf.client.oci;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Signs in to a repository of any OCI registry as its 401 response requires: with a name and password, or with
/// a token of its token service, obtained with a password or an identity token (distribution token
/// specification, "token" and "oauth"). Signs in once for each refusal.
///
/// The password or identity token is only sent to the registry's own scheme, host and port. Requests to a token
/// service on another host are anonymous, which is enough for public content.
///
/// Thread-safe.
public final class OciAccess implements OciRepository.Sender {
    /// Credentials for a registry.
    ///
    /// @param name null if the secret is an identity token (an OAuth 2 refresh token) and not a password
    public record Login(@Nullable String name, Secret secret) {}

    private static final int LONGEST_ANSWER = 1 << 20;
    private static final Pattern PARAMETER = Pattern.compile("([a-zA-Z]+)=\"([^\"]*)\"");

    private final RegistryTransport transport;
    private final String repository;
    private final @Nullable Login login;
    private volatile @Nullable String authorization;

    /// Returns a repository that uses the login. If the login is null, it uses the client's own credential, if
    /// any.
    public static OciRepository repository(RegistryTransport transport, String name, @Nullable Login login) {
        boolean own = login == null && transport.hasCredential();
        return new OciRepository(transport, name, own ? transport::once : new OciAccess(transport, name, login));
    }

    /// @param transport its own credential is not used
    private OciAccess(RegistryTransport transport, String repository, @Nullable Login login) {
        this.transport = transport;
        this.repository = repository;
        this.login = login;
    }

    @Override
    public HttpReply once(HttpCall call) {
        if (!call.authorized() || !transport.registry().isOriginOf(call.uri())) {
            return transport.once(call.anonymouslyAt(call.uri()));
        }
        String known = authorization;
        var expected = new ArrayList<>(call.expected());
        expected.add(401);
        HttpReply reply = transport.once(with(known, call.expecting(expected.toArray(Integer[]::new))));
        if (reply.status() != 401) {
            return reply;
        }
        List<String> challenges = reply.headers().allValues("WWW-Authenticate");
        reply.close();
        authorization = answer(challenges);
        try {
            return transport.once(with(authorization, call));
        } catch (SheafException.Forbidden e) {
            // The token was anonymous: a login is missing, not a permission.
            throw login == null ? new SheafException.Unauthenticated(String.valueOf(e.getMessage()), e.answer()) : e;
        }
    }

    private static HttpCall with(@Nullable String authorization, HttpCall call) {
        var plain = call.anonymouslyAt(call.uri());
        return authorization == null ? plain : plain.header("Authorization", authorization);
    }

    private @Nullable String answer(List<String> challenges) {
        for (String challenge : challenges) {
            if (challenge.toLowerCase(Locale.ROOT).startsWith("bearer ")) {
                return "Bearer " + token(parameters(challenge));
            }
        }
        return login == null || login.name() == null ? null : basic(login);
    }

    private static String basic(Login login) {
        byte[] pair = (login.name() + ":" + login.secret().expose()).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    private static Map<String, String> parameters(String challenge) {
        var all = new HashMap<String, String>();
        var matcher = PARAMETER.matcher(challenge);
        while (matcher.find()) {
            all.putIfAbsent(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2));
        }
        return all;
    }

    private String token(Map<String, String> challenge) {
        URI realm = realm(challenge.getOrDefault("realm", ""));
        String scope = "repository:" + repository + ":pull"; // ignores the scope of the challenge
        String service = challenge.getOrDefault("service", "");
        try (HttpReply reply = transport.once(asking(realm, scope, service))) {
            JsonNode answer = WireJson.tree(reply.bytes(LONGEST_ANSWER));
            var token = answer == null
                    ? ""
                    : answer.path("token").asString(answer.path("access_token").asString(""));
            if (!Credentials.isSendable(Secret.of(token))) {
                throw new SheafException.Server("the answer of the token service " + realm + " contains no token");
            }
            return token;
        } catch (IOException e) {
            throw transport.broken(e);
        }
    }

    private HttpCall asking(URI realm, String scope, String service) {
        var shown = transport.registry().isOriginOf(realm) ? login : null;
        if (shown == null) {
            return question(realm, scope, service);
        }
        return shown.name() == null
                ? exchange(realm, scope, service, shown.secret())
                : question(realm, scope, service).header("Authorization", basic(shown));
    }

    private static HttpCall question(URI realm, String scope, String service) {
        String query =
                "scope=" + HttpCall.encode(scope) + (service.isEmpty() ? "" : "&service=" + HttpCall.encode(service));
        URI address = URI.create(realm + (realm.getRawQuery() == null ? "?" : "&") + query);
        return HttpCall.get(address).anonymouslyAt(address);
    }

    private static HttpCall exchange(URI realm, String scope, String service, Secret identityToken) {
        return HttpCall.of("POST", realm)
                .anonymouslyAt(realm)
                .sendingForm(
                        "grant_type",
                        "refresh_token",
                        "refresh_token",
                        identityToken.expose(),
                        "service",
                        service,
                        "scope",
                        scope,
                        "client_id",
                        "sheaf");
    }

    private URI realm(String text) {
        try {
            URI realm = transport.at("/").resolve(text);
            if (!text.isEmpty()
                    && realm.getHost() != null
                    && RegistryUrl.hasPort(realm)
                    && realm.getRawUserInfo() == null
                    && realm.getRawFragment() == null
                    && ("https".equals(realm.getScheme())
                            || transport.registry().isOriginOf(realm))) {
                return realm;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new SheafException.Server("the registry " + transport.registry() + " names a token service that cannot be"
                + " used: " + ErrorResponses.showable(text));
    }
}
