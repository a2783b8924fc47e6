package dev.sheaf.server.net;

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

/// Calls other servers by HTTP/1.1: the one way out, for all that the service calls. An answer is bounded in
/// time and size; redirects are not followed, cookies not kept, and nothing is decompressed or tried again.
/// Each address that a name stands for is looked at, and the connection goes to those very addresses: a name
/// that stands for another one a moment later gains nothing. Thread-safe.
public final class OutgoingClient implements AutoCloseable {
    private static final int MAX_HEAD_LINE = 8 << 10;
    private static final int MAX_HEADERS = 100;
    /// To one server as many as to all: each caller makes one call at a time, and slow ones are no reason why
    /// others wait.
    private static final int MAX_CONNECTIONS = 1_000;
    /// Longer than any call may take. Where there is no such limit, the library fails whenever two threads ask
    /// for a connection in the same moment.
    private static final Timeout UNLIMITED = Timeout.ofDays(1);
    private static final Duration KEPT = Duration.ofSeconds(30);

    /// Of the call that a thread makes: the library asks for addresses with nothing but a name.
    private static final ScopedValue<String> OWNER = ScopedValue.newInstance();

    private final Reach reach;
    private final Lookup lookup;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private @Nullable Http http; // only once there is a call: many installations make none

    private record Http(PoolingHttpClientConnectionManager connections, CloseableHttpClient client) {}

    /// Finds the addresses of a host.
    interface Lookup {
        /// @param owner whose call it is
        List<InetAddress> find(String host, String owner) throws IOException;
    }

    /// @param headers of the request besides `User-Agent` and what belongs to the body; `Content-Type` where there is a
    /// body
    /// @param body null: none
    /// @param owner for whom it is made: nobody's calls hold up those of others
    public record Call(
            String method,
            URI address,
            Map<String, String> headers,
            byte @Nullable [] body,
            Limits limits,
            String owner) {
        /// What the owner of a call is where it is made for the operator of this server.
        public static final String OPERATOR = "";

        public static Call get(URI address, Limits limits) {
            return new Call("GET", address, Map.of(), null, limits, OPERATOR);
        }
    }

    /// @param time from the call to the last byte of the answer
    /// @param bytes of the answer's body that are read; the rest is dropped with the connection
    public record Limits(Duration time, int bytes) {}

    /// @param body as much of it as was asked for
    /// @param whole whether that is all of it
    public record Reply(int status, Map<String, String> headers, byte[] body, boolean whole) {
        /// @param name in lower case
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    public OutgoingClient(Reach reach) {
        this(reach, new HostLookup()::find);
    }

    OutgoingClient(Reach reach, Lookup lookup) {
        this.reach = reach;
        this.lookup = lookup;
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
                        .setConnectionRequestTimeout(UNLIMITED) // a call has one limit for the whole of it
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

    /// A proxy that the operator has given to the JVM is for what the operator wants to reach. It would look
    /// names up by itself, so nobody else's calls go through it.
    private static HttpRoutePlanner routes(Reach reach) {
        return reach.inside()
                ? new SystemDefaultRoutePlanner(ProxySelector.getDefault())
                : new DefaultRoutePlanner(null);
    }

    /// Sends a request and waits for the answer, whatever its status is. Closes the connection where that takes
    /// too long.
    ///
    /// @throws IOException where there is no answer in time, or the address is one that is not called; its
    /// message says which
    public Reply send(Call call) throws IOException {
        var objection = Targets.objection(call.address(), reach);
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
                request.cancel(); // or the library reads on to the end, to use the connection again
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

    /// Closes connections that nothing went over for a while.
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

    /// Gives out addresses that may be called, or none.
    private final class Checked implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            try {
                var found = lookup.find(host, OWNER.get());
                if (!reach.inside() && !found.stream().allMatch(PublicAddresses::contains)) {
                    throw new UnknownHostException("the host " + host
                            + " is not of the public internet; the setting webhook-private-addresses allows others");
                }
                return found.toArray(InetAddress[]::new);
            } catch (UnknownHostException e) {
                throw e;
            } catch (IOException e) {
                var unknown = new UnknownHostException(e.getMessage());
                unknown.initCause(e);
                throw unknown;
            }
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
