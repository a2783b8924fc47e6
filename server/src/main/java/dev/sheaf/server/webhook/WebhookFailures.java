package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The webhooks that fail now, for those who should mend them. Thread-safe.
public final class WebhookFailures {
    private static final int COUNTED = 10_000;

    private final Database database;

    public WebhookFailures(Database database) {
        this.database = database;
    }

    /// A webhook whose deliveries fail. Its address is not shown, because it may contain a secret.
    ///
    /// @param host the host of its address
    /// @param failures failed attempts since then
    public record Failing(
            UUID id,
            UUID organizationId,
            String host,
            @Nullable String description,
            Instant since,
            long failures) {}

    /// Returns webhooks of all organizations, those that fail longest first. For administrators of the
    /// installation.
    public List<Failing> ofAll(int limit) {
        return list(null, limit);
    }

    /// Returns webhooks of the caller's organization.
    ///
    /// @throws dev.sheaf.model.ProblemException forbidden for a credential that is restricted to a part of it
    public List<Failing> of(Caller.Known caller, int limit) {
        Access.whole(caller);
        return list(caller.organizationId(), limit);
    }

    private List<Failing> list(@Nullable UUID organization, int limit) {
        return database.read(tx -> WebhookRows.failing(tx, organization, limit)).stream()
                .map(row -> new Failing(
                        row.id(),
                        row.organizationId(),
                        WebhookSettings.host(row.url()),
                        row.description(),
                        row.since(),
                        row.failures()))
                .toList();
    }

    /// Counts the deliveries of all organizations that are tried again later, up to 10,000.
    public long waiting() {
        return database.read(tx -> DeliveryRows.waiting(tx, COUNTED));
    }
}
