package dev.sheaf.server.http.message;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.http.HttpExchange;
import dev.sheaf.engine.http.MemoryBudget;
import dev.sheaf.engine.http.RequestPayload;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.metrics.RequestTimes;
import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.engine.trace.RequestSpan;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.http.entity.RequestComputing;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.http.policy.RequestCharge;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.rate.RateStanding;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request as handlers see it. Bound to its thread.
public final class Call extends Request {
    private static final int COPIES = 2; // in memory besides a JSON body: its parsed form and the result
    private static final int FORM_COPIES = 4; // besides a form: its text, and its fields encoded and decoded

    private final RequestPayload payload;
    private final RequestCharge toll;
    private final EdgePolicy edge;
    private final @Nullable RequestSpan span;
    private String pattern = RequestTimes.UNKNOWN;
    private Caller caller = Caller.ANONYMOUS;
    private boolean authenticated;
    private Caller.@Nullable Known refused;
    private RoutePermission need = RoutePermission.NONE;
    private @Nullable UUID organization;
    private Runnable admission = () -> {};

    public Call(HttpExchange request, ServerSite site, EdgePolicy edge, MemoryBudget budget) {
        super(request, site, edge.forwarding());
        this.payload = new RequestPayload(request, budget, this::memoryAccount);
        this.edge = edge;
        this.span = edge.tracing() == null ? null : edge.tracing().begin(ids().traceId(), ids().parent());
        this.toll = new RequestCharge(edge.meter(), address());
    }

    /// Returns who holds the memory of this request.
    private MemoryBudget.Account memoryAccount() {
        return caller instanceof Caller.Known known
                ? new MemoryBudget.Account(new RateHolder.Credential(known.organizationId()), true)
                : new MemoryBudget.Account(RateHolder.of(address()), false);
    }

    /// Returns the span of this request; null if its trace is not recorded.
    public @Nullable RequestSpan span() {
        return span;
    }

    public void matched(String routesPattern) {
        this.pattern = routesPattern;
    }

    /// Returns the pattern of the routes that match the path.
    public String pattern() {
        return pattern;
    }

    public void within(UUID own) {
        this.organization = own;
    }

    /// Returns the organization in the path, which is the caller's own. Only for routes of an organization.
    public UUID organization() {
        return Objects.requireNonNull(organization, "the route does not belong to an organization");
    }

    /// @param again admits the caller again, or refuses
    public void admitted(Runnable again) {
        this.admission = again;
    }

    /// Authenticates and authorizes the caller again, during a long answer.
    ///
    /// @throws ProblemException as at the beginning of the request
    public void admitAgain() {
        admission.run();
    }

    public void needs(RoutePermission routes) {
        this.need = routes;
    }

    public RoutePermission need() {
        return need;
    }

    public void refused(Caller.Known known) {
        this.refused = known;
    }

    /// Returns the caller that was refused, if known.
    public Optional<Caller.Known> refused() {
        return caller instanceof Caller.Known known ? Optional.of(known) : Optional.ofNullable(refused);
    }

    /// Sets the caller. Called by the dispatcher, and by routes that check other forms of credentials themselves.
    public void authenticated(Caller known) {
        this.caller = known;
        this.authenticated = true;
    }

    /// Returns whether the credential of the request was checked and accepted.
    public boolean isAuthenticated() {
        return authenticated;
    }

    public Caller caller() {
        return caller;
    }

    /// Runs an authentication and counts its failure against the client's address. Meanwhile the client is not one of
    /// the strangers, who may have to wait for the database.
    ///
    /// @throws ProblemException as `authentication`; rate-limited after too many failures
    public <T> T identified(Supplier<T> authentication) {
        return CpuAccount.identifying(() -> toll.identified(authentication));
    }

    /// Does the same for secrets that are short enough to guess, such as passwords and codes. After too many
    /// failures from this address, it refuses every secret without checking it. Otherwise an attacker would
    /// learn which guess was right.
    ///
    /// @throws ProblemException those of [#identified]
    public <T> T guessed(Supplier<T> authentication) {
        toll.mayFail();
        return identified(authentication);
    }

    /// Counts this request for a caller that the handler has identified itself.
    ///
    /// @throws ProblemException rate-limited
    public void count(Caller identified, RequestCost cost) {
        toll.count(cost, identified);
    }

    /// Counts this request. A conditional read is counted at the end, because a 304 is free. `*` is no condition: it
    /// names no answer that the caller has.
    public void count(RequestCost cost) {
        boolean reads = isHead() || method().equals("GET");
        var known = reads ? listed("If-None-Match") : List.<String>of();
        toll.count(cost, caller, !known.isEmpty() && !known.contains("*"));
    }

    /// Counts a conditional read now instead of at the end. Call it just before costly work, after every check
    /// that needs no such work.
    ///
    /// @throws ProblemException rate-limited
    public void pay() {
        toll.pay(caller);
    }

    /// Returns whether to ask for a credential in place of this refusal, on surfaces whose clients send theirs only
    /// after a 401: the client may have one, and strangers must not lock it out by using up what its address may
    /// do.
    public boolean isAskedFirst(Problem problem) {
        return RateCheck.isOfStrangers(problem, caller)
                && need != RoutePermission.NONE
                && headers("Authorization").isEmpty();
    }

    public RequestCharge toll() {
        return toll;
    }

    /// Returns the origin of changes by this request. Only for routes that need a credential.
    public ChangeOrigin origin() {
        return switch (caller) {
            case Caller.Known known -> new ChangeOrigin(known, from(), requestId());
            case Caller.Anonymous ignored -> throw Authenticator.missing().raise();
        };
    }

    public CorsOrigins cors() {
        return edge.cors();
    }

    // --- body ---

    /// Returns the body as a stream. The reader must limit how much it reads.
    public InputStream body() {
        return payload.stream();
    }

    /// Returns the whole body.
    ///
    /// @param what the name of the body in the error
    /// @throws ProblemException payload-too-large beyond `limit` bytes; rate-limited if memory is short
    public byte[] bytes(String what, long limit) {
        return payload.whole(new Problem.PayloadTooLarge(what, limit, "bytes"));
    }

    /// Returns the whole body. The handler can still read it afterwards.
    public byte[] keepBody(String what, long limit) {
        return payload.keep(new Problem.PayloadTooLarge(what, limit, "bytes"));
    }

    /// Returns the limits of body sizes.
    public BodyLimits sizes() {
        return edge.sizes();
    }

    /// Returns the members of a JSON body of the usual size.
    ///
    /// @throws ProblemException those of [#json(String, long)]
    public RequestFields json() {
        return json("the JSON body (max-json-bytes)", edge.sizes().json());
    }

    /// Returns the largest JSON body that the memory of this node suffices for, in bytes. One with very many members
    /// needs more memory.
    public static long largestJson(MemoryBudget memory) {
        return memory.largest(1 + COPIES);
    }

    /// Returns the members of a JSON body of at most `limit` bytes. A node with a small heap takes less, and says so
    /// before the body arrives.
    ///
    /// @param what the name of the body in the error, with the setting of its limit
    /// @throws ProblemException unsupported-media-type, payload-too-large, bad-request, or validation-failed if it
    /// is not an object
    public RequestFields json(String what, long limit) {
        Json.require(header("Content-Type").orElse(Json.TYPE));
        long room = payload.largest(1 + COPIES);
        return fields(payload.whole(
                room < limit
                        ? new Problem.PayloadTooLarge(Throttle.MEMORY, "the JSON body", room, "bytes")
                        : new Problem.PayloadTooLarge(what, limit, "bytes")));
    }

    /// Returns the members of an optional JSON body. A missing body is an empty object (contract 1.1, verbs).
    public RequestFields jsonOrNothing() {
        return payload.isSent() && contentLength().orElse(-1) != 0
                ? json()
                : fields("{}".getBytes(StandardCharsets.UTF_8));
    }

    /// Returns the fields of a form of at most `limit` bytes.
    ///
    /// @throws ProblemException unsupported-media-type, payload-too-large, bad-request; rate-limited if memory is
    /// short
    public FormFields form(long limit) {
        FormFields.require(header("Content-Type").orElse(FormFields.TYPE));
        byte[] sent = bytes("the form", limit);
        borrow("the form, including its processing,", sent.length, FORM_COPIES);
        return FormFields.parse(new String(sent, StandardCharsets.UTF_8));
    }

    private RequestFields fields(byte[] bytes) {
        return RequestFields.of(parsed("the JSON body", bytes, Json::read));
    }

    /// Parses a JSON document that somebody else wrote. Its memory is reserved; large ones take turns with other
    /// callers.
    ///
    /// @param what the name of the document in a refusal
    /// @throws ProblemException those of [#borrow], of [CpuPool#run], and as `parser` throws
    public <T> T parsed(String what, byte[] bytes, Function<byte[], T> parser) {
        borrow(what + ", including its processing,", bytes.length, COPIES);
        borrow("the parsed form of " + what, Json.bytesOfForm(bytes), 1);
        return computed(bytes.length, budget -> parser.apply(bytes));
    }

    /// Runs a computation; large ones take turns with other callers.
    ///
    /// @param bytes how many bytes it processes
    /// @throws ProblemException those of [CpuPool#run]
    public <T> T computed(long bytes, CpuPool.Work<T> work) {
        return edge.computing().run(bytes, work);
    }

    public RequestComputing computing() {
        return edge.computing();
    }

    /// Returns whom the computing of this request is charged to: its credential, or the network of its address.
    public RateHolder account() {
        return RateCheck.holder(caller, address());
    }

    /// Returns whom the memory of this request counts for, and its place if it waits: the organization, or the network
    /// of an address without a credential.
    public RateHolder holder() {
        return memoryAccount().holder();
    }

    /// Reserves memory for bytes that this request holds until its answer is made; after that, only for the
    /// bytes still to be sent.
    ///
    /// @param what their name in a refusal
    /// @param copies how many copies of them are in memory at the same time
    /// @throws ProblemException rate-limited if memory is short; payload-too-large if it would never suffice
    public void borrow(String what, long bytes, int copies) {
        payload.borrow(new MemoryBudget.Work(what, bytes, copies));
    }

    /// Returns the caller's standing under each rate limit that applies to it.
    public List<RateStanding> standings() {
        return edge.meter().standings(caller, address());
    }

    public RequestPayload payload() {
        return payload;
    }

    public void close() {
        payload.close();
    }
}
