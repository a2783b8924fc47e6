package dev.sheaf.server.http.message;

import dev.sheaf.engine.http.HttpExchange;
import dev.sheaf.engine.http.RequestIds;
import dev.sheaf.engine.http.RequestTarget;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.trace.TraceParent;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.http.policy.ClientAddress;
import dev.sheaf.server.http.policy.RequestArrival;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A request as it was received: its client, ids, target and headers. Bound to its thread.
public sealed class Request permits Call {
    private final RequestIds ids;
    private final HttpExchange exchange;
    private final RequestArrival way;
    private @Nullable Problem problem;
    private @Nullable String path;
    private Map<String, String> parameters = Map.of();

    Request(HttpExchange request, ServerSite site, ClientAddress forwarding) {
        this.ids = RequestIds.of(
                request.header(ReadHeaders.REQUEST_ID).orElse(null),
                request.hasHeader(ReadHeaders.TRACEPARENT)
                                && forwarding.isTrusted(request.remote().getAddress())
                        ? TraceParent.parse(request.headers(ReadHeaders.TRACEPARENT))
                        : null);
        this.exchange = request;
        this.way = new RequestArrival(request, site, forwarding);
    }

    public String requestId() {
        return ids.requestId();
    }

    public RequestIds ids() {
        return ids;
    }

    /// Returns the method as it was sent.
    public String method() {
        return exchange.method();
    }

    public boolean isHead() {
        return method().equals("HEAD");
    }

    /// Returns the path as it was sent, still encoded.
    public String rawPath() {
        if (path == null) {
            String target = exchange.target();
            path = exchange.isHttp1() || target.startsWith("/") ? RequestTarget.path(target) : target;
        }
        return path;
    }

    /// Returns whether the request is for the OCI part of this server.
    public boolean isOfRegistry() {
        return rawPath().startsWith("/v2");
    }

    /// Returns the query as it was sent, still encoded; empty if there is none.
    public String rawQuery() {
        return exchange.query();
    }

    /// Returns the base URL of this server for the caller: the configured one, or the one that the request was
    /// sent to.
    public String baseUrl() {
        return way.baseUrl();
    }

    /// Returns `host[:port]` of the registry, as used in OCI references.
    public String registryHost() {
        String base = baseUrl();
        return base.substring(base.indexOf("//") + 2);
    }

    /// Returns the client's address: the peer of the connection, or the address that a trusted proxy reports,
    /// see [ClientAddress].
    public InetAddress address() {
        return way.address();
    }

    /// Returns the client's address for logs.
    public String from() {
        return address().equals(ClientAddress.UNKNOWN) ? "unknown" : address().getHostAddress();
    }

    public RequestArrival way() {
        return way;
    }

    /// Returns the exchange with the client; that of the outer request, if this one is made within the process.
    public HttpExchange exchange() {
        return exchange;
    }

    public void refusedFor(Problem why) {
        this.problem = why;
    }

    /// Returns why the request was refused, if it was.
    public Optional<Problem> problem() {
        return Optional.ofNullable(problem);
    }

    // --- path ---

    public void routed(Map<String, String> pathParameters) {
        this.parameters = pathParameters;
    }

    /// Returns the decoded value of a parameter in the route's pattern.
    public String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalStateException("the route has no parameter " + name);
        }
        return value;
    }

    public Map<String, String> parameters() {
        return parameters;
    }

    /// Parses a path parameter.
    ///
    /// @throws ProblemException validation-failed that names the parameter
    public <T> T parameter(String name, Function<String, T> parser) {
        return named(name, parameter(name), parser);
    }

    /// Returns `{namespace}/{bundle}` in the path.
    public RepositoryName repository() {
        return new RepositoryName(
                parameter("namespace", Namespace::parse), parameter("bundle", BundleName::parseBundle));
    }

    // --- query ---

    /// Returns the value of a query parameter. A plus stays a plus, because versions contain it. Under `/v2`,
    /// the first of several values counts, because the OCI protocol does not define repeated parameters.
    ///
    /// @throws ProblemException validation-failed if the parameter is repeated outside of `/v2`
    public Optional<String> query(String name) {
        return isOfRegistry() ? queryAll(name).stream().findFirst() : RequestTarget.single(rawQuery(), name);
    }

    /// Returns all values of a query parameter, in order.
    public List<String> queryAll(String name) {
        return RequestTarget.values(rawQuery(), name);
    }

    /// Parses a query parameter; empty if it was not sent.
    public <T> Optional<T> query(String name, Function<String, T> parser) {
        return query(name).map(text -> named(name, text, parser));
    }

    public static <T> T named(String name, String text, Function<String, T> parser) {
        return RequestFields.named(name, text, parser);
    }

    // --- headers ---

    public Optional<String> header(String name) {
        return exchange.header(name);
    }

    /// Returns the names of all headers, in lower case.
    public Set<String> headerNames() {
        return exchange.headerNames();
    }

    /// Returns all values of a header from repeated lines, in order, not split at commas.
    public List<String> headers(String name) {
        return exchange.headers(name);
    }

    /// Returns the entries of a list header from repeated lines, in order.
    public List<String> listed(String name) {
        return headers(name).stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(String::strip)
                .toList();
    }

    /// Returns the announced length of the body; empty if it is chunked.
    public OptionalLong contentLength() {
        return exchange.contentLength();
    }
}
