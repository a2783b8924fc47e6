package dev.sheaf.server.http.routing;

import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.EdgePolicy;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.server.Away;
import dev.sheaf.server.http.server.HttpServer;
import dev.sheaf.server.http.server.MemoryBudget;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.http.server.Timeouts;
import dev.sheaf.server.idempotency.Idempotency;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/// Accepts requests: each becomes an [Exchange], which leaves the stack of the HTTP library while it waits.
/// Thread-safe.
public final class Dispatcher implements HttpServer.Requests {
    private final List<Surface> surfaces;
    private final Routes routes;
    private final Callers callers;
    private final Site site;
    private final EdgePolicy edge;
    private final MemoryBudget budget;
    private final RefusalLog refusals = new RefusalLog(System::nanoTime);
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
        var work = watch.begin(request.remotePeer().address(), request.id());
        boolean away = false;
        try {
            var call = new Call(request, site, edge, budget, work);
            var exchange = begun(call, response);
            away = exchange.waits() && work.wire() != null && !call.payload().isSent();
            if (away) {
                throw new Away(new Rest(exchange, work, watch));
            }
            while (exchange.waits()) {
                exchange.await();
                exchange.goOn();
            }
            exchange.leave();
        } finally {
            if (!away) {
                watch.end(work);
            }
        }
    }

    private record Rest(Exchange exchange, Timeouts.Work work, Timeouts watch) implements Away.Rest {
        @Override
        public void await() {
            exchange.await();
        }

        @Override
        public boolean goOn() {
            boolean waits = false;
            try {
                exchange.goOn();
                waits = exchange.waits();
                if (!waits) {
                    exchange.leave();
                }
                return waits;
            } finally {
                if (!waits) {
                    watch.end(work);
                }
            }
        }
    }

    private Exchange begun(Call call, ServerResponse response) {
        long since = System.nanoTime();
        boolean admitted = inFlight.enter();
        var exchange = new Exchange(surfaceOf(call.rawPath()), call, response, routes, callers, status -> {
            call.close();
            refusals.note(call, status);
            edge.times().took(call.method(), call.pattern(), status, System.nanoTime() - since);
            if (admitted) {
                inFlight.leave();
            }
        });
        exchange.begin(admitted);
        return exchange;
    }

    /// Returns the surface of a path. The last surface, at the root, also gets targets that are not paths:
    /// `OPTIONS
    /// *`, CONNECT.
    private Surface surfaceOf(String path) {
        return surfaces.stream()
                .filter(surface -> surface.owns(path))
                .findFirst()
                .orElseGet(surfaces::getLast);
    }

    @Override
    public int drain(Duration limit) {
        return inFlight.drain(limit);
    }
}
