package dev.sheaf.engine.net;

import dev.sheaf.engine.trace.CurrentSpan;
import dev.sheaf.engine.trace.Tracing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.impl.routing.SystemDefaultRoutePlanner;
import org.apache.hc.client5.http.routing.HttpRoutePlanner;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/// Calls other servers by HTTP/1.1. Every outgoing call of this server is made here, except those to its bucket
/// and its collector of traces. An answer is limited in time and size. The client follows no redirects, stores no
/// cookies, decompresses nothing and never retries. It checks every address of a host name, and connects only to
/// these addresses, even if the name changes afterwards. Thread-safe.
public final class OutgoingClient implements AutoCloseable {
    private static final int MAX_HEAD_LINE = 8 << 10;
    private static final int MAX_HEADERS = 100;
    /// The limit of connections in total, and to one server. A lower limit for one server would let slow calls
    /// delay others.
    private static final int MAX_CONNECTIONS = 1_000;
    /// A timeout longer than any call. Without a timeout, the library fails if two threads request a connection
    /// at the same moment.
    private static final Timeout UNLIMITED = Timeout.ofDays(1);
    private static final Duration KEPT = Duration.ofSeconds(30);

    /// The owner of the call that a thread makes. The library passes only the host name to the look-up.
    private static final ScopedValue<String> OWNER = ScopedValue.newInstance();

    private final AllowedTargets reach;
    private final Lookup lookup;
    private final @Nullable Tracing tracing;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private @Nullable Http http; // created by the first call, because many installations make no calls

    private record Http(PoolingHttpClientConnectionManager connections, CloseableHttpClient client) {}

    /// Looks up the addresses of a host.
    interface Lookup {
        /// @param owner the owner of the call
        List<InetAddress> find(String host, String owner) throws IOException;
    }

    /// @param headers the headers of the request, with the `Content-Type` of the body; the client adds
    /// `User-Agent` and the headers about the body's length
    /// @param body the body; null if there is none
    /// @param owner the organization for which the call is made, or [#OPERATOR]; calls of one owner do not
    /// delay calls of others
    public record Call(
            String method,
            URI address,
            Map<String, String> headers,
            byte @Nullable [] body,
            Limits limits,
            String owner) {
        /// The owner of calls that are made for the operator of this server.
        public static final String OPERATOR = "";

        public static Call get(URI address, Limits limits) {
            return new Call("GET", address, Map.of(), null, limits, OPERATOR);
        }
    }

    /// @param time the time from the call to the last byte of the answer
    /// @param bytes the limit for the answer's body; the connection is closed if the body is longer
    public record Limits(Duration time, int bytes) {}

    /// @param body the body, up to the limit
    /// @param whole whether `body` is the whole body
    public record Reply(int status, Map<String, String> headers, byte[] body, boolean whole) {
        /// @param name in lower case
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /// @param tracing records calls that belong to no request; null to record none of them
    public OutgoingClient(AllowedTargets reach, @Nullable Tracing tracing) {
        this(reach, new HostLookup()::find, tracing);
    }

    OutgoingClient(AllowedTargets reach, Lookup lookup, @Nullable Tracing tracing) {
        this.reach = reach;
        this.lookup = lookup;
        this.tracing = tracing;
    }

    private synchronized Http http() {
        var made = http;
        if (made == null) {
            made = made();
            http = made;
        }
        return made;
    }

    private Http made() {
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(new Checked())
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setMaxLineLength(MAX_HEAD_LINE)
                                .setMaxHeaderCount(MAX_HEADERS)
                                .build())
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setValidateAfterInactivity(TimeValue.ofSeconds(1))
                        .setTimeToLive(TimeValue.ofMinutes(5))
                        .build())
                .setMaxConnTotal(MAX_CONNECTIONS)
                .setMaxConnPerRoute(MAX_CONNECTIONS)
                .build();
        var client = HttpClients.custom()
                .setConnectionManager(connections)
                .setRoutePlanner(routes(reach))
                .setUserAgent("Sheaf")
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout(UNLIMITED) // the limit of the call applies instead
                        .setResponseTimeout(Timeout.DISABLED)
                        .build())
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableConnectionState()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .build();
        return new Http(connections, client);
    }

    /// Returns how calls are routed. The JVM's proxy is used only for addresses that the operator has set. A
    /// proxy looks up names itself, which would bypass the check of other addresses.
    private static HttpRoutePlanner routes(AllowedTargets reach) {
        return reach.inside()
                ? new SystemDefaultRoutePlanner(ProxySelector.getDefault())
                : new DefaultRoutePlanner(null);
    }

    /// Sends a request and waits for the answer, with any status. Closes the connection if this takes too long.
    ///
    /// @throws IOException if there is no answer in time, or the address may not be called; the message states
    /// the reason
    public Reply send(Call call) throws IOException {
        var request = CurrentSpan.get();
        var span = request == null && tracing != null ? tracing.alone() : request;
        if (span == null) {
            return sent(call);
        }
        long since = System.nanoTime();
        try {
            var reply = sent(call);
            span.sent(call.method(), call.address(), reply.status(), System.nanoTime() - since, null);
            return reply;
        } catch (IOException e) {
            span.sent(call.method(), call.address(), 0, System.nanoTime() - since, e);
            throw e;
        }
    }

    private Reply sent(Call call) throws IOException {
        var objection = TargetPolicy.objection(call.address(), reach);
        if (objection.isPresent()) {
            throw new IOException("the address " + objection.get());
        }
        var request = request(call);
        call.headers().forEach(request::setHeader);
        if (call.body() != null) {
            String type = call.headers().getOrDefault("Content-Type", "application/octet-stream");
            request.setEntity(new ByteArrayEntity(call.body(), ContentType.parse(type)));
        }
        var limits = call.limits();
        var running = threads.submit(
                () -> ScopedValue.where(OWNER, call.owner()).call(() -> exchange(request, limits.bytes())));
        try {
            return running.get(limits.time().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("has not answered in full within " + limits.time(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for an answer");
        } finally {
            if (!running.isDone()) {
                request.cancel();
                running.cancel(true);
            }
        }
    }

    private static HttpUriRequestBase request(Call call) throws IOException {
        try {
            return new HttpUriRequestBase(call.method(), call.address());
        } catch (IllegalArgumentException e) { // the library is stricter with addresses than the platform
            throw new IOException("the address cannot be called: " + e.getMessage(), e);
        }
    }

    private Reply exchange(HttpUriRequestBase request, int most) throws IOException {
        var response = http().client().executeOpen(null, request, null);
        try {
            var headers = new HashMap<String, String>();
            for (var header : response.getHeaders()) {
                headers.putIfAbsent(header.getName().toLowerCase(Locale.ROOT), header.getValue());
            }
            byte[] read = read(response, most + 1);
            boolean whole = read.length <= most;
            if (!whole) {
                request.cancel(); // otherwise the library would read the rest, to reuse the connection
            }
            return new Reply(response.getCode(), Map.copyOf(headers), whole ? read : Arrays.copyOf(read, most), whole);
        } finally {
            Closer.closeQuietly(response);
        }
    }

    private static byte[] read(ClassicHttpResponse response, int most) throws IOException {
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return new byte[0];
        }
        return entity.getContent().readNBytes(most);
    }

    /// Closes connections that have been idle for [#KEPT].
    public synchronized void closeIdle() {
        if (http != null) {
            http.connections().closeExpired();
            http.connections().closeIdle(TimeValue.of(KEPT));
        }
    }

    @Override
    public synchronized void close() {
        threads.shutdownNow();
        if (http != null) {
            http.client().close(CloseMode.IMMEDIATE);
        }
    }

    /// Looks up names, and fails if an address may not be called.
    private final class Checked implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            try {
                var found = lookup.find(host, OWNER.get());
                if (!reach.inside() && !found.stream().allMatch(PublicAddresses::contains)) {
                    throw new UnknownHostException(outside(host));
                }
                return found.toArray(InetAddress[]::new);
            } catch (UnknownHostException e) {
                throw reach.inside() || !HostLookup.isUnknown(e) ? e : new UnknownHostException(outside(host));
            } catch (IOException e) {
                var unknown = new UnknownHostException(e.getMessage());
                unknown.initCause(e);
                throw unknown;
            }
        }

        /// The same for a name that does not exist and one with an address inside: else anybody with a webhook learns
        /// which names a private network has.
        private static String outside(String host) {
            return "the host " + host + " is not known on the public internet; the setting webhook-private-addresses"
                    + " allows other addresses";
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
