package dev.sheaf.client.queue;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.model.wire.queue.JobRoute;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The rules by which events of an organization enqueue jobs, one job per event and rule. Thread-safe.
public final class JobRoutes {
    private final ApiResource routes;

    JobRoutes(ApiResource routes) {
        this.routes = routes;
    }

    /// The settings of a route; null members are not set.
    ///
    /// @param eventTypes such as `version.published` or `version.*`
    /// @param subject the subject of the events, such as `acme/*`; empty means any
    /// @param queue the id or slug of the queue for the jobs
    /// @param inputTemplate a Liquid template that produces the input as JSON; if empty, the input is the event
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
            return RequestMembers.NOTHING
                    .and("name", name)
                    .and("eventTypes", eventTypes)
                    .andText("subject", subject)
                    .and("queueId", queue)
                    .andText("inputTemplate", inputTemplate)
                    .and("enabled", enabled)
                    .members();
        }

        /// Returns whether nothing is set.
        public boolean isEmpty() {
            return members().isEmpty();
        }
    }

    /// Creates a route for future events. Requires a name, types and a queue.
    public JobRoute create(Settings settings) {
        return routes.create("", settings.members(), JobRoute.class);
    }

    /// Returns all routes.
    public List<JobRoute> list() {
        return routes.list("", JobRoute.class);
    }

    /// Returns a route.
    public JobRoute get(UUID id) {
        return routes.get("/" + id, JobRoute.class);
    }

    /// Changes only the members that are set.
    public JobRoute edit(UUID id, Settings changes) {
        return routes.patch("/" + id, changes.members(), JobRoute.class);
    }

    /// Deletes a route; its jobs remain.
    public void delete(UUID id) {
        routes.delete("/" + id);
    }
}
