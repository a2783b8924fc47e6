package dev.sheaf.client.queue;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.model.wire.queue.Schedule;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The schedules that enqueue jobs in one queue. Each scheduled time enqueues one job, even if the registry has
/// several nodes. Thread-safe.
public final class Schedules {
    private final ApiResource schedules;

    Schedules(ApiResource schedules) {
        this.schedules = schedules;
    }

    /// The settings of a schedule; null members are not set.
    ///
    /// @param cron minute, hour, day of month, month and day of week
    /// @param timeZone such as `Europe/Zurich`
    /// @param inputData the input of its jobs; JSON
    /// @param jobType the type of its jobs
    public record Settings(
            @Nullable String name,
            @Nullable String cron,
            @Nullable String timeZone,
            @Nullable Object inputData,
            @Nullable String jobType,
            @Nullable Boolean enabled) {
        private Map<String, @Nullable Object> members() {
            return RequestMembers.NOTHING
                    .and("name", name)
                    .and("cron", cron)
                    .and("timeZone", timeZone)
                    .and("inputData", inputData)
                    .andText("jobType", jobType)
                    .and("enabled", enabled)
                    .members();
        }

        /// Returns whether nothing is set.
        public boolean isEmpty() {
            return members().isEmpty();
        }
    }

    /// Creates a schedule. Requires a name and its times.
    public Schedule create(Settings settings) {
        return schedules.create("", settings.members(), Schedule.class);
    }

    /// Returns all schedules of the queue.
    public List<Schedule> list() {
        return schedules.list("", Schedule.class);
    }

    /// Returns a schedule.
    public Schedule get(UUID id) {
        return schedules.get("/" + id, Schedule.class);
    }

    /// Changes only the members that are set.
    public Schedule edit(UUID id, Settings changes) {
        return schedules.patch("/" + id, changes.members(), Schedule.class);
    }

    /// Deletes a schedule; its jobs remain.
    public void delete(UUID id) {
        schedules.delete("/" + id);
    }
}
