package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueSlug;
import dev.sheaf.server.queue.QueueStatus;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.QueueDeletion;
import dev.sheaf.server.queue.job.QueueStatistics;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/// Lists, creates, changes and deletes queues.
public final class QueuesApi {
    static final String ALL = "/v1/organizations/{org_id}/queues";
    static final String ONE = ALL + "/{queue_id}";

    private static final Duration LONGEST_WINDOW = Duration.ofDays(31);

    private final Queues queues;
    private final QueueDeletion deletion;
    private final QueueStatistics statistics;

    public QueuesApi(Queues queues, QueueDeletion deletion, QueueStatistics statistics) {
        this.queues = queues;
        this.deletion = deletion;
        this.statistics = statistics;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, ALL, RoutePermission.READ, this::list),
                new Route(POST, ALL, RoutePermission.WRITE, this::create),
                new Route(GET, ONE, RoutePermission.READ, this::get),
                new Route(PATCH, ONE, RoutePermission.WRITE, this::edit),
                new Route(DELETE, ONE, RoutePermission.WRITE, this::delete),
                new Route(POST, ONE + ":pause", RoutePermission.WRITE, call -> turn(call, QueueStatus.PAUSED)),
                new Route(POST, ONE + ":resume", RoutePermission.WRITE, call -> turn(call, QueueStatus.ACTIVE)),
                new Route(POST, ONE + ":archive", RoutePermission.WRITE, call -> turn(call, QueueStatus.ARCHIVED)),
                new Route(GET, ONE + "/stats", RoutePermission.READ, this::stats));
    }

    /// Returns the queue that the path names.
    static QueueRow queue(Call call, Queues queues) {
        return queues.find(call.origin().caller(), place(call));
    }

    private static String place(Call call) {
        return call.parameter("queue_id");
    }

    private Answer list(Call call) {
        var status = call.query("status", QueueStatus::parse).orElse(null);
        var habitat = call.query("habitatId", QueuesApi::id).orElse(null);
        var text = call.query("q", JobList::text).orElse(null);
        return PageRequest.of(call, "status", "habitatId", "q")
                .show(
                        (after, limit) -> queues.list(call.origin().caller(), status, habitat, text, after, limit),
                        Queue::id);
    }

    static UUID id(String text) {
        return QueueSlug.parseId(text);
    }

    private Answer create(Call call) {
        var created = queues.create(call.origin(), call.json());
        return Answer.created(call.rawPath() + "/" + created.id(), created);
    }

    /// The ETag does not cover the members that jobs change, because they change between a client's read and its
    /// If-Match.
    private static Answer shown(Queue queue) {
        return Answer.ok(queue).with("ETag", etag(queue));
    }

    private static String etag(Queue queue) {
        return ConditionalWrite.etag(queue.settings());
    }

    private static Consumer<Queue> unchanged(Call call) {
        return queue -> ConditionalWrite.checkTags(call, List.of(etag(queue)));
    }

    private Answer get(Call call) {
        return shown(queues.get(call.origin().caller(), place(call)));
    }

    private Answer edit(Call call) {
        var patch = call.json();
        return shown(queues.edit(call.origin(), place(call), patch, unchanged(call)));
    }

    private Answer delete(Call call) {
        boolean force = call.query("force", QueuesApi::flag).orElse(false);
        deletion.delete(call.origin(), place(call), force, unchanged(call));
        return Answer.empty(204);
    }

    static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw Problem.invalid("format", "must be true or false");
        }
        return text.equals("true");
    }

    private Answer turn(Call call, QueueStatus status) {
        return shown(queues.turn(call.origin(), place(call), status));
    }

    private Answer stats(Call call) {
        var window = call.query("window", QueuesApi::window).orElse(Duration.ofHours(1));
        return Answer.ok(statistics.of(queue(call, queues), window));
    }

    private static Duration window(String text) {
        try {
            var window = Duration.parse(text);
            if (window.toSeconds() >= 1 && window.compareTo(LONGEST_WINDOW) <= 0) {
                return window;
            }
        } catch (DateTimeParseException | ArithmeticException e) {
            // reported by the message below
        }
        throw Problem.invalid("format", "must be a duration of 1 second to 31 days, such as PT1H or P7D (ISO 8601)");
    }
}
