package dev.sheaf.server.http.routing;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.audit.Refusals;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.EdgePolicy;
import dev.sheaf.server.http.message.Headers;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Negotiation;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.policy.CallerQueue;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Credentials;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.http.server.Http1Bytes;
import dev.sheaf.server.http.server.HttpServer;
import dev.sheaf.server.http.server.InFlight;
import dev.sheaf.server.http.server.MemoryBudget;
import dev.sheaf.server.http.server.RequestIds;
import dev.sheaf.server.http.server.RequestTarget;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.http.server.Timeouts;
import dev.sheaf.server.idempotency.Idempotency;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The life of a request: route → credential → scope → handler → answer, and every problem on the way to the
/// surface's own way of writing errors. Thread-safe.
public final class Dispatcher implements HttpServer.Requests {
    private static final long SMALL = 32 << 10; // bytes of a body that are read at once
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private static final String HEALTH = "/health/"; // names nothing, and is asked under any name
    private static final String API = "/v1/";
    private static final String PAGES = "/v1/sign-in/";
    private static final long RETRY_SECONDS = 5;
    private static final Answer.Header CLOSE = new Answer.Header("Connection", "close");

    private final List<Surface> surfaces;
    private final Router router;
    private final Doors doors;
    private final Site site;
    private final EdgePolicy edge;
    private final MemoryBudget budget;
    private final IdempotentPosts repeats;
    private final InFlight inFlight = new InFlight();
    private final CallerQueue turnstile =
            new CallerQueue(4 * Math.max(2, Runtime.getRuntime().availableProcessors()));

    /// Who is let in, and what is remembered of those who are not.
    public record Doors(Authenticator authenticator, PathOwners owners, Refusals refusals) {}

    public Dispatcher(
            List<Surface> surfaces,
            Doors doors,
            Site site,
            EdgePolicy edge,
            MemoryBudget budget,
            Idempotency idempotency) {
        this.surfaces = surfaces.stream()
                .sorted(Comparator.comparing(
                        (Surface surface) -> -surface.prefix().length()))
                .toList();
        this.router = new Router(surfaces.stream()
                .flatMap(surface -> surface.routes().stream())
                .map(route -> route.within(doors.owners()))
                .toList());
        this.doors = doors;
        this.site = site;
        this.edge = edge;
        this.budget = budget;
        this.repeats = new IdempotentPosts(idempotency, router);
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response, Timeouts watch) {
        var work = watch.begin(request.remotePeer().address());
        try {
            handle(request, response, work);
        } finally {
            watch.end(work);
        }
    }

    private void handle(ServerRequest request, ServerResponse response, Timeouts.Work work) {
        var headers = request.headers();
        var ids = RequestIds.of(headers.first(Headers.REQUEST_ID), headers.first(Headers.TRACEPARENT));
        var call = new Call(request, site, edge, ids, budget, work);
        var surface = surfaceOf(call.rawPath());
        boolean admitted = inFlight.enter();
        boolean last;
        try {
            Answer answer = CpuPool.onAccountOf(call::account, () -> {
                Answer given = admitted ? warned(answer(surface, call), call) : refuse(surface, call);
                return send(surface, given, call, response);
            });
            last = isLast(answer, call);
        } catch (UncheckedIOException | ServerConnectionException e) {
            LOG.debug("{} {} {}: the connection broke", call.requestId(), call.method(), call.rawPath(), e);
            throw new CloseConnectionException("the connection broke", e);
        } catch (RuntimeException e) {
            if (call.work().wire() == null) { // of HTTP/2: the client has reset the stream, or is gone
                LOG.debug("{} {} {}: the stream ended", call.requestId(), call.method(), call.rawPath(), e);
                throw new CloseConnectionException("the stream ended", e);
            }
            LOG.error("{} {} {}: the answer was cut off", call.requestId(), call.method(), call.rawPath(), e);
            throw e;
        } finally {
            call.close();
            if (admitted) {
                inFlight.leave();
            }
        }
        if (last || isEndless(call)) {
            call.payload().linger();
            if (call.work().wire() == null) {
                Thread.currentThread().interrupt(); // over HTTP/2 the library would go on to wait for the body
            }
            throw new CloseConnectionException("one side asked for it"); // the library would leave it open
        }
    }

    /// The last one, which is at the root, also has what is no path: `OPTIONS *`, CONNECT.
    private Surface surfaceOf(String path) {
        return surfaces.stream()
                .filter(surface -> path.startsWith(surface.prefix()))
                .findFirst()
                .orElseGet(surfaces::getLast);
    }

    /// Whether more comes of a body that nobody wants than is worth the connection. The library would read on for
    /// as long as something comes.
    private static boolean isEndless(Call call) {
        if (call.payload().isUnread()) {
            call.payload().linger();
        }
        return call.payload().isUnread();
    }

    /// Sends the answer, or another one where the caller had no right to it any more.
    private Answer send(Surface surface, Answer answer, Call call, ServerResponse response) {
        var ready = Sender.ready(answer, call);
        try {
            call.toll().settle(ready.unmodified(), call.caller());
        } catch (ProblemException e) {
            ready = Sender.ready(warned(surface.errors().render(e.problem(), call), call), call);
        }
        if (call.payload().endsConnection() && !ready.answer().headers().contains(CLOSE)) {
            ready = ready.with(CLOSE);
        }
        call.payload().worked(ready.unmodified() || call.isHead() ? 0 : ready.json().length);
        Sender.send(ready, call, response);
        return ready.answer();
    }

    /// Whether either side says that no request follows on this connection (RFC 9112, section 9.6).
    private static boolean isLast(Answer answer, Call call) {
        return call.headers("Connection").stream().anyMatch("close"::equalsIgnoreCase)
                || answer.headers().contains(CLOSE);
    }

    private static Answer refuse(Surface surface, Call call) {
        var problem = new Problem.Unavailable("this node is shutting down; try again, another one may answer", 1);
        return surface.errors().render(problem, call).with(CLOSE.name(), CLOSE.value());
    }

    /// Tells whoever uses a key that it ends soon, in every answer.
    private Answer warned(Answer answer, Call call) {
        return doors.authenticator()
                .endingSoon(call.caller())
                .map(end -> answer.with(Headers.KEY_EXPIRING, end.toString()))
                .orElse(answer);
    }

    private Answer answer(Surface surface, Call call) {
        try {
            return inTime(surface, call);
        } catch (ProblemException e) {
            LOG.debug(
                    "{} {} {}: {}",
                    call.requestId(),
                    call.method(),
                    call.rawPath(),
                    e.problem().kind());
            note(e.problem(), call);
            return surface.errors().render(e.problem(), call);
        } catch (UncheckedIOException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LOG.error("{} {} {} failed", call.requestId(), call.method(), call.rawPath(), e);
            return surface.errors().render(new Problem.Internal(), call);
        }
    }

    /// Puts the refusal of a privileged call into the audit log.
    private void note(Problem problem, Call call) {
        boolean privileged = call.need() == Need.WRITE || call.need() == Need.ADMIN;
        if (privileged && problem instanceof Problem.Credential) {
            call.refused()
                    .ifPresent(known -> doors.refusals()
                            .note(
                                    known,
                                    call.method() + " " + call.rawPath(),
                                    problem.detail(),
                                    call.from(),
                                    call.requestId()));
        }
    }

    /// What a handler throws that was told to end, whatever it is, comes from that. One that ended well all the
    /// same has its answer.
    private Answer inTime(Surface surface, Call call) {
        Answer answer;
        try {
            answer = route(surface, call);
        } catch (RuntimeException | Error e) {
            if (call.work().done()) {
                LOG.debug("{} {} {} took too long", call.requestId(), call.method(), call.rawPath(), e);
                throw new Problem.Unavailable("the request took too long", RETRY_SECONDS).raise();
            }
            throw e;
        }
        call.work().done();
        return answer;
    }

    private Answer route(Surface surface, Call call) {
        readable(call);
        if (!call.rawPath().startsWith(HEALTH)) {
            call.way().isForUs();
        }
        var match = router.find(call.rawPath());
        if (match == null) {
            authenticate(surface, call);
            call.count(Cost.READ);
            throw new Problem.NotFound("the path " + call.rawPath()).raise();
        }
        call.routed(match.parameters());
        var preflight = edge.cors().preflight(call, Router.methods(match.routes()));
        if (preflight.isPresent()) {
            return preflight.get();
        }
        var method = method(call.method());
        var route = method.map(match.routes()::get).orElse(null);
        if (route == null) {
            call.count(call.caller(), Cost.READ);
            throw new Problem.MethodNotAllowed(call.method(), Router.methods(match.routes())).raise();
        }
        call.needs(route.need());
        if (route.method() == Method.GET && route.need() != Need.ADMIN) {
            call.work().limit();
        }
        if (route.need() != Need.NONE) {
            authenticate(surface, call);
        }
        call.count(route.cost());
        if (route.need() != Need.NONE) {
            authorize(route, call);
        }
        return handled(route, call);
    }

    /// What the API answers with JSON, in full or to a change, is for callers who take that: a change is not made
    /// where its answer would not be read. What is no JSON is negotiated by its handler.
    private Answer handled(Route route, Call call) {
        boolean ofApi = route.pattern().startsWith(API) && !route.pattern().startsWith(PAGES);
        if (ofApi && (route.method() == Method.POST || route.method() == Method.PATCH)) {
            Negotiation.json(call);
        }
        if (route.method() == Method.GET) {
            boolean anybody = route.need() != Need.NONE && call.caller() instanceof Caller.Anonymous;
            return anybody
                    ? turnstile.pass(call.account(), () -> Sender.written(got(route, call, ofApi), call))
                    : got(route, call, ofApi);
        }
        if (IdempotentPosts.concerns(route, call)) {
            return repeats.once(route, call);
        }
        if (call.caller() instanceof Caller.Anonymous && isLongJson(call)) {
            call.keepBody(edge.sizes().json()); // or whoever sends slowly would keep others of the network waiting
            return turnstile.pass(call.account(), () -> route.handler().handle(call));
        }
        return route.handler().handle(call);
    }

    /// Whether it is worth waiting for a turn; what is too long for any is refused by its handler at once.
    private boolean isLongJson(Call call) {
        long length = call.contentLength().orElse(SMALL + 1);
        return length > SMALL
                && length <= edge.sizes().json()
                && call.header(HeaderNames.CONTENT_TYPE)
                        .filter(type -> type.contains("json"))
                        .isPresent();
    }

    private static Answer got(Route route, Call call, boolean ofApi) {
        var answer = route.handler().handle(call);
        if (ofApi && answer.body() instanceof Answer.Body.Json) {
            Negotiation.json(call);
        }
        return answer;
    }

    /// What must be so before anybody asks for what.
    private static void readable(Call call) {
        if (call.work().isSpare() && !call.rawPath().startsWith("/health/")) {
            throw new Problem.Unavailable(
                            "this address, or all together, have as many connections open as they may (max-connections)",
                            RETRY_SECONDS)
                    .raise();
        }
        if (call.work().wire() instanceof Http1Bytes wire && wire.refusal() instanceof Problem refusal) {
            throw refusal.raise();
        }
        var coding = call.header(HeaderNames.CONTENT_ENCODING);
        if (coding.isPresent() && !coding.get().equalsIgnoreCase("identity")) {
            throw new Problem.UnsupportedMediaType(coding.get(), "it without Content-Encoding").raise();
        }
        if (hasControls(call.rawPath()) || hasControls(call.rawQuery())) {
            throw new Problem.BadRequest("the path and the query must be without control characters; encode them")
                    .raise();
        }
        if (!call.rawPath().startsWith("/") && !call.rawPath().equals("*")) {
            throw new Problem.BadRequest("the path must begin with /").raise();
        }
        if (RequestTarget.decode(call.rawPath()) == null) {
            throw new Problem.BadRequest("the path is not percent-encoded UTF-8").raise();
        }
    }

    /// The HTTP library refuses them over HTTP/1.1 only. They must get neither into headers nor into rows.
    private static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    private static Optional<Method> method(String sent) {
        String name = sent.equals("HEAD") ? "GET" : sent;
        for (var method : Method.values()) {
            if (method.name().equals(name)) {
                return Optional.of(method);
            }
        }
        return Optional.empty();
    }

    private void authenticate(Surface surface, Call call) {
        var sent = call.headers("Authorization");
        if (!sent.isEmpty()) {
            call.authenticated(call.identified(() -> Credentials.read(sent, surface.basicAllowed())
                    .map(secret -> doors.authenticator().authenticate(secret, place(call)))
                    .orElse(Caller.ANONYMOUS)));
        }
    }

    private Authenticator.Place place(Call call) {
        return new Authenticator.Place(
                call.address(), () -> doors.owners().organization(call.rawPath(), call.parameters()), call::refused);
    }

    /// Refuses a caller without the route's scope. An access token of the registry is made for repositories, so it
    /// opens no other route.
    private static void authorize(Route route, Call call) {
        var needed = route.need().scope().orElseThrow();
        if (call.caller() instanceof Caller.Anonymous && route.need() == Need.PUBLIC_READ) {
            return;
        }
        var key = Access.scope(call.caller(), needed);
        if (route.need() == Need.PERSON && !(key.credential() instanceof Credential.Session)) {
            throw new Problem.Forbidden("this is about a person, and the credential is not one's; sign in").raise();
        }
        if (key.grant() instanceof Grant.Limited && !call.hasParameter("bundle") && route.need() != Need.PUBLIC_READ) {
            throw new Problem.ScopeMissing(needed).raise();
        }
    }

    @Override
    public int drain(Duration limit) {
        return inFlight.drain(limit);
    }
}
