package dev.sheaf.client.credentials;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.http.RetryPolicy;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The identity of a CI workflow run, proved by an id_token that the CI provider signs. A registry that trusts
/// the workflow exchanges it for an access token, so that no key has to be stored. The sources of the id_token
/// are, in this order:
///
/// 1. the variable `SHEAF_ID_TOKEN`, which GitLab sets with `id_tokens`;
/// 2. the file that `SHEAF_ID_TOKEN_FILE` names;
/// 3. a request to GitHub Actions, for jobs with the permission `id-token: write`.
///
/// `SHEAF_ORGANIZATION` selects the organization if several trust the workflow. Thread-safe.
public final class WorkflowIdentity implements Bearer {
    /// The variable with the token of the workflow.
    public static final String TOKEN = "SHEAF_ID_TOKEN";
    /// The variable with the path of a file that contains the token.
    public static final String FILE = "SHEAF_ID_TOKEN_FILE";
    /// The variable with the organization, if several trust the workflow.
    public static final String ORGANIZATION = "SHEAF_ORGANIZATION";
    private static final String GITHUB_URL = "ACTIONS_ID_TOKEN_REQUEST_URL";
    private static final String GITHUB_TOKEN = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";

    private final RegistryUrl registry;
    private final NetworkSettings network;
    private final Map<String, String> environment;
    private @Nullable Secret access;

    private WorkflowIdentity(RegistryUrl registry, NetworkSettings network, Map<String, String> environment) {
        this.registry = registry;
        this.network = network;
        this.environment = Map.copyOf(environment);
    }

    /// Returns the identity of the run with this environment; empty if the environment has no id_token.
    public static Optional<WorkflowIdentity> of(
            RegistryUrl registry, NetworkSettings network, Map<String, String> environment) {
        return isSet(environment, TOKEN)
                        || isSet(environment, FILE)
                        || (isSet(environment, GITHUB_URL) && isSet(environment, GITHUB_TOKEN))
                ? Optional.of(new WorkflowIdentity(registry, network, environment))
                : Optional.empty();
    }

    private static boolean isSet(Map<String, String> environment, String variable) {
        return !environment.getOrDefault(variable, "").isBlank();
    }

    private String variable(String name) {
        return environment.getOrDefault(name, "").strip();
    }

    /// @throws SheafException.Unauthenticated if the registry does not trust the workflow, with the reason
    @Override
    public synchronized Secret token() {
        if (access == null) {
            access = exchanged();
        }
        return access;
    }

    /// Returns a constant name, since the token differs in each run.
    @Override
    public String identity() {
        return "workflow";
    }

    /// Returns true if the token was replaced meanwhile, or the provider can issue a new id_token. Each
    /// id_token can be exchanged only once.
    @Override
    public synchronized boolean replaces(Secret refused) {
        if (access != null && !access.equals(refused)) {
            return true;
        }
        if (isSet(environment, TOKEN) || isSet(environment, FILE)) {
            return false;
        }
        access = exchanged();
        return true;
    }

    private Secret exchanged() {
        var idToken = idToken();
        try (var endpoint = new TokenEndpoint(RegistryTransport.anonymous(registry, network), InstantSource.system())) {
            String organization = variable(ORGANIZATION);
            return endpoint.exchange(idToken, organization.isEmpty() ? null : organization);
        }
    }

    private Secret idToken() {
        Secret token;
        if (isSet(environment, TOKEN)) {
            token = Secret.of(variable(TOKEN));
        } else {
            token = isSet(environment, FILE) ? fromFile(Path.of(variable(FILE))) : fromGitHub();
        }
        if (!Credentials.isSendable(token)) {
            throw new SheafException.Local("the id_token of this workflow contains invalid characters", null);
        }
        return token;
    }

    private static Secret fromFile(Path file) {
        try {
            Path real = file.toRealPath();
            Path folder = Objects.requireNonNullElse(real.getParent(), real);
            return Secret.of(OwnFile.read(folder, real, OwnFile.LONGEST).strip());
        } catch (IOException e) {
            throw new SheafException.Local("cannot read the id_token in " + file + ": " + e.getMessage(), e);
        }
    }

    private record Answer(@Nullable String value) {}

    /// Requests an id_token. Its audience is this registry, so that no other registry can use it.
    private Secret fromGitHub() {
        URI uri = address(variable(GITHUB_URL));
        var provider = new RegistryUrl(uri.getScheme(), uri.getHost(), uri.getPort() < 0 ? 443 : uri.getPort());
        var asking = Secret.of(variable(GITHUB_TOKEN));
        try (var transport = new RegistryTransport(
                provider,
                () -> asking,
                network,
                new RetryPolicy((failure, wait) -> TaskThreads.sleep(wait)),
                RegistryTransport.SILENCE)) {
            var audience = URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + "audience="
                    + HttpCall.encode(registry.authority()));
            return Secret.of(WireJson.present(
                    transport.json(HttpCall.get(audience), Answer.class).value(), "value"));
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            throw new SheafException.Local(
                    "GitHub did not issue an id_token for " + registry.authority() + ": "
                            + ErrorResponses.showable(String.valueOf(e.getMessage())),
                    e);
        }
    }

    /// Parses an address with https, or with http on this machine.
    private static URI address(String text) {
        try {
            URI uri = URI.create(text);
            boolean loopback = "127.0.0.1".equals(uri.getHost()) || "localhost".equals(uri.getHost());
            if (uri.getHost() != null
                    && ("https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && loopback))) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new SheafException.Local(GITHUB_URL + " is not an https address", null);
    }
}
