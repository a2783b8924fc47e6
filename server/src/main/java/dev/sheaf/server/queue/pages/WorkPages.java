package dev.sheaf.server.queue.pages;

import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.queue.Habitats;
import dev.sheaf.server.queue.QueueInstructions;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.claim.WorkerPrograms;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.QueueDeletion;
import dev.sheaf.server.queue.job.QueueStatistics;
import dev.sheaf.server.queue.pages.worker.HabitatPages;
import dev.sheaf.server.queue.pages.worker.RoutePages;
import dev.sheaf.server.queue.pages.worker.WorkerPages;
import dev.sheaf.server.queue.route.JobRoutes;
import dev.sheaf.server.queue.schedule.Schedules;
import java.util.List;
import java.util.stream.Stream;

/// All pages about work: queues, jobs, workers and routes.
///
/// @param routes routes from events to queues
public record WorkPages(
        Queues queues,
        QueueDeletion deletion,
        QueueStatistics statistics,
        Habitats habitats,
        QueueInstructions instructions,
        Schedules schedules,
        JobEnqueue enqueue,
        Jobs jobs,
        WorkerPrograms workers,
        JobRoutes routes) {
    public List<Route> routes(PageRoutes pages) {
        var bulk = new BulkPages(queues, jobs);
        return Stream.of(
                        new QueuePages(queues, deletion, statistics, habitats, jobs).routes(pages),
                        new JobPages(queues, enqueue, jobs).routes(pages),
                        new EndedPages(queues, jobs, bulk).routes(pages),
                        bulk.routes(pages),
                        new InstructionPages(queues, instructions).routes(pages),
                        new SchedulePages(queues, schedules).routes(pages),
                        new WorkerPages(workers, jobs).routes(pages),
                        new HabitatPages(habitats).routes(pages),
                        new RoutePages(routes, queues).routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
