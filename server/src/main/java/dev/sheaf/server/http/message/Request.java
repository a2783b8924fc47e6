package dev.sheaf.server.http.message;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.http.policy.Arrival;
import dev.sheaf.server.http.policy.Forwarding;
import dev.sheaf.server.http.server.RequestIds;
import dev.sheaf.server.http.server.RequestTarget;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.http.server.Timeouts;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A request as it came: where from, under which ids, its target and its headers. Bound to its thread.
public sealed class Request permits Call {
    private final Head head;
    private final RequestIds ids;
    private final Timeouts.Work work;
    private final Arrival way;
    private @Nullable Problem problem;
    private Map<String, String> parameters = Map.of();

    Request(ServerRequest request, Site site, Forwarding forwarding, Timeouts.Work work) {
        var headers = request.headers();
        this.head = new WireHead(request, work);
        this.ids = RequestIds.of(
                headers.first(Headers.REQUEST_ID).orElse(null),
                headers.first(Headers.TRACEPARENT).orElse(null));
        this.work = work;
        this.way = new Arrival(request, site, forwarding);
    }

    /// One that is made within the process while another is answered, and comes the same way.
    Request(Request outer, InnerRequest inner) {
        this.head = inner;
        this.ids = outer.ids;
        this.work = outer.work;
        this.way = outer.way;
    }

    public String requestId() {
        return ids.requestId();
    }

    public RequestIds ids() {
        return ids;
    }

    /// The method as it was sent.
    public String method() {
        return head.methodName();
    }

    public boolean isHead() {
        return method().equals("HEAD");
    }

    /// The path as it was sent, still encoded.
    public String rawPath() {
        return head.path();
    }

    /// Whether this is the OCI registry's half of the service.
    public boolean isOfRegistry() {
        return rawPath().startsWith("/v2");
    }

    /// The query as it was sent, still encoded; empty where there is none.
    public String rawQuery() {
        return head.query();
    }

    /// Where this service is for this caller: the configured address, or the one the request was sent to.
    public String baseUrl() {
        return way.baseUrl();
    }

    /// `host[:port]` of the registry, as it stands in OCI references.
    public String registryHost() {
        String base = baseUrl();
        return base.substring(base.indexOf("//") + 2);
    }

    /// The address of the client: that of the connection's peer, or what a trusted proxy says, see [Forwarding].
    public InetAddress address() {
        return way.address();
    }

    /// The same as logs remember it.
    public String from() {
        return address().equals(Forwarding.UNKNOWN) ? "unknown" : address().getHostAddress();
    }

    public Arrival way() {
        return way;
    }

    public Timeouts.Work work() {
        return work;
    }

    public void refusedFor(Problem why) {
        this.problem = why;
    }

    /// Why it is refused, where it is.
    public Optional<Problem> problem() {
        return Optional.ofNullable(problem);
    }

    // --- path ---

    public void routed(Map<String, String> pathParameters) {
        this.parameters = pathParameters;
    }

    /// The decoded value of a parameter of the route's pattern.
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

    /// A parameter read by a parser of the vocabulary.
    ///
    /// @throws ProblemException validation-failed that names the parameter
    public <T> T parameter(String name, Function<String, T> parser) {
        return named(name, parameter(name), parser);
    }

    /// `{namespace}/{bundle}` of the path.
    public RepositoryName repository() {
        return new RepositoryName(parameter("namespace", Namespace::parse), parameter("bundle", BundleName::parse));
    }

    // --- query ---

    /// The value of a query parameter; a plus is a plus, since versions hold it. In the registry, whose protocol
    /// says nothing of it, the first of several.
    ///
    /// @throws ProblemException validation-failed where it stands there more than once
    public Optional<String> query(String name) {
        return isOfRegistry() ? queryAll(name).stream().findFirst() : RequestTarget.single(rawQuery(), name);
    }

    /// All values of a query parameter, in order.
    public List<String> queryAll(String name) {
        return RequestTarget.values(rawQuery(), name);
    }

    /// A query parameter read by a parser of the vocabulary, or empty where it was not sent.
    public <T> Optional<T> query(String name, Function<String, T> parser) {
        return query(name).map(text -> named(name, text, parser));
    }

    public static <T> T named(String name, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.ValidationFailed failed
                    ? failed.under(name).raise()
                    : e;
        }
    }

    // --- headers ---

    public Optional<String> header(String name) {
        return head.first(HeaderNames.create(name));
    }

    public Optional<String> header(HeaderName name) {
        return head.first(name);
    }

    /// The names of all headers, in lower case.
    public Set<String> headerNames() {
        return head.names();
    }

    /// All values of a header, over repeated lines, in order; not split at commas.
    public List<String> headers(String name) {
        return head.all(HeaderNames.create(name));
    }

    /// The entries of a header that is a list, over repeated lines, in order.
    public List<String> listed(String name) {
        return headers(name).stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(String::strip)
                .toList();
    }

    /// The announced length of the body, empty where it is chunked.
    public OptionalLong contentLength() {
        return head.contentLength();
    }
}
