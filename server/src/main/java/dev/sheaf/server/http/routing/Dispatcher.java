package dev.sheaf.server.http.routing;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.EdgePolicy;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.server.HttpServer;
import dev.sheaf.server.http.server.MemoryBudget;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.http.server.Timeouts;
import dev.sheaf.server.idempotency.Idempotency;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The life of a request: route → credential → scope → handler → answer, and every problem on the way to the
/// surface's own way of writing errors. Thread-safe.
public final class Dispatcher implements HttpServer.Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private static final long RETRY_SECONDS = 5;
    private static final Answer.Header CLOSE = new Answer.Header("Connection", "close");

    private final List<Surface> surfaces;
    private final Routes routes;
    private final Callers callers;
    private final Site site;
    private final EdgePolicy edge;
    private final MemoryBudget budget;
    private final InFlight inFlight = new InFlight();

    public Dispatcher(
            List<Surface> surfaces,
            Callers callers,
            Site site,
            EdgePolicy edge,
            MemoryBudget budget,
            Idempotency idempotency) {
        this.surfaces = surfaces.stream()
                .sorted(Comparator.comparing(
                                (Surface surface) -> -surface.prefix().length())
                        .thenComparing(Surface::isWhole))
                .toList();
        this.callers = callers;
        this.routes = new Routes(surfaces, callers, idempotency);
        this.site = site;
        this.edge = edge;
        this.budget = budget;
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
        long since = System.nanoTime();
        int status = 0;
        var call = new Call(request, site, edge, budget, work);
        var surface = surfaceOf(call.rawPath());
        boolean admitted = inFlight.enter();
        boolean last;
        try {
            var sent = CpuPool.onAccountOf(call::account, () -> {
                Answer given = admitted ? callers.warned(answer(surface, call), call) : refuse(surface, call);
                return send(surface, given, call, response);
            });
            status = sent.status();
            last = isLast(sent.answer(), call);
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
            edge.times().took(call.method(), call.pattern(), status, System.nanoTime() - since);
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
                .filter(surface -> surface.owns(path))
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
    private Sender.Ready send(Surface surface, Answer answer, Call call, ServerResponse response) {
        var ready = Sender.ready(answer, call);
        try {
            call.toll().settle(ready.unmodified(), call.caller());
        } catch (ProblemException e) {
            ready = Sender.ready(callers.warned(surface.errors().render(e.problem(), call), call), call);
        }
        if (call.payload().endsConnection() && !ready.answer().headers().contains(CLOSE)) {
            ready = ready.with(CLOSE);
        }
        call.payload().worked(ready.unmodified() || call.isHead() ? 0 : ready.json().length);
        Sender.send(ready, call, response);
        return ready;
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
            callers.note(e.problem(), call);
            return surface.errors().render(e.problem(), call);
        } catch (UncheckedIOException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LOG.error("{} {} {} failed", call.requestId(), call.method(), call.rawPath(), e);
            return surface.errors().render(new Problem.Internal(), call);
        }
    }

    /// What a handler throws that was told to end, whatever it is, comes from that. One that ended well all the
    /// same has its answer.
    private Answer inTime(Surface surface, Call call) {
        Answer answer;
        try {
            answer = routes.answer(surface, call);
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

    @Override
    public int drain(Duration limit) {
        return inFlight.drain(limit);
    }
}
