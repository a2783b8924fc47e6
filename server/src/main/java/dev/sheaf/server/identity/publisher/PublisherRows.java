package dev.sheaf.server.identity.publisher;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.TrustedPublisher;
import dev.sheaf.server.auth.PublisherRecord;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class PublisherRows {
    private PublisherRows() {}

    /// A trusted publisher as its row says.
    record Row(
            UUID id,
            UUID organizationId,
            NewPublisher publisher,
            Instant createdAt,
            @Nullable String createdBy,
            @Nullable Instant lastUsedAt) {
        Row with(Restrictions bundles) {
            return new Row(id, organizationId, publisher.with(bundles), createdAt, createdBy, lastUsedAt);
        }
    }

    static UUID insert(Tx tx, UUID organization, NewPublisher publisher, String actor) {
        UUID id = Ids.next(tx.now());
        tx.handle()
                .createUpdate("""
                        INSERT INTO trusted_publisher (id, organization_id, provider, issuer, repository, repository_id,
                                                       owner_id, workflow, environment, claims, bundles, created_at,
                                                       created_by)
                        VALUES (:id, :organization, :provider, :issuer, :repository, :repositoryId,
                                :ownerId, :workflow, :environment, :claims, :bundles, :now, :actor)
                        """)
                .bind("id", id)
                .bind("organization", organization)
                .bind("provider", publisher.provider().toString())
                .bind("issuer", publisher.issuer())
                .bind("repository", publisher.repository())
                .bind("repositoryId", publisher.repositoryId())
                .bind("ownerId", publisher.ownerId())
                .bind("workflow", publisher.workflow())
                .bind("environment", publisher.environment())
                .bind("claims", ClaimRule.encode(publisher.claims()))
                .bind("bundles", publisher.bundles().encode())
                .bind("now", tx.now())
                .bind("actor", actor)
                .execute();
        return id;
    }

    static long count(Tx tx, UUID organization) {
        return tx.handle()
                .createQuery("SELECT count(*) FROM trusted_publisher WHERE organization_id = :organization")
                .bind("organization", organization)
                .mapTo(Long.class)
                .one();
    }

    static Optional<Row> find(Tx tx, UUID organization, UUID id) {
        return tx.handle()
                .createQuery("SELECT * FROM trusted_publisher WHERE organization_id = :organization AND id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .map((row, context) -> row(row))
                .findOne();
    }

    static Optional<PublisherRecord> record(Tx tx, UUID id) {
        return tx.handle()
                .createQuery("SELECT * FROM trusted_publisher WHERE id = :id")
                .bind("id", id)
                .map((row, context) -> row(row))
                .findOne()
                .map(row -> new PublisherRecord(
                        row.id(), row.organizationId(), row.publisher().bundles()));
    }

    static List<Row> list(Tx tx, UUID organization, String before, int limit) {
        return tx.handle()
                .createQuery("""
                        SELECT * FROM trusted_publisher WHERE organization_id = :organization AND id < :before
                        ORDER BY id DESC LIMIT :limit
                        """)
                .bind("organization", organization)
                .bind("before", before)
                .bind("limit", limit)
                .map((row, context) -> row(row))
                .list();
    }

    /// Those that a token of the issuer may be for, oldest first.
    ///
    /// @param organization null: of all
    /// @param repository null: those without one, or of any where `organization` is named
    static List<Row> of(Tx tx, String issuer, @Nullable UUID organization, @Nullable String repository, int limit) {
        return tx.handle()
                .createQuery("SELECT * FROM trusted_publisher WHERE issuer = :issuer"
                        + (organization == null ? "" : " AND organization_id = :organization")
                        + (repository == null ? "" : " AND (repository = :repository OR repository IS NULL)")
                        + " ORDER BY id LIMIT :limit")
                .bind("issuer", issuer)
                .bind("organization", organization)
                .bind("repository", repository)
                .bind("limit", limit)
                .map((row, context) -> row(row))
                .list();
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                Columns.uuid(row, "id"),
                Columns.uuid(row, "organization_id"),
                new NewPublisher(
                        Provider.find(row.getString("provider")).orElseThrow(),
                        row.getString("issuer"),
                        row.getString("repository"),
                        row.getString("repository_id"),
                        row.getString("owner_id"),
                        row.getString("workflow"),
                        row.getString("environment"),
                        ClaimRule.decode(row.getString("claims")),
                        Restrictions.decode(row.getString("bundles"))),
                Columns.instant(row, "created_at"),
                row.getString("created_by"),
                Columns.nullableInstant(row, "last_used_at"));
    }

    static boolean delete(Tx tx, UUID organization, UUID id) {
        return tx.handle()
                        .createUpdate(
                                "DELETE FROM trusted_publisher WHERE organization_id = :organization AND id = :id")
                        .bind("organization", organization)
                        .bind("id", id)
                        .execute()
                == 1;
    }

    /// Notes a use, which pins the ids where none are pinned yet.
    ///
    /// @return false where it is gone, or others were pinned meanwhile
    static boolean used(Tx tx, UUID id, @Nullable String repositoryId, @Nullable String ownerId) {
        return tx.handle()
                        .createUpdate("""
                                UPDATE trusted_publisher
                                SET last_used_at = :now, repository_id = coalesce(repository_id, :repository),
                                    owner_id = coalesce(owner_id, :owner)
                                WHERE id = :id AND coalesce(repository_id, :repository, '') = coalesce(:repository, '')
                                  AND coalesce(owner_id, :owner, '') = coalesce(:owner, '')
                                """)
                        .bind("now", tx.now())
                        .bind("repository", repositoryId)
                        .bind("owner", ownerId)
                        .bind("id", id)
                        .execute()
                == 1;
    }

    static TrustedPublisher wire(Tx tx, Row row) {
        var publisher = row.publisher();
        var bundles = Objects.requireNonNull(
                Objects.requireNonNull(publisher.bundles().toWire()).bundles());
        var pending = bundles.stream()
                .filter(name -> !name.endsWith("*") && !exists(tx, name))
                .toList();
        return new TrustedPublisher(
                row.id(),
                row.organizationId(),
                publisher.provider().toString(),
                publisher.issuer(),
                publisher.repository(),
                publisher.repositoryId(),
                publisher.ownerId(),
                publisher.workflow(),
                publisher.environment(),
                publisher.claims().stream().map(ClaimRule::toWire).toList(),
                bundles,
                pending,
                pending.size() == bundles.size() ? "pending" : "active",
                row.createdAt(),
                row.createdBy(),
                row.lastUsedAt());
    }

    private static boolean exists(Tx tx, String bundle) {
        var name = RepositoryName.parse(bundle);
        return tx.handle()
                .createQuery("""
                        SELECT b.id FROM bundle b JOIN repository r ON r.id = b.repository_id
                        WHERE r.namespace = :namespace AND r.name = :name AND r.deleted_at IS NULL
                        """)
                .bind("namespace", name.namespace())
                .bind("name", name.bundle().value())
                .mapTo(String.class)
                .findOne()
                .isPresent();
    }

    /// Remembers that an id_token was used; false where it was before.
    static boolean useOnce(Tx tx, String hash, Instant until) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO used_id_token (hash, expires_at) VALUES (:hash, :until) ON CONFLICT DO NOTHING
                                """)
                        .bind("hash", hash)
                        .bind("until", until)
                        .execute()
                == 1;
    }

    static int purge(Tx tx) {
        return tx.handle()
                .createUpdate("DELETE FROM used_id_token WHERE expires_at <= :now")
                .bind("now", tx.now())
                .execute();
    }
}
