package dev.sheaf.client.http;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.Page;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Sends requests to one registry. The credential is only sent to that registry's scheme, host and port; redirects
/// are not followed here. Thread-safe.
public final class RegistryTransport implements AutoCloseable {
    /// The limit for the largest response of the API (contract 6).
    public static final int LONGEST_JSON = 72 << 20;
    public static final String JSON = "application/json, application/problem+json";
    /// The default time without any transfer after which a connection counts as broken.
    public static final Duration SILENCE = Duration.ofSeconds(30);
    private static final int PATIENT_SECONDS = 3;
    private static final int PROXY_WANTS_LOGIN = 407;
    private static final int LONGEST_REFUSAL = 64 << 10;
    private static final String USER_AGENT = "sheaf/" + version();

    private final RegistryUrl registry;
    private final @Nullable Bearer bearer;
    private final NetworkSettings network;
    private final RetryPolicy retries;
    private final Duration silence;
    private final @Nullable Duration timeout;
    private final HttpClient http;
    private final boolean isOwnClient;
    private final AtomicBoolean closed;
    private final BrokenWays ways;
    private final ScheduledThreadPoolExecutor watch;
    private volatile Consumer<HttpCall> changes = call -> {};
    private volatile Consumer<Duration> patient = elapsed -> {};

    public RegistryTransport(
            RegistryUrl registry,
            @Nullable Bearer bearer,
            NetworkSettings network,
            RetryPolicy retries,
            Duration silence) {
        this(registry, bearer, network, retries, silence, null, null);
    }

    /// @param timeout how long to wait for the head of a usual response; null for the default
    /// @param given a client of the program, which is not closed here; null to create one with the network settings
    public RegistryTransport(
            RegistryUrl registry,
            @Nullable Bearer bearer,
            NetworkSettings network,
            RetryPolicy retries,
            Duration silence,
            @Nullable Duration timeout,
            @Nullable HttpClient given) {
        this.registry = registry;
        this.bearer = bearer;
        this.network = network;
        this.retries = retries;
        this.silence = silence;
        this.timeout = timeout;
        this.isOwnClient = given == null;
        this.http = given != null
                ? given
                : network.clientBuilder(registry.at("/"))
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build();
        this.closed = new AtomicBoolean();
        this.ways = new BrokenWays(registry, network);
        this.watch = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("sheaf-silence").factory());
        watch.setRemoveOnCancelPolicy(true);
    }

    private RegistryTransport(RegistryTransport other, Bearer bearer) {
        this.registry = other.registry;
        this.bearer = bearer;
        this.network = other.network;
        this.retries = other.retries;
        this.silence = other.silence;
        this.timeout = other.timeout;
        this.http = other.http;
        this.isOwnClient = other.isOwnClient;
        this.closed = other.closed;
        this.ways = other.ways;
        this.watch = other.watch;
    }

    /// Returns a transport with another credential. Both share connections: closing one closes the other.
    public RegistryTransport as(Bearer other) {
        return new RegistryTransport(this, other);
    }

    /// Creates a transport without a credential and with the default waits.
    public static RegistryTransport anonymous(RegistryUrl registry, NetworkSettings network) {
        return new RegistryTransport(
                registry, null, network, new RetryPolicy((failure, wait) -> TaskThreads.sleep(wait)), SILENCE);
    }

    public static String version() {
        String version = RegistryTransport.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    public RegistryUrl registry() {
        return registry;
    }

    /// Returns the URI of a path at the registry, which begins with a slash and is encoded.
    public URI at(String path) {
        return registry.at(path);
    }

    /// Returns the URI of a resource in a bundle; `rest`, encoded, follows the bundle's name.
    public URI at(RepositoryName bundle, String rest) {
        return at(path(bundle) + rest);
    }

    public static String path(RepositoryName bundle) {
        return "/v1/namespaces/" + bundle.namespace() + "/bundles/" + bundle.bundle();
    }

    public boolean hasCredential() {
        return bearer != null;
    }

    /// Returns a name for the credential of the requests, see [Bearer#identity].
    public String identity() {
        return bearer == null ? "anonymous" : bearer.identity();
    }

    /// Calls `listener` after each request that may have changed something at the registry, even if it failed.
    public void afterChanges(Consumer<HttpCall> listener) {
        changes = listener;
    }

    /// Calls `listener` every three seconds with the time that a request has been waiting for an answer.
    public void whileWaiting(Consumer<Duration> listener) {
        patient = listener;
    }

    public RetryPolicy retries() {
        return retries;
    }

    /// Returns the body as a record; retries temporary failures.
    public <T> T json(HttpCall call, Class<T> type) {
        return json(call, type, status -> {});
    }

    /// Returns the body as a record, and passes the status of the response to `status`.
    public <T> T json(HttpCall call, Class<T> type, IntConsumer status) {
        return WireJson.read(jsonBytes(call, status), type);
    }

    /// Returns the body as one page of a list.
    public <T> Page<T> page(HttpCall call, Class<T> type) {
        return WireJson.read(jsonBytes(call, status -> {}), Page.class, type);
    }

    private byte[] jsonBytes(HttpCall call, IntConsumer status) {
        var asking = call.header("Accept", JSON);
        return retries.run(asking.repeatable(), () -> {
            try (HttpReply reply = once(asking)) {
                String type = reply.header("Content-Type").orElse(JSON);
                if (!type.toLowerCase(Locale.ROOT).contains("json")) {
                    throw new SheafException.Server(registry + " answered " + ErrorResponses.showable(type)
                            + " instead of JSON; check that this is a registry and not a login page");
                }
                status.accept(reply.status());
                return reply.bytes(LONGEST_JSON);
            } catch (IOException e) {
                throw broken(e);
            }
        });
    }

    /// Returns the whole body of at most `limit` bytes; retries temporary failures.
    public byte[] bytes(HttpCall call, int limit) {
        return retries.run(call.repeatable(), () -> attemptBytes(call, limit));
    }

    /// Returns the whole body of at most `limit` bytes in one attempt.
    public byte[] attemptBytes(HttpCall call, int limit) {
        try (HttpReply reply = once(call)) {
            return reply.bytes(limit);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /// Returns the head of the response and discards its body; retries temporary failures.
    public HttpReply head(HttpCall call) {
        return retries.run(call.repeatable(), () -> attempt(call));
    }

    /// Returns the head of the response and discards its body, in one attempt.
    public HttpReply attempt(HttpCall call) {
        try (HttpReply reply = once(call)) {
            reply.bytes(LONGEST_REFUSAL);
            return reply;
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /// Sends the request once, and again if the refused token can be replaced. The caller closes the reply.
    ///
    /// @throws SheafException for a status that is not expected; its subclass depends on the status
    public HttpReply once(HttpCall call) {
        if (call.method().equals("GET") || call.method().equals("HEAD")) {
            return answered(call);
        }
        try {
            return answered(call);
        } finally {
            changes.accept(call);
        }
    }

    private HttpReply answered(HttpCall call) {
        if (!call.authorized() || bearer == null) {
            return expected(call, sent(call, null));
        }
        if (!registry.isOriginOf(call.uri())) {
            throw new IllegalStateException("refused to send the credential of " + registry + " for " + call.uri());
        }
        var token = bearer.token();
        var reply = sent(call, token);
        if (refused(reply) && bearer.replaces(token)) {
            reply.close();
            reply = sent(call, bearer.token());
        }
        return expected(call, reply);
    }

    /// Returns whether the token was refused. `/v2` also answers 401 if a permission is missing; then a new
    /// token of the session would not help.
    private static boolean refused(HttpReply reply) {
        return reply.status() == 401
                && reply.headers().allValues("WWW-Authenticate").stream()
                        .noneMatch(challenge -> challenge.contains("insufficient_scope"));
    }

    private HttpReply sent(HttpCall call, @Nullable Secret token) {
        var body = call.body().get();
        var request = HttpRequest.newBuilder(call.uri())
                .method(call.method(), body)
                .timeout(call.timeout(body, timeout))
                .header("User-Agent", USER_AGENT);
        call.headers().forEach(request::header);
        if (token != null) {
            request.header("Authorization", "Bearer " + token.expose());
        }
        if (isOwnClient) { // another one may not use this proxy, and the registry must not get its password
            network.proxyLogin(call.uri()).ifPresent(login -> request.header("Proxy-Authorization", login.expose()));
        }
        try {
            return new HttpReply(send(request.build()), watch, silence);
        } catch (RejectedExecutionException e) {
            throw closed(e);
        }
    }

    private static HttpReply expected(HttpCall call, HttpReply reply) {
        if (call.expected().contains(reply.status())) {
            return reply;
        }
        try (reply) {
            throw ErrorResponses.of(
                    call, reply.status(), reply.headers(), reply.body().readNBytes(LONGEST_REFUSAL));
        } catch (IOException e) {
            throw ErrorResponses.of(call, reply.status(), reply.headers(), new byte[0]);
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request) {
        long began = System.nanoTime();
        var waiting = watch.scheduleAtFixedRate(
                () -> patient.accept(Duration.ofNanos(System.nanoTime() - began)),
                PATIENT_SECONDS,
                PATIENT_SECONDS,
                TimeUnit.SECONDS);
        try {
            var response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            ways.reached();
            if (response.statusCode() == PROXY_WANTS_LOGIN) {
                try (var body = response.body()) { // null after a refused tunnel
                    throw ways.refusedByProxy(request.uri());
                }
            }
            return response;
        } catch (IOException e) {
            throw closed.get() ? closed(e) : ways.unreached(request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        } finally {
            waiting.cancel(false);
        }
    }

    /// Returns the failure of a connection in the middle of a response.
    public SheafException broken(IOException e) {
        return closed.get() ? closed(e) : ways.broken(e);
    }

    private static SheafException closed(Exception e) {
        return SheafException.Network.lasting("this client is closed", e);
    }

    @Override
    public void close() {
        closed.set(true);
        watch.shutdownNow();
        if (isOwnClient) {
            http.shutdownNow();
        }
    }
}
