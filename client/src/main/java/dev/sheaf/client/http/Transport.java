package dev.sheaf.client.http;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Json;
import dev.sheaf.client.io.Threads;
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
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Sends requests to one registry. The credential goes to that registry's scheme, host and port and nowhere else;
/// no redirect is followed here. Thread-safe.
public final class Transport implements AutoCloseable {
    /// Enough for the largest answer that the API gives (contract 6), and no more.
    public static final int LONGEST_JSON = 72 << 20;

    public static final String JSON = "application/json, application/problem+json";
    /// How long an answer may bring nothing, unless told otherwise.
    public static final Duration SILENCE = Duration.ofSeconds(30);

    private static final int PATIENT_SECONDS = 3;
    private static final int PROXY_WANTS_LOGIN = 407;
    private static final int LONGEST_REFUSAL = 64 << 10;
    private static final String USER_AGENT = "sheaf/" + version();

    private final RegistryUrl registry;
    private final @Nullable Bearer bearer;
    private final NetworkSettings network;
    private final Retries retries;
    private final Duration silence;
    private final HttpClient http;
    private final BrokenWays ways;
    private final ScheduledThreadPoolExecutor watch;
    private volatile Consumer<Call> changes = call -> {};
    private volatile Consumer<Duration> patient = elapsed -> {};

    public Transport(
            RegistryUrl registry, @Nullable Bearer bearer, NetworkSettings network, Retries retries, Duration silence) {
        this.registry = registry;
        this.bearer = bearer;
        this.network = network;
        this.retries = retries;
        this.silence = silence;
        this.http = network.clientBuilder(registry.at("/"))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
        this.ways = new BrokenWays(registry, network);
        this.watch = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("sheaf-silence").factory());
        watch.setRemoveOnCancelPolicy(true);
    }

    private Transport(Transport other, Bearer bearer) {
        this.registry = other.registry;
        this.bearer = bearer;
        this.network = other.network;
        this.retries = other.retries;
        this.silence = other.silence;
        this.http = other.http;
        this.ways = other.ways;
        this.watch = other.watch;
    }

    /// The same with another credential. Both use the same connections: whoever closes this one closes the other.
    public Transport as(Bearer other) {
        return new Transport(this, other);
    }

    /// One without a credential, and with the waits of everybody.
    public static Transport anonymous(RegistryUrl registry, NetworkSettings network) {
        return new Transport(registry, null, network, new Retries(Threads::sleep), SILENCE);
    }

    public static String version() {
        String version = Transport.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    public RegistryUrl registry() {
        return registry;
    }

    /// The address of something at the registry.
    ///
    /// @param path begins with a slash, encoded
    public URI at(String path) {
        return registry.at(path);
    }

    /// The address of something of a bundle.
    ///
    /// @param rest what follows the bundle's name, encoded
    public URI at(RepositoryName bundle, String rest) {
        return at(path(bundle) + rest);
    }

    public static String path(RepositoryName bundle) {
        return "/v1/namespaces/" + bundle.namespace() + "/bundles/" + bundle.bundle();
    }

    public boolean hasCredential() {
        return bearer != null;
    }

    /// A word for the credential that requests carry, see [Bearer#identity].
    public String identity() {
        return bearer == null ? "anonymous" : bearer.identity();
    }

    /// Has `listener` hear of each request that may change something at the registry, once it is over, well or not.
    public void afterChanges(Consumer<Call> listener) {
        changes = listener;
    }

    /// Has `listener` hear every three seconds for how long a request has waited for an answer.
    public void whileWaiting(Consumer<Duration> listener) {
        patient = listener;
    }

    public Retries retries() {
        return retries;
    }

    /// The body as a record; tries again where that may help.
    public <T> T json(Call call, Class<T> type) {
        return json(call, type, status -> {});
    }

    /// The same, and tells the status of the answer.
    public <T> T json(Call call, Class<T> type, IntConsumer status) {
        return Json.read(jsonBytes(call, status), type);
    }

    /// The body as one page of a list.
    public <T> Page<T> page(Call call, Class<T> type) {
        return Json.read(jsonBytes(call, status -> {}), Page.class, type);
    }

    private byte[] jsonBytes(Call call, IntConsumer status) {
        var asking = call.header("Accept", JSON);
        return retries.run(asking.repeatable(), () -> {
            try (Reply reply = once(asking)) {
                String type = reply.header("Content-Type").orElse(JSON);
                if (!type.toLowerCase(Locale.ROOT).contains("json")) {
                    throw new SheafException.Server(registry + " answered " + Failures.showable(type)
                            + " and not JSON; is it a registry, and does no login page stand before it?");
                }
                status.accept(reply.status());
                return reply.bytes(LONGEST_JSON);
            } catch (IOException e) {
                throw broken(e);
            }
        });
    }

    /// The whole body of at most `limit` bytes; tries again where that may help.
    public byte[] bytes(Call call, int limit) {
        return retries.run(call.repeatable(), () -> attemptBytes(call, limit));
    }

    /// The same in one attempt.
    public byte[] attemptBytes(Call call, int limit) {
        try (Reply reply = once(call)) {
            return reply.bytes(limit);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /// The head of the answer, its body thrown away; tries again where that may help.
    public Reply head(Call call) {
        return retries.run(call.repeatable(), () -> attempt(call));
    }

    /// The head of the answer, its body thrown away, in one attempt.
    public Reply attempt(Call call) {
        try (Reply reply = once(call)) {
            reply.bytes(LONGEST_REFUSAL);
            return reply;
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /// One attempt, and one more where the registry refuses a token that can be replaced. The caller closes the
    /// reply.
    ///
    /// @throws SheafException of the kind that the status means, where it is none of those expected
    public Reply once(Call call) {
        if (call.method().equals("GET") || call.method().equals("HEAD")) {
            return answered(call);
        }
        try {
            return answered(call);
        } finally {
            changes.accept(call);
        }
    }

    private Reply answered(Call call) {
        if (!call.authorized() || bearer == null) {
            return expected(call, sent(call, null));
        }
        if (!registry.isOriginOf(call.uri())) {
            throw new IllegalStateException("a credential would leave " + registry + " for " + call.uri());
        }
        var token = bearer.token();
        var reply = sent(call, token);
        if (refused(reply) && bearer.replaces(token)) {
            reply.close();
            reply = sent(call, bearer.token());
        }
        return expected(call, reply);
    }

    /// The registry of `/v2` says 401 for a right that is missing as well, which no other token of the session has.
    private static boolean refused(Reply reply) {
        return reply.status() == 401
                && reply.headers().allValues("WWW-Authenticate").stream()
                        .noneMatch(challenge -> challenge.contains("insufficient_scope"));
    }

    private Reply sent(Call call, @Nullable Secret token) {
        var body = call.body().get();
        var request = HttpRequest.newBuilder(call.uri())
                .method(call.method(), body)
                .timeout(call.timeout(body))
                .header("User-Agent", USER_AGENT);
        call.headers().forEach(request::header);
        if (token != null) {
            request.header("Authorization", "Bearer " + token.expose());
        }
        network.proxyLogin(call.uri()).ifPresent(login -> request.header("Proxy-Authorization", login.expose()));
        return new Reply(send(request.build()), watch, silence);
    }

    private static Reply expected(Call call, Reply reply) {
        if (call.expected().contains(reply.status())) {
            return reply;
        }
        try (reply) {
            throw Failures.of(
                    call, reply.status(), reply.headers(), reply.body().readNBytes(LONGEST_REFUSAL));
        } catch (IOException e) {
            throw Failures.of(call, reply.status(), reply.headers(), new byte[0]);
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
                response.body().close();
                throw ways.refusedByProxy(request.uri());
            }
            return response;
        } catch (IOException e) {
            throw ways.unreached(request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        } finally {
            waiting.cancel(false);
        }
    }

    /// The failure of a connection in the middle of an answer.
    public SheafException broken(IOException e) {
        return ways.broken(e);
    }

    @Override
    public void close() {
        watch.shutdownNow();
        http.shutdownNow();
    }
}
