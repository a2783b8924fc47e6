package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.HttpExchange;
import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.MemoryBudget;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.engine.metrics.RequestTimes;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.EdgePolicy;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.idempotency.StoredAnswers;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/// Accepts requests: each becomes an [RequestExchange]. Thread-safe.
public final class Dispatcher implements HttpServer.Requests {
    private final List<RouteSurface> surfaces;
    private final RouteCalls routes;
    private final CallerCheck callers;
    private final ServerSite site;
    private final EdgePolicy edge;
    private final MemoryBudget budget;
    private final RefusalLog refusals = new RefusalLog(System::nanoTime);
    private final InFlight inFlight = new InFlight();

    public Dispatcher(
            List<RouteSurface> surfaces,
            CallerCheck callers,
            ServerSite site,
            EdgePolicy edge,
            MemoryBudget budget,
            StoredAnswers idempotency) {
        this.surfaces = surfaces.stream()
                .sorted(Comparator.comparing(
                                (RouteSurface surface) -> -surface.prefix().length())
                        .thenComparing(RouteSurface::isWhole))
                .toList();
        this.callers = callers;
        this.routes = new RouteCalls(surfaces, callers, idempotency);
        this.site = site;
        this.edge = edge;
        this.budget = budget;
    }

    @Override
    public void handle(HttpExchange http) {
        follow(begun(new Call(http, site, edge, budget), http), http);
    }

    /// Continues a request that waits on a new thread.
    private static void follow(RequestExchange exchange, HttpExchange http) {
        if (exchange.waits()) {
            http.start(() -> {
                exchange.await();
                exchange.goOn();
                follow(exchange, http);
            });
        }
    }

    private RequestExchange begun(Call call, HttpExchange http) {
        long since = System.nanoTime();
        boolean admitted = inFlight.enter();
        var exchange = new RequestExchange(surfaceOf(call.rawPath()), call, http, routes, callers, status -> {
            call.close();
            refusals.note(call, status);
            edge.access().note(call, status, System.nanoTime() - since);
            measure(call, status, System.nanoTime() - since);
            if (admitted) {
                inFlight.leave();
            }
        });
        exchange.begin(admitted, inFlight.isLeaving());
        return exchange;
    }

    private void measure(Call call, int status, long nanos) {
        var span = call.span();
        if (span == null) {
            edge.times().took(call.method(), call.pattern(), status, nanos);
        } else {
            var exemplar = new RequestTimes.Exemplar(span.traceId(), span.spanId());
            edge.times().took(call.method(), call.pattern(), status, nanos, exemplar);
            RequestSpans.end(span, call, status);
        }
    }

    /// Returns the surface of a path. The last surface, at the root, also gets targets that are not paths, such
    /// as those of CONNECT and of OPTIONS with an asterisk.
    private RouteSurface surfaceOf(String path) {
        for (var surface : surfaces) {
            if (surface.owns(path)) {
                return surface;
            }
        }
        return surfaces.getLast();
    }

    @Override
    public void leave() {
        inFlight.announceEnd();
    }

    @Override
    public int drain(Duration limit) {
        return inFlight.drain(limit);
    }
}
