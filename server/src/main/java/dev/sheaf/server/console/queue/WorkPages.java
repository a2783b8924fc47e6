package dev.sheaf.server.console.queue;

import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.worker.HabitatPages;
import dev.sheaf.server.console.worker.RoutePages;
import dev.sheaf.server.console.worker.WorkerPages;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.stream.Stream;

/// All pages about work: queues, jobs, workers and routes.
public final class WorkPages {
    public List<Route> routes(Pages pages) {
        return Stream.of(
                        new QueuePages().routes(pages),
                        new JobPages().routes(pages),
                        new EndedPages().routes(pages),
                        new InstructionPages().routes(pages),
                        new SchedulePages().routes(pages),
                        new WorkerPages().routes(pages),
                        new HabitatPages().routes(pages),
                        new RoutePages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
