package dev.sheaf.server.http.message;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.http.entity.Computing;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.http.policy.RequestCharge;
import dev.sheaf.server.http.server.MemoryBudget;
import dev.sheaf.server.http.server.Payload;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.http.server.Timeouts;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.input.Form;
import dev.sheaf.server.metrics.RequestTimes;
import dev.sheaf.server.rate.Holder;
import dev.sheaf.server.rate.RateStanding;
import io.helidon.webserver.http.ServerRequest;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request on its way through a handler. Bound to its thread.
public final class Call extends Request {
    private static final int COPIES = 2; // beside a JSON body, its parsed form and what is made of it are in memory

    private final Payload payload;
    private final RequestCharge toll;
    private final EdgePolicy edge;
    private String pattern = RequestTimes.UNKNOWN;
    private Caller caller = Caller.ANONYMOUS;
    private Caller.@Nullable Known refused;
    private Need need = Need.NONE;
    private @Nullable UUID organization;
    private Runnable admission = () -> {};

    public Call(ServerRequest request, Site site, EdgePolicy edge, MemoryBudget budget, Timeouts.Work work) {
        super(request, site, edge.forwarding(), work);
        this.payload = new Payload(request, budget, work, () -> MemoryBudget.Account.of(caller, address()));
        this.edge = edge;
        this.toll = new RequestCharge(edge.meter(), address());
    }

    /// A request of the API that a page makes within the process. What it costs was counted when the page was asked
    /// for.
    private Call(Call outer, InnerRequest inner) {
        super(outer, inner);
        this.payload = outer.payload.within(inner.body());
        this.edge = outer.edge;
        this.toll = new RequestCharge(edge.meter(), address());
    }

    /// The call of a request that is made while this one is answered, by nobody yet.
    public Call inner(InnerRequest inner) {
        return new Call(this, inner);
    }

    public void matched(String routesPattern) {
        this.pattern = routesPattern;
    }

    /// The pattern of the routes that the path is one of.
    public String pattern() {
        return pattern;
    }

    public void within(UUID own) {
        this.organization = own;
    }

    /// The organization that the path names, which is the caller's: only on routes of one.
    public UUID organization() {
        return Objects.requireNonNull(organization, "the route is of no organization");
    }

    /// @param again lets the caller in once more, or refuses
    public void admitted(Runnable again) {
        this.admission = again;
    }

    /// Looks anew at who calls and whether they may: for an answer that takes long.
    ///
    /// @throws ProblemException as when the request began
    public void admitAgain() {
        admission.run();
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
            case Caller.Known known -> new Origin(known, from(), requestId());
            case Caller.Anonymous ignored -> throw Authenticator.missing().raise();
        };
    }

    public Cors cors() {
        return edge.cors();
    }

    // --- body ---

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
        return payload.isSent() && contentLength().orElse(-1) != 0
                ? json()
                : fields("{}".getBytes(StandardCharsets.UTF_8));
    }

    /// The fields of a form of at most `limit` bytes.
    ///
    /// @throws ProblemException unsupported-media-type, payload-too-large, bad-request
    public Form form(long limit) {
        Form.require(header("Content-Type").orElse(Form.TYPE));
        return Form.parse(new String(bytes("the form", limit), StandardCharsets.UTF_8));
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
    public List<RateStanding> standings() {
        return edge.meter().standings(caller, address());
    }

    public Payload payload() {
        return payload;
    }

    public void close() {
        payload.close();
    }
}
