package dev.sheaf.client.queue;

import dev.sheaf.client.http.Resource;
import dev.sheaf.model.wire.queue.JobRoute;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Which events of an organization become jobs, each once. Thread-safe.
public final class JobRoutes {
    private final Resource routes;

    JobRoutes(Resource routes) {
        this.routes = routes;
    }

    /// What is said of a route; what is null is not said.
    ///
    /// @param eventTypes such as `version.published` or `version.*`
    /// @param subject of the events, such as `acme/*`; empty: any
    /// @param queue id or slug of the queue that gets the jobs
    /// @param inputTemplate Liquid that gives the input as JSON; empty: the event itself is the input
    public record Settings(
            @Nullable String name,
            @Nullable List<String> eventTypes,
            @Nullable String subject,
            @Nullable String queue,
            @Nullable String inputTemplate,
            @Nullable Boolean enabled) {
        public Settings {
            eventTypes = eventTypes == null ? null : List.copyOf(eventTypes);
        }

        private Map<String, @Nullable Object> members() {
            return Said.NOTHING
                    .and("name", name)
                    .and("eventTypes", eventTypes)
                    .andText("subject", subject)
                    .and("queueId", queue)
                    .andText("inputTemplate", inputTemplate)
                    .and("enabled", enabled)
                    .members();
        }

        /// Whether nothing is said.
        public boolean isEmpty() {
            return members().isEmpty();
        }
    }

    /// Makes a route for what happens from now on; it needs a name, types and a queue.
    public JobRoute create(Settings settings) {
        return routes.create("", settings.members(), JobRoute.class);
    }

    public List<JobRoute> list() {
        return routes.list("", JobRoute.class);
    }

    public JobRoute get(UUID id) {
        return routes.get("/" + id, JobRoute.class);
    }

    /// Changes what the settings say, and nothing else.
    public JobRoute edit(UUID id, Settings changes) {
        return routes.patch("/" + id, changes.members(), JobRoute.class);
    }

    /// Deletes a route; the jobs that it made stay.
    public void delete(UUID id) {
        routes.delete("/" + id);
    }
}
