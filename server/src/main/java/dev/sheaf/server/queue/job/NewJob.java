package dev.sheaf.server.queue.job;

import dev.sheaf.engine.input.JsonText;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.server.queue.NumberBounds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request to enqueue a job.
///
/// @param notBefore null for now
/// @param maxAttempts null for the setting of the queue
public record NewJob(
        String jobType,
        JobPriority priority,
        @Nullable Instant notBefore,
        @Nullable Duration delay,
        @Nullable Integer maxAttempts,
        @Nullable String bundle,
        @Nullable String dedupeKey,
        @Nullable String concurrencyKey,
        Content content,
        @Nullable UUID routeId) {
    /// The limit of jobs in one request.
    public static final int AT_ONCE = 100;
    /// The limit of input and of data, in bytes of JSON each.
    public static final int MAX_DATA = 256 << 10;

    private static final List<String> MEMBERS = List.of(
            "jobType",
            "priority",
            "notBefore",
            "delaySeconds",
            "maxAttempts",
            "bundle",
            "dedupeKey",
            "concurrencyKey",
            "inputData",
            "data",
            "ceType",
            "ceSource",
            "ceSubject");

    static final int MAX_NAME = 200;
    private static final int MAX_BUNDLE = 300;
    private static final int MAX_SOURCE = 1_000;
    private static final int MAX_DELAY = 366 * 86_400;

    /// The content of a job.
    ///
    /// @param output the result that its worker reported; null before that
    public record Content(
            @Nullable JsonText input,
            @Nullable JsonText output,
            @Nullable JsonText data,
            @Nullable String ceType,
            @Nullable String ceSource,
            @Nullable String ceSubject) {
        /// Returns the same content with the result that the worker reported.
        Content with(@Nullable JsonText reported) {
            return new Content(input, reported, data, ceType, ceSource, ceSubject);
        }

        /// Returns the total length of its JSON texts.
        public long length() {
            return Stream.of(Optional.ofNullable(input), Optional.ofNullable(output), Optional.ofNullable(data))
                    .flatMap(Optional::stream)
                    .mapToLong(json -> json.text().length())
                    .sum();
        }
    }

    /// Reads one job, or the jobs in the member `jobs`.
    public static List<NewJob> parseAll(RequestFields fields) {
        var own = parse(fields); // also reports errors of these members in a batch
        if (!isBatch(fields)) {
            return List.of(own);
        }
        var jobs = fields.objects("jobs", AT_ONCE).stream().map(NewJob::parse).toList();
        MEMBERS.stream()
                .filter(fields::has)
                .findFirst()
                .ifPresent(
                        member -> fields.error("jobs", "conflict", "cannot be sent together with \"" + member + "\""));
        return jobs;
    }

    /// Returns whether a request contains a list of jobs.
    public static boolean isBatch(RequestFields fields) {
        return fields.has("jobs");
    }

    static NewJob parse(RequestFields fields) {
        var notBefore = fields.optional("notBefore", WireTimestamps::parse);
        var job = new NewJob(
                name(fields, "jobType", "default"),
                fields.parsedOr("priority", JobPriority::parse, JobPriority.NORMAL),
                notBefore,
                fields.has("delaySeconds")
                        ? Duration.ofSeconds(NumberBounds.of(fields, "delaySeconds", 0, MAX_DELAY, 0))
                        : null,
                fields.has("maxAttempts") ? NumberBounds.of(fields, "maxAttempts", 1, 100, 1) : null,
                fields.optional("bundle", MAX_BUNDLE),
                key(fields, "dedupeKey"),
                key(fields, "concurrencyKey"),
                content(fields),
                null);
        if (fields.has("notBefore") && fields.has("delaySeconds")) {
            fields.error("delaySeconds", "conflict", "cannot be sent together with \"notBefore\"");
        }
        return job;
    }

    private static String name(RequestFields fields, String member, String otherwise) {
        return fields.has(member) ? fields.required(member, MAX_NAME) : otherwise;
    }

    private static @Nullable String key(RequestFields fields, String member) {
        return fields.has(member) ? fields.required(member, MAX_NAME) : null;
    }

    private static Content content(RequestFields fields) {
        return new Content(
                fields.json("inputData", MAX_DATA),
                null,
                fields.json("data", MAX_DATA),
                fields.optional("ceType", MAX_NAME),
                fields.optional("ceSource", MAX_SOURCE),
                fields.optional("ceSubject", MAX_SOURCE));
    }

    /// Returns when the job is due.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed if the time is too far in the future
    Instant due(Instant now) {
        if (delay != null) {
            return now.plus(delay);
        }
        if (notBefore == null || notBefore.isBefore(now)) {
            return now;
        }
        if (notBefore.isAfter(now.plusSeconds(MAX_DELAY))) {
            var error = new Problem.FieldError("/notBefore", "range", "\"notBefore\" is more than a year away");
            throw new Problem.ValidationFailed(List.of(error)).raise();
        }
        return notBefore;
    }
}
