package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.event.FeedWaking;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Webhooks and their progress.
final class WebhookRows {
    private static final String SELECT =
            "SELECT * FROM webhook JOIN webhook_progress ON webhook_id = id WHERE organization_id = :organization";

    private WebhookRows() {}

    static void insert(Tx tx, WebhookRow row) {
        tx.change("""
                INSERT INTO webhook (id, organization_id, url, description, headers, rate, types, restrictions, disabled,
                                     disabled_at, secret, old_secret, old_until, created_at, created_by, updated_at)
                VALUES (:id, :organizationId, :url, :description, :headers, :rate, :types, :restrictions, :disabled,
                        :disabledAt, :secret, :oldSecret, :oldUntil, :createdAt, :createdBy, :updatedAt)
                """, row);
        tx.change("""
                INSERT INTO webhook_progress (webhook_id, seq, failures) VALUES (:id, :seq, 0)
                """, "id", row.id(), "seq", row.progress().seq());
    }

    static long count(Tx tx, UUID organization) {
        return tx.number(
                "SELECT count(*) FROM webhook WHERE organization_id = :organization", "organization", organization);
    }

    static Optional<WebhookRow> find(Tx tx, UUID organization, UUID id) {
        return tx.find(SELECT + " AND id = :id", WebhookRow.class, "organization", organization, "id", id);
    }

    /// Reads a webhook and locks it until the transaction ends.
    static Optional<WebhookRow> lock(Tx tx, UUID organization, UUID id) {
        return tx.find(
                SELECT + " AND id = :id" + tx.dialect().forUpdate(),
                WebhookRow.class,
                "organization",
                organization,
                "id",
                id);
    }

    /// Lists webhooks, newest first.
    static List<WebhookRow> list(Tx tx, UUID organization, String before, int limit) {
        return tx.list(
                SELECT + " AND id < :before ORDER BY id DESC LIMIT :limit",
                WebhookRow.class,
                "organization",
                organization,
                "before",
                before,
                "limit",
                limit);
    }

    /// Returns the enabled webhooks of an organization.
    static List<UUID> enabled(Tx tx, UUID organization) {
        return tx.list(
                "SELECT id FROM webhook WHERE organization_id = :organization AND disabled IS NULL",
                UUID.class,
                "organization",
                organization);
    }

    /// Returns the organizations that have enabled webhooks.
    static List<UUID> organizations(Tx tx) {
        return tx.list("SELECT DISTINCT organization_id FROM webhook WHERE disabled IS NULL", UUID.class);
    }

    /// Returns all enabled webhooks.
    static List<FeedWaking.Following> enabled(Tx tx) {
        return tx.list("""
                SELECT id, organization_id, seq,
                       replay_end IS NOT NULL OR EXISTS (
                           SELECT 1 FROM delivery WHERE webhook_id = webhook.id AND due_at IS NOT NULL) AS owed
                FROM webhook JOIN webhook_progress ON webhook_id = webhook.id WHERE disabled IS NULL
                """, FeedWaking.Following.class);
    }

    /// A webhook whose deliveries fail.
    record Failing(
            UUID id,
            UUID organizationId,
            String url,
            @Nullable String description,
            Instant since,
            long failures) {}

    /// Returns enabled webhooks that fail, those that fail longest first.
    ///
    /// @param organization null for all organizations
    static List<Failing> failing(Tx tx, @Nullable UUID organization, int limit) {
        return tx.list(
                """
                SELECT id, organization_id, url, description, failing_since AS since, failures
                FROM webhook JOIN webhook_progress ON webhook_id = id
                WHERE failing_since IS NOT NULL AND disabled IS NULL
                """ + (organization == null ? "" : " AND organization_id = :organization") + """
                 ORDER BY failing_since, id LIMIT :limit
                """,
                Failing.class,
                "organization",
                organization,
                "limit",
                limit);
    }

    static void update(Tx tx, WebhookRow row) {
        tx.change("""
                UPDATE webhook
                SET url = :url, description = :description, headers = :headers, rate = :rate, types = :types,
                    restrictions = :restrictions, disabled = :disabled, disabled_at = :disabledAt,
                    updated_at = :updatedAt
                WHERE id = :id
                """, row);
    }

    static void rotate(Tx tx, UUID id, String secret, @Nullable String old, @Nullable Instant oldUntil) {
        tx.change("""
                        UPDATE webhook SET secret = :secret, old_secret = :old, old_until = :until, updated_at = :now
                        WHERE id = :id
                        """, "secret", secret, "old", old, "until", oldUntil, "id", id);
    }

    static void disable(Tx tx, UUID id, DisabledReason reason) {
        tx.change("""
                        UPDATE webhook SET disabled = :reason, disabled_at = :now, updated_at = :now
                        WHERE id = :id AND disabled IS NULL
                        """, "reason", reason, "id", id);
    }

    /// Stores the progress of a webhook that is locked.
    static void progress(Tx tx, UUID id, WebhookProgress progress) {
        tx.later("""
                        UPDATE webhook_progress
                        SET seq = :seq, failing_since = :failingSince, failures = :failures, paused_until = :pausedUntil,
                            replay_seq = :replaySeq, replay_end = :replayEnd
                        WHERE webhook_id = :id
                        """, progress, "id", id);
    }

    /// Allows an attempt at once, however often it has failed.
    static void unpause(Tx tx, UUID id) {
        tx.change("UPDATE webhook_progress SET paused_until = NULL WHERE webhook_id = :id", "id", id);
    }

    static boolean delete(Tx tx, UUID organization, UUID id) {
        return tx.change(
                        "DELETE FROM webhook WHERE organization_id = :organization AND id = :id",
                        "organization",
                        organization,
                        "id",
                        id)
                == 1;
    }
}
