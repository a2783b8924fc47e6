package dev.sheaf.server.ops.pages;

import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.ops.Health;
import dev.sheaf.server.ops.ServiceStatus;
import java.time.InstantSource;
import java.util.List;

/// Whether the registry works, for anybody. The page needs no database, and tells nothing that a refused
/// request would not tell.
public final class StatusPages {
    private static final int KEPT = 10; // seconds

    private final Health health;
    private final InstantSource clock;

    public StatusPages(Health health, InstantSource clock) {
        this.health = health;
        this.clock = clock;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.unchecked("/status", this::show));
    }

    private Answer show(PageCall page) {
        return page.view("Status", "ops/pages/status")
                .with("status", ServiceStatus.of(health.report()))
                .with("at", clock.instant())
                .forMachines("GET /health/ready", "")
                .keptFor(KEPT)
                .show();
    }
}
