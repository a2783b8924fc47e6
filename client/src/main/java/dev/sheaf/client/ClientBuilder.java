package dev.sheaf.client;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.http.RetryPolicy;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.oci.OciAccess;
import dev.sheaf.model.key.Secret;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Configures a client. Not thread-safe.
public final class ClientBuilder {
    private static final Duration LONG_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);
    private static final int MOST_RETRIES = 20;

    final RegistryUrl registry;

    @Nullable
    Bearer bearer;

    @Nullable
    Path cache;

    Progress progress = Progress.NONE;
    NetworkSettings network = NetworkSettings.ofThisUser();
    Consumer<Duration> pause = TaskThreads::sleep;
    Duration silence = RegistryTransport.SILENCE;
    private @Nullable Duration timeout;
    private int retries = RetryPolicy.ATTEMPTS - 1;
    private @Nullable HttpClient http;
    InstantSource clock = InstantSource.system();
    OciAccess.@Nullable Login login;

    ClientBuilder(RegistryUrl registry) {
        this.registry = registry;
    }

    /// Sets the API key or access token; null for anonymous requests.
    /// [Credentials][dev.sheaf.client.credentials.Credentials] finds stored keys.
    public ClientBuilder key(@Nullable Secret other) {
        bearer = other == null ? null : () -> other;
        return this;
    }

    /// Sets the source of the credential, which is called before each request; null for anonymous requests.
    public ClientBuilder bearer(@Nullable Bearer other) {
        bearer = other;
        return this;
    }

    /// Sets the key or session that is stored for this registry, as `sheaf login` does it, or that the environment
    /// has. Without one, requests are anonymous.
    ///
    /// @throws SheafException.Local if what is stored is unusable
    public ClientBuilder credentials(Credentials stored) {
        bearer = stored.bearer().orElse(null);
        return this;
    }

    /// Sets a name and password for pulls of artifacts from registries other than Sheaf.
    public ClientBuilder login(String name, Secret password) {
        login = new OciAccess.Login(name, password);
        return this;
    }

    /// Sets an identity token (OAuth 2 refresh token) for pulls of artifacts from registries other than Sheaf.
    /// The registry's token service exchanges it.
    public ClientBuilder identityToken(Secret token) {
        login = new OciAccess.Login(null, token);
        return this;
    }

    /// Sets the cache folder, which is created when needed.
    public ClientBuilder cache(Path folder) {
        cache = folder;
        return this;
    }

    /// Sets proxies and certificate authorities. By default they come from the user's environment.
    public ClientBuilder network(NetworkSettings settings) {
        network = settings;
        return this;
    }

    /// Sets how long to wait for an answer, and for more of it: up to one hour. The default is 15 seconds for the
    /// answer to a request that only reads, otherwise 30. Time that the registry is asked to wait, and time that a
    /// slow connection needs for the body of a request, is added.
    public ClientBuilder timeout(Duration longest) {
        if (!longest.isPositive() || longest.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("a timeout must be more than zero and at most an hour, not " + longest);
        }
        timeout = longest;
        silence = longest;
        return this;
    }

    /// Sets how often a request is repeated after a failure that may be temporary, 0 to 20; the default is 3. After a
    /// timeout it is repeated at most once.
    public ClientBuilder retries(int times) {
        if (times < 0 || times > MOST_RETRIES) {
            throw new IllegalArgumentException("retries must be 0 to " + MOST_RETRIES + ", not " + times);
        }
        retries = times;
        return this;
    }

    /// Sets the HTTP client that sends the requests, with its own proxies, certificate authorities and connections;
    /// [#network] then has no effect. Closing the client of the registry does not close it, and does not end calls
    /// that are running.
    ///
    /// @param client must not follow redirects, because it would send the credential along
    public ClientBuilder httpClient(HttpClient client) {
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "the HTTP client must not follow redirects: it would send the credential to other hosts");
        }
        http = client;
        return this;
    }

    /// Sets a listener for the progress of pushes and pulls. By default progress is not reported.
    public ClientBuilder progress(Progress listener) {
        progress = listener;
        return this;
    }

    /// Sets the function that waits between attempts, for tests.
    ClientBuilder pause(Consumer<Duration> other) {
        pause = other;
        return this;
    }

    /// Returns a function that waits, and first reports a wait of two seconds or more.
    BiConsumer<SheafException, Duration> announcedPause() {
        return (failure, wait) -> {
            if (wait.compareTo(LONG_PAUSE) >= 0) {
                progress.notice(
                        "the registry asks to wait" + reason(failure) + "; retrying in " + wait.toSeconds() + " s");
            }
            pause.accept(wait);
        };
    }

    private static String reason(SheafException failure) {
        return switch (failure.throttle().orElse("")) {
            case "rate" -> " (too many requests)";
            case "guesses" -> " (too many wrong credentials)";
            case "connections", "time", "size", "work", "memory" -> " (it is busy)";
            default -> "";
        };
    }

    /// Sets the time without any transfer after which a connection counts as broken.
    ClientBuilder silence(Duration other) {
        silence = other;
        return this;
    }

    /// Sets the clock for the age of answers and versions, for tests.
    ClientBuilder clock(InstantSource other) {
        clock = other;
        return this;
    }

    RegistryTransport transport() {
        var policy = new RetryPolicy(retries + 1, announcedPause());
        var made = new RegistryTransport(registry, bearer, network, policy, silence, timeout, http);
        made.whileWaiting(elapsed -> progress.waiting(registry.toString(), elapsed));
        return made;
    }

    BlobCache cache() {
        return new BlobCache(cache == null ? Directories.ofThisUser().cache() : cache);
    }

    /// Creates the client. It connects at its first request.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Local if the network settings are invalid
    public SheafClient open() {
        return new SheafClient(this);
    }
}
