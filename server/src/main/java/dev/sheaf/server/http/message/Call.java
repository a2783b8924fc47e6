package dev.sheaf.server.http.message;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.http.policy.Arrival;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Forwarding;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.http.policy.RequestCharge;
import dev.sheaf.server.http.server.Http1Bytes;
import dev.sheaf.server.http.server.MemoryBudget;
import dev.sheaf.server.http.server.Payload;
import dev.sheaf.server.http.server.RequestIds;
import dev.sheaf.server.http.server.RequestTarget;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.http.server.Timeouts;
import dev.sheaf.server.rate.Holder;
import dev.sheaf.server.rate.Standing;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request on its way through a handler. Bound to its thread.
public final class Call {
    private static final int COPIES = 2; // beside a JSON body, its parsed form and what is made of it are in memory

    private final ServerRequest request;
    private final Arrival way;
    private final RequestIds ids;
    private final Payload payload;
    private final Timeouts.Work work;
    private final RequestCharge toll;
    private final EdgePolicy edge;
    private Map<String, String> parameters = Map.of();
    private Caller caller = Caller.ANONYMOUS;
    private Caller.@Nullable Known refused;
    private Need need = Need.NONE;
    private @Nullable UUID organization;

    public Call(
            ServerRequest request,
            Site site,
            EdgePolicy edge,
            RequestIds ids,
            MemoryBudget budget,
            Timeouts.Work work) {
        this.request = request;
        this.way = new Arrival(request, site, edge.forwarding());
        this.ids = ids;
        this.payload = new Payload(request, budget, work, () -> MemoryBudget.Account.of(caller, address()));
        this.work = work;
        this.edge = edge;
        this.toll = new RequestCharge(edge.meter(), way.address());
    }

    public void routed(Map<String, String> pathParameters) {
        this.parameters = pathParameters;
    }

    public void within(UUID own) {
        this.organization = own;
    }

    /// The organization that the path names, which is the caller's: only on routes of one.
    public UUID organization() {
        return Objects.requireNonNull(organization, "the route is of no organization");
    }

    public void needs(Need routes) {
        this.need = routes;
    }

    public Need need() {
        return need;
    }

    public void refused(Caller.Known known) {
        this.refused = known;
    }

    /// Whom the refusal of this call is about, where that is known.
    public Optional<Caller.Known> refused() {
        return caller instanceof Caller.Known known ? Optional.of(known) : Optional.ofNullable(refused);
    }

    /// Says who calls: for the dispatcher, and for routes that look at credentials of other forms themselves.
    public void authenticated(Caller known) {
        this.caller = known;
    }

    public Caller caller() {
        return caller;
    }

    /// What a credential is good for. One that is no good counts against the address it came from.
    ///
    /// @throws ProblemException as `authentication`; rate-limited where too many failed
    public <T> T identified(Supplier<T> authentication) {
        return toll.identified(authentication);
    }

    /// The same for what is short enough to be guessed: passwords, and codes that people type. Where too many
    /// failed from this address, none is looked at, a right one neither, or whoever guesses would be told when it
    /// was right.
    ///
    /// @throws ProblemException as [#identified]
    public <T> T guessed(Supplier<T> authentication) {
        toll.mayFail();
        return identified(authentication);
    }

    /// Counts this request for a caller that the handler has identified by itself.
    ///
    /// @throws ProblemException rate-limited
    public void count(Caller identified, Cost cost) {
        toll.count(cost, identified);
    }

    /// Counts this request, at its end where the caller may have the answer already.
    public void count(Cost cost) {
        toll.count(cost, caller, header(Headers.IF_NONE_MATCH).isPresent());
    }

    /// Counts this request now, where it would be counted only when its answer is known: costly work begins, and the
    /// caller is not known to have its result. To be called before that work, and after what can be known without.
    ///
    /// @throws ProblemException rate-limited
    public void pay() {
        toll.pay(caller);
    }

    public RequestCharge toll() {
        return toll;
    }

    /// Who makes a change by this request. Only on routes that need a credential.
    public Origin origin() {
        return switch (caller) {
            case Caller.Known key -> new Origin(key, from(), requestId());
            case Caller.Anonymous ignored -> throw Authenticator.missing().raise();
        };
    }

    public String requestId() {
        return ids.requestId();
    }

    public RequestIds ids() {
        return ids;
    }

    /// The method as it was sent.
    public String method() {
        String kept = work.wire() instanceof Http1Bytes wire ? wire.method() : null;
        return kept == null ? request.prologue().method().text() : kept;
    }

    public boolean isHead() {
        return method().equals("HEAD");
    }

    /// The path as it was sent, still encoded.
    public String rawPath() {
        return work.wire() == null && !target().startsWith("/") ? target() : RequestTarget.path(target());
    }

    private String target() {
        return RequestTarget.of(request);
    }

    /// Whether this is the OCI registry's half of the service.
    public boolean isOfRegistry() {
        return rawPath().startsWith("/v2");
    }

    /// The query as it was sent, still encoded; empty where there is none.
    public String rawQuery() {
        return request.prologue().query().rawValue();
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

    public Cors cors() {
        return edge.cors();
    }

    public Arrival way() {
        return way;
    }

    public Timeouts.Work work() {
        return work;
    }

    // --- path ---

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

    public boolean hasParameter(String name) {
        return parameters.containsKey(name);
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

    private static <T> T named(String name, String text, Function<String, T> parser) {
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
        return request.headers().first(HeaderNames.create(name));
    }

    public Optional<String> header(HeaderName name) {
        return request.headers().first(name);
    }

    /// All values of a header, over repeated lines, in order; not split at commas.
    public List<String> headers(String name) {
        var header = HeaderNames.create(name);
        return request.headers().contains(header)
                ? request.headers().get(header).allValues()
                : List.of();
    }

    // --- body ---

    /// The announced length of the body, empty where it is chunked.
    public OptionalLong contentLength() {
        return request.headers().contentLength();
    }

    /// The body as a stream; the caller bounds what it reads.
    public InputStream body() {
        return payload.stream();
    }

    /// The whole body.
    ///
    /// @param what its name in the error
    /// @throws ProblemException payload-too-large beyond `limit` bytes; rate-limited where memory is short
    public byte[] bytes(String what, long limit) {
        return payload.whole(what, limit);
    }

    /// The whole body, which stays readable for the handler.
    public byte[] keepBody(long limit) {
        return payload.keep("the body", limit);
    }

    /// How large what this request holds may be.
    public BodyLimits sizes() {
        return edge.sizes();
    }

    /// The members of a JSON body of the usual size.
    ///
    /// @throws ProblemException as the one below
    public Fields json() {
        return json(edge.sizes().json());
    }

    /// The members of a JSON body of at most `limit` bytes.
    ///
    /// @throws ProblemException unsupported-media-type, payload-too-large, bad-request, or validation-failed for no
    /// object
    public Fields json(long limit) {
        Json.require(header("Content-Type").orElse(Json.TYPE));
        return fields(bytes("the JSON body", limit));
    }

    /// The same where the body may be left out, which means an object without members (contract 1.1, verbs).
    public Fields jsonOrNothing() {
        return request.content().hasEntity() && contentLength().orElse(-1) != 0
                ? json()
                : fields("{}".getBytes(StandardCharsets.UTF_8));
    }

    private Fields fields(byte[] bytes) {
        borrow("the JSON body, with what is made of it,", bytes.length, COPIES);
        return Fields.of(computed(bytes.length, budget -> Json.read(bytes)));
    }

    /// What is computed from so many bytes, in turn with others where they are many.
    ///
    /// @throws ProblemException as [CpuPool#run]
    public <T> T computed(long bytes, CpuPool.Work<T> work) {
        return edge.computing().run(bytes, work);
    }

    public Computing computing() {
        return edge.computing();
    }

    /// On whose account this request computes: a credential's, or the network's that it comes from.
    public Holder account() {
        return RateCheck.holder(caller, address());
    }

    /// Counts bytes that this request holds in memory until its answer is made; from then on, as many as are to be
    /// sent.
    ///
    /// @param what their name in a refusal
    /// @param copies of them that are in memory together
    /// @throws ProblemException rate-limited where memory is short; payload-too-large where it always will be
    public void borrow(String what, long bytes, int copies) {
        payload.borrow(new MemoryBudget.Work(what, bytes, copies));
    }

    /// What is left to the caller of each rate limit that counts for it.
    public List<Standing> standings() {
        return edge.meter().standings(caller, address());
    }

    public Payload payload() {
        return payload;
    }

    public void close() {
        payload.close();
    }
}
