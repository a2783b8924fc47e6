package dev.sheaf.server.queue.pages;

import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.http.message.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings of a queue as fields of a form.
final class QueueForm {
    /// The fields that can have their own errors.
    static final String[] FIELDS = {
        "name",
        "slug",
        "description",
        "habitatId",
        "bundle",
        "harnessType",
        "maxAttempts",
        "leaseSeconds",
        "timeoutSeconds",
        "maxRunning",
        "maxDepth",
        "retentionDays",
        "execution",
        "events"
    };

    private QueueForm() {}

    static FilledForm of(Queue queue) {
        return FilledForm.NOTHING
                .with("name", queue.name())
                .with("slug", queue.slug())
                .with("description", queue.description())
                .with("habitatId", queue.habitatId())
                .with("bundle", queue.bundle())
                .with("harnessType", queue.harnessType())
                .with("maxAttempts", queue.maxAttempts())
                .with("leaseSeconds", queue.leaseSeconds())
                .with("timeoutSeconds", queue.timeoutSeconds())
                .with("maxRunning", queue.maxRunning())
                .with("maxDepth", queue.maxDepth())
                .with("retentionDays", queue.retentionDays())
                .with("baseSeconds", queue.retry().baseSeconds())
                .with("capSeconds", queue.retry().capSeconds())
                .with("execution", queue.execution() == null ? null : Json.lines(queue.execution()))
                .with("events", queue.events());
    }

    /// Returns the body for the API. An empty field is null, which means the default. An empty slug is derived
    /// from the name, or stays as it is.
    static Map<String, @Nullable Object> members(FilledForm form) {
        var members = form.members(form::text, "name", "slug", "description", "habitatId", "bundle", "harnessType");
        if (form.text("slug") == null) {
            members.remove("slug");
        }
        members.putAll(form.members(
                form::number,
                "maxAttempts",
                "leaseSeconds",
                "timeoutSeconds",
                "maxRunning",
                "maxDepth",
                "retentionDays"));
        members.put("retry", form.members(form::number, "baseSeconds", "capSeconds"));
        members.put("execution", form.json("execution"));
        members.put("events", form.all("events"));
        return members;
    }
}
