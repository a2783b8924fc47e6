package dev.sheaf.client.credentials;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.network.NoProxy;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The credentials of `docker login`, from the file `config.json` in `$DOCKER_CONFIG` or `~/.docker`, or from
/// the credential helper that the file names: `credHelpers` for single registries, `credsStore` for the
/// registries in `auths`. Never changes them. Thread-safe.
///
/// Docker stores a credential for a host and port without the scheme. It is only used for `https`, and for `http`
/// on this machine.
public final class DockerCredentials {
    private static final int LONGEST = 4 << 20;

    /// The user name by which a helper marks its secret as an identity token.
    private static final String TOKEN_USER = "<token>";

    private final Map<String, String> environment;
    private final @Nullable Path file;
    private final Duration patience;

    /// A user name, which Sheaf ignores, and a password or identity token.
    ///
    /// @param place a text for people: the file or the helper
    public record Login(String username, Secret secret, String place) {
        /// Returns whether the secret is an identity token (OAuth 2 refresh token) and not a password.
        public boolean isToken() {
            return username.equals(TOKEN_USER);
        }
    }

    DockerCredentials(Map<String, String> environment, Duration patience) {
        this.environment = Map.copyOf(environment);
        this.file = file(environment);
        this.patience = patience;
    }

    /// Returns the credentials of a user with this environment. There are no credentials if `DOCKER_CONFIG`,
    /// `HOME` and `USERPROFILE` are missing.
    public static DockerCredentials of(Map<String, String> environment) {
        return new DockerCredentials(environment, CredentialHelper.LONGEST_WAIT);
    }

    private static @Nullable Path file(Map<String, String> environment) {
        String folder = environment.getOrDefault("DOCKER_CONFIG", "");
        if (!folder.isBlank()) {
            return Path.of(folder).resolve("config.json");
        }
        String home = environment.getOrDefault("HOME", environment.getOrDefault("USERPROFILE", ""));
        return home.isBlank() ? null : Path.of(home).resolve(".docker").resolve("config.json");
    }

    /// Returns the path of the file, for people. The file need not exist.
    public String place() {
        return file == null ? "docker's config.json" : file.toString();
    }

    /// Finds docker's credential for a registry. Only asks a helper if docker knows the registry.
    ///
    /// @throws SheafException.Local if the credential is unusable: it is damaged, other users can access it, or
    /// the helper fails. An unreadable file is treated as missing
    public Optional<Login> find(RegistryUrl registry) {
        if (!registry.scheme().equals("https") && !NoProxy.isLoopback(registry.host())) {
            return Optional.empty();
        }
        try {
            JsonNode config = read();
            return config == null ? Optional.empty() : find(config, names(registry));
        } catch (IOException e) {
            return Optional.empty(); // requests without a credential may still work
        }
    }

    /// Returns whether there is a file of docker's settings.
    public boolean exists() {
        return file != null && Files.exists(file);
    }

    /// Returns the reason why the file is unreadable; empty if it is readable or does not exist.
    public Optional<String> damage() {
        try {
            read();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private Optional<Login> find(JsonNode config, Set<String> names) throws IOException {
        for (String name : names) {
            String helper = text(config.path("credHelpers"), name);
            if (helper != null) {
                return ask(helper, name);
            }
        }
        for (var entry : config.path("auths").properties()) {
            if (names.contains(host(entry.getKey()))) {
                String store = text(config, "credsStore");
                var kept = store == null ? Optional.<Login>empty() : ask(store, entry.getKey());
                return kept.isPresent() ? kept : written(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /// Returns the names under which docker stores a registry.
    private static Set<String> names(RegistryUrl registry) {
        var names = new LinkedHashSet<String>();
        names.add(registry.authority());
        names.add(registry.host() + ":" + registry.port());
        return names;
    }

    /// Returns the host of an entry. Older versions of docker stored URLs such as `https://example.com/v1/`.
    private static String host(String key) {
        String rest = key.replaceFirst("^https?://", "");
        int slash = rest.indexOf('/');
        return slash < 0 ? rest : rest.substring(0, slash);
    }

    private Optional<Login> ask(String name, String host) {
        var helper = new CredentialHelper(name, environment, patience);
        try {
            var answer = helper.get(host);
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            JsonNode json = WireJson.tree(answer.get());
            String user = text(json, "Username");
            String secret = text(json, "Secret");
            if (user == null || secret == null) {
                throw new CredentialHelper.Failed(helper + " wrote something that is not a credential");
            }
            return login(user, secret, helper.toString());
        } catch (CredentialHelper.Failed e) {
            throw new SheafException.Local(
                    "docker's credential for " + host + " is unusable: " + e.getMessage() + ". Fix this, see " + place()
                            + ", or log in to the registry",
                    null);
        }
    }

    private Optional<Login> written(JsonNode entry) throws IOException {
        String token = text(entry, "identitytoken");
        String auth = text(entry, "auth");
        String user = text(entry, "username");
        String password = text(entry, "password");
        if (token == null && auth == null && password == null) {
            return Optional.empty();
        }
        checkOwn();
        if (token != null && !token.isEmpty()) {
            return login(TOKEN_USER, token, place());
        }
        if (auth != null && !auth.isEmpty()) {
            String decoded = decoded(auth);
            int colon = decoded.indexOf(':');
            if (colon < 0) {
                throw damaged("an \"auth\" in it does not contain a user and a password");
            }
            return login(decoded.substring(0, colon), decoded.substring(colon + 1), place());
        }
        return login(user == null ? "" : user, password == null ? "" : password, place());
    }

    private static Optional<Login> login(String user, String secret, String place) {
        return secret.isEmpty() ? Optional.empty() : Optional.of(new Login(user, Secret.of(secret), place));
    }

    private String decoded(String auth) {
        try {
            return new String(Base64.getDecoder().decode(auth), StandardCharsets.UTF_8).replace("\0", "");
        } catch (IllegalArgumentException e) {
            throw damaged("an \"auth\" in it is not base64");
        }
    }

    private @Nullable JsonNode read() throws IOException {
        if (file == null) {
            return null;
        }
        try (var in = Files.newInputStream(file)) {
            JsonNode config = WireJson.tree(in.readNBytes(LONGEST));
            if (config == null || !config.isObject()) {
                throw new IOException(file + " is not a JSON object");
            }
            return config;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void checkOwn() throws IOException {
        if (file != null && !OwnerOnly.holdsFor(file)) {
            throw new SheafException.Local(
                    file
                            + " contains a password for this registry and can be accessed by other users, so it"
                            + " is not used. Make it private: chmod 600 " + ShellWord.of(file),
                    null);
        }
    }

    private SheafException damaged(String why) {
        return new SheafException.Local(place() + " cannot be used: " + why, null);
    }

    private static @Nullable String text(@Nullable JsonNode object, String member) {
        JsonNode value = object == null ? null : object.path(member);
        return value != null && value.isString() ? value.stringValue() : null;
    }
}
