package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Deliveries and their attempts.
final class DeliveryRows {
    /// Attempts that are kept for each delivery.
    private static final int KEPT = 100;

    private DeliveryRows() {}

    /// Inserts new deliveries and updates the outcome of known ones.
    static void save(Tx tx, Collection<DeliveryRow> deliveries) {
        tx.laterEach("""
                INSERT INTO delivery (id, webhook_id, event_id, event_seq, type, subject, body, state, attempts, extras,
                                      is_extra, due_at, planned_at, created_at, updated_at)
                VALUES (:id, :webhookId, :eventId, :eventSeq, :type, :subject, :body, :state, :attempts, :extras,
                        :isExtra, :dueAt, :plannedAt, :createdAt, :updatedAt)
                ON CONFLICT (id) DO UPDATE
                SET state = excluded.state, attempts = excluded.attempts, extras = excluded.extras,
                    is_extra = excluded.is_extra, due_at = excluded.due_at, planned_at = excluded.planned_at,
                    updated_at = excluded.updated_at
                """, deliveries);
    }

    /// Inserts attempts. Only the latest ones of each delivery are kept.
    static void add(Tx tx, Collection<DeliveryRow.Attempt> attempts) {
        tx.laterEach("""
                INSERT INTO delivery_attempt (delivery_id, number, at, milliseconds, status, answer, error,
                                              request_headers, answer_headers, answer_bytes)
                VALUES (:deliveryId, :number, :at, :milliseconds, :status, :answer, :error,
                        :requestHeaders, :answerHeaders, :answerBytes)
                """, attempts);
        trim(tx, attempts);
    }

    /// Deletes the oldest attempts above the limit.
    private static void trim(Tx tx, Collection<DeliveryRow.Attempt> attempts) {
        record Too(UUID delivery, int last) {}
        tx.each(
                "DELETE FROM delivery_attempt WHERE delivery_id = :delivery AND number <= :last",
                attempts.stream()
                        .filter(attempt -> attempt.number() > KEPT)
                        .map(attempt -> new Too(attempt.deliveryId(), attempt.number() - KEPT))
                        .toList());
    }

    /// Returns the tests that were not sent yet, oldest first.
    static PipelineAnswer<List<DeliveryRow>> tests(Tx tx, UUID webhook, int limit) {
        return tx.soon("""
                        SELECT * FROM delivery
                        WHERE webhook_id = :webhook AND due_at IS NOT NULL AND event_seq IS NULL
                        ORDER BY due_at, id LIMIT :limit
                        """, DeliveryRow.class, "webhook", webhook, "limit", limit);
    }

    /// Returns the deliveries that wait for their next attempt, the first due first; tests are not included.
    static PipelineAnswer<List<DeliveryRow>> pending(Tx tx, UUID webhook, int limit) {
        return tx.soon("""
                        SELECT * FROM delivery
                        WHERE webhook_id = :webhook AND due_at IS NOT NULL AND event_seq IS NOT NULL
                        ORDER BY due_at, id LIMIT :limit
                        """, DeliveryRow.class, "webhook", webhook, "limit", limit);
    }

    /// Cancels all further attempts.
    static void giveUp(Tx tx, UUID webhook) {
        tx.change("""
                        UPDATE delivery
                        SET state = 'failed', due_at = NULL, is_extra = 0, planned_at = NULL, updated_at = :now
                        WHERE webhook_id = :webhook AND due_at IS NOT NULL
                        """, "webhook", webhook);
    }

    /// Returns those of these deliveries that exist, by their ids.
    static Map<UUID, DeliveryRow> byId(Tx tx, List<UUID> ids) {
        return ids.isEmpty()
                ? Map.of()
                : tx.list("SELECT * FROM delivery WHERE id IN (<ids>)", DeliveryRow.class, "ids", ids).stream()
                        .collect(Collectors.toMap(DeliveryRow::id, row -> row));
    }

    static Optional<DeliveryRow> find(Tx tx, UUID webhook, UUID id) {
        return tx.find(
                "SELECT * FROM delivery WHERE id = :id AND webhook_id = :webhook",
                DeliveryRow.class,
                "id",
                id,
                "webhook",
                webhook);
    }

    /// Lists deliveries, newest first.
    ///
    /// @param state null for any
    /// @param types null for any
    static List<DeliveryRow> list(
            Tx tx,
            UUID webhook,
            @Nullable DeliveryState state,
            @Nullable List<String> types,
            String before,
            int limit) {
        record Page(UUID webhook, String before, int limit) {}
        return tx.list(
                "SELECT * FROM delivery WHERE webhook_id = :webhook AND id < :before"
                        + (state == null ? "" : " AND state = '" + state + "'") // the same text as in the index
                        + (types == null ? "" : " AND type IN (<types>)") + " ORDER BY id DESC LIMIT :limit",
                DeliveryRow.class,
                new Page(webhook, before, limit),
                "types",
                types == null ? List.of("") : types);
    }

    /// Counts deliveries of all webhooks that wait for an attempt, up to a limit.
    static long waiting(Tx tx, int most) {
        return tx.number(
                "SELECT count(*) FROM (SELECT 1 FROM delivery WHERE due_at IS NOT NULL LIMIT :most) AS waiting",
                "most",
                most);
    }

    static List<DeliveryRow.Attempt> attempts(Tx tx, UUID delivery) {
        return tx.list(
                "SELECT * FROM delivery_attempt WHERE delivery_id = :delivery ORDER BY number",
                DeliveryRow.Attempt.class,
                "delivery",
                delivery);
    }

    /// Returns the result of the latest attempt of each of these deliveries that has one.
    static Map<UUID, DeliveryRow.Result> last(Tx tx, List<DeliveryRow> deliveries) {
        return tx
                .list(
                        """
                        SELECT its.delivery_id, its.status, its.error
                        FROM delivery_attempt AS its JOIN delivery ON delivery.id = its.delivery_id
                        WHERE delivery.id IN (<ids>) AND its.number = delivery.attempts
                        """,
                        DeliveryRow.Result.class,
                        "ids",
                        deliveries.stream().map(DeliveryRow::id).toList())
                .stream()
                .collect(Collectors.toMap(DeliveryRow.Result::deliveryId, result -> result));
    }

    /// Makes the delivery due now for an extra attempt, and remembers when the schedule continues. If one is requested
    /// or
    /// under way already, the time changes all the same, so that this request is not taken for that one.
    static void retry(Tx tx, UUID id) {
        tx.change("""
                        UPDATE delivery
                        SET state = 'pending', planned_at = CASE WHEN is_extra = 1 THEN planned_at ELSE due_at END,
                            is_extra = 1, updated_at = :now,
                            due_at = CASE WHEN is_extra = 1 THEN due_at - 1 ELSE :now END
                        WHERE id = :id
                        """, "id", id);
    }

    /// Deletes finished deliveries that were created before a moment, with their attempts.
    ///
    /// @return how many were deleted
    static int remove(Tx tx, Instant before, int limit) {
        // ids begin with the time (RFC 9562, section 5.7)
        var edge = new UUID(before.toEpochMilli() << 16, 0);
        var old = tx.list(
                "SELECT id FROM delivery WHERE id < :edge AND due_at IS NULL ORDER BY id LIMIT :limit",
                UUID.class,
                "edge",
                edge,
                "limit",
                limit);
        return remove(tx, old);
    }

    /// Deletes the deliveries of a webhook.
    ///
    /// @return how many were deleted
    static int removeAll(Tx tx, UUID webhook, int limit) {
        return remove(
                tx,
                tx.list(
                        "SELECT id FROM delivery WHERE webhook_id = :webhook ORDER BY id LIMIT :limit",
                        UUID.class,
                        "webhook",
                        webhook,
                        "limit",
                        limit));
    }

    private static int remove(Tx tx, List<UUID> ids) {
        tx.change("DELETE FROM delivery_attempt WHERE delivery_id IN (<ids>)", "ids", ids);
        tx.change("DELETE FROM delivery WHERE id IN (<ids>)", "ids", ids);
        return ids.size();
    }
}
