package dev.sheaf.server.queue;

import dev.sheaf.engine.input.JsonText;
import dev.sheaf.engine.input.RequestFields;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The settings of a queue.
///
/// @param habitatId null for the default habitat, in a request for a new queue
/// @param maxRunning null for no limit
/// @param retryBase the base of the backoff in seconds
/// @param retryCap the cap of the backoff in seconds
/// @param bundle the reference to the bundle, as it was sent
/// @param execution the output of [ExecutionFields]; null if there is none
record QueueSettings(
        String slug,
        String name,
        @Nullable String description,
        @Nullable UUID habitatId,
        int maxAttempts,
        int leaseSeconds,
        int timeoutSeconds,
        @Nullable Integer maxRunning,
        int maxDepth,
        int retryBase,
        int retryCap,
        int retentionDays,
        @Nullable String bundle,
        @Nullable String harnessType,
        @Nullable JsonText execution,
        @Nullable JobEnds events) {
    private static final int MAX_NAME = 200;
    private static final int MAX_DESCRIPTION = 2_000;
    private static final int MAX_BUNDLE = 300;
    private static final int MAX_HARNESS = 100;
    private static final int WEEK = 604_800;
    private static final int DAY = 86_400;

    /// The members that a change may have: the settings, and what else a queue shows, which is ignored.
    private static final Set<String> MEMBERS = Set.of(
            "slug",
            "name",
            "description",
            "habitatId",
            "maxAttempts",
            "leaseSeconds",
            "timeoutSeconds",
            "maxRunning",
            "maxDepth",
            "retry",
            "retentionDays",
            "bundle",
            "harnessType",
            "execution",
            "events",
            "id",
            "organizationId",
            "status",
            "activeInstruction",
            "counts",
            "oldestQueuedAt",
            "createdAt",
            "createdBy",
            "updatedAt");

    private record Retry(int base, int cap) {}

    /// Reads the settings of a new queue.
    static QueueSettings parse(RequestFields fields) {
        String name = fields.required("name", MAX_NAME);
        var retry = retry(fields, new Retry(5, 900));
        return new QueueSettings(
                QueueSlug.of(fields, name),
                name,
                fields.optional("description", MAX_DESCRIPTION),
                id(fields, "habitatId"),
                NumberBounds.of(fields, "maxAttempts", 1, 100, 3),
                NumberBounds.of(fields, "leaseSeconds", 5, 600, 45),
                NumberBounds.of(fields, "timeoutSeconds", 1, WEEK, 600),
                maxRunning(fields),
                NumberBounds.of(fields, "maxDepth", 1, 1_000_000, 100_000),
                retry.base(),
                retry.cap(),
                NumberBounds.of(fields, "retentionDays", 1, 3_650, 30),
                fields.optional("bundle", MAX_BUNDLE),
                fields.optional("harnessType", MAX_HARNESS),
                ExecutionFields.parse(fields),
                JobEnds.parse(fields));
    }

    /// Returns these settings with the changes of a merge patch (RFC 7396); a null member returns to its
    /// default. An unknown member is refused, since a misspelt limit would limit nothing.
    QueueSettings patched(RequestFields fields) {
        fields.only(MEMBERS);
        var retry =
                fields.sent("retry") ? retry(fields, new Retry(retryBase, retryCap)) : new Retry(retryBase, retryCap);
        return new QueueSettings(
                fields.sent("slug") ? fields.parsed("slug", QueueSlug::parse, slug) : slug,
                fields.sent("name") ? fields.required("name", MAX_NAME) : name,
                fields.sent("description") ? fields.optional("description", MAX_DESCRIPTION) : description,
                fields.has("habitatId") ? id(fields, "habitatId") : habitatId,
                number(fields, "maxAttempts", 1, 100, maxAttempts, 3),
                number(fields, "leaseSeconds", 5, 600, leaseSeconds, 45),
                number(fields, "timeoutSeconds", 1, WEEK, timeoutSeconds, 600),
                fields.sent("maxRunning") ? maxRunning(fields) : maxRunning,
                number(fields, "maxDepth", 1, 1_000_000, maxDepth, 100_000),
                retry.base(),
                retry.cap(),
                number(fields, "retentionDays", 1, 3_650, retentionDays, 30),
                fields.sent("bundle") ? fields.optional("bundle", MAX_BUNDLE) : bundle,
                fields.sent("harnessType") ? fields.optional("harnessType", MAX_HARNESS) : harnessType,
                fields.sent("execution") ? ExecutionFields.parse(fields) : execution,
                fields.sent("events") ? JobEnds.parse(fields) : events);
    }

    private static int number(RequestFields fields, String name, int least, int most, int before, int otherwise) {
        return fields.sent(name) ? NumberBounds.of(fields, name, least, most, otherwise) : before;
    }

    private static @Nullable Integer maxRunning(RequestFields fields) {
        return fields.has("maxRunning") ? NumberBounds.of(fields, "maxRunning", 1, 1_000_000, 1) : null;
    }

    private static Retry retry(RequestFields fields, Retry otherwise) {
        var given = fields.object("retry");
        if (given == null) {
            return new Retry(5, 900);
        }
        int base = NumberBounds.of(given, "baseSeconds", 1, DAY, otherwise.base());
        int cap = NumberBounds.of(given, "capSeconds", 1, WEEK, otherwise.cap());
        if (cap < base) {
            given.error("capSeconds", "range", "must not be less than \"baseSeconds\", which is " + base);
        }
        return new Retry(base, cap);
    }

    static @Nullable UUID id(RequestFields fields, String name) {
        return fields.optional(name, QueueSlug::parseId);
    }

    QueueSettings in(UUID habitat) {
        return new QueueSettings(
                slug,
                name,
                description,
                habitat,
                maxAttempts,
                leaseSeconds,
                timeoutSeconds,
                maxRunning,
                maxDepth,
                retryBase,
                retryCap,
                retentionDays,
                bundle,
                harnessType,
                execution,
                events);
    }
}
