package dev.sheaf.server.identity.publisher;

import dev.sheaf.engine.db.ColumnReader;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.org.TrustedPublisher;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.PublisherRecord;
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

    /// The row of a trusted publisher.
    record Row(
            UUID id,
            UUID organizationId,
            NewPublisher publisher,
            Instant createdAt,
            @Nullable String createdBy,
            @Nullable Instant lastUsedAt) {
        Row with(CredentialRestrictions bundles) {
            return new Row(id, organizationId, publisher.with(bundles), createdAt, createdBy, lastUsedAt);
        }
    }

    static UUID insert(Tx tx, UUID organization, NewPublisher publisher, String actor) {
        record Row(
                UUID id,
                UUID organizationId,
                @Nullable String rules,
                @Nullable String names,
                String actor) {}
        var row = new Row(
                TimeOrderedIds.next(tx.now()),
                organization,
                ClaimRule.encode(publisher.claims()),
                publisher.bundles().encode(),
                actor);
        tx.change("""
                INSERT INTO trusted_publisher (id, organization_id, provider, issuer, repository, repository_id,
                                               owner_id, workflow, environment, claims, bundles, created_at, created_by)
                VALUES (:id, :organizationId, :provider, :issuer, :repository, :repositoryId,
                        :ownerId, :workflow, :environment, :rules, :names, :now, :actor)
                """, row, publisher);
        return row.id();
    }

    static long count(Tx tx, UUID organization) {
        return tx.number(
                "SELECT count(*) FROM trusted_publisher WHERE organization_id = :organization",
                "organization",
                organization);
    }

    static Optional<Row> find(Tx tx, UUID organization, UUID id) {
        return tx.find(
                "SELECT * FROM trusted_publisher WHERE organization_id = :organization AND id = :id",
                PublisherRows::row,
                "organization",
                organization,
                "id",
                id);
    }

    static Optional<PublisherRecord> record(Tx tx, UUID id) {
        return tx.find("SELECT * FROM trusted_publisher WHERE id = :id", PublisherRows::row, "id", id)
                .map(row -> new PublisherRecord(
                        row.id(), row.organizationId(), row.publisher().bundles()));
    }

    static List<Row> list(Tx tx, UUID organization, String before, int limit) {
        return tx.list("""
                        SELECT * FROM trusted_publisher WHERE organization_id = :organization AND id < :before
                        ORDER BY id DESC LIMIT :limit
                        """, PublisherRows::row, "organization", organization, "before", before, "limit", limit);
    }

    /// Returns the publishers that a token of the issuer may match, oldest first.
    ///
    /// @param organization null for all organizations
    /// @param repository only publishers with this repository or without one; null for all publishers
    static List<Row> of(Tx tx, String issuer, @Nullable UUID organization, @Nullable String repository, int limit) {
        return tx.list(
                "SELECT * FROM trusted_publisher WHERE issuer = :issuer"
                        + (organization == null ? "" : " AND organization_id = :organization")
                        + (repository == null ? "" : " AND (repository = :repository OR repository IS NULL)")
                        + " ORDER BY id LIMIT :limit",
                PublisherRows::row,
                "issuer",
                issuer,
                "organization",
                organization,
                "repository",
                repository,
                "limit",
                limit);
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                ColumnReader.uuid(row, "id"),
                ColumnReader.uuid(row, "organization_id"),
                new NewPublisher(
                        WireWords.find(WorkflowProvider.class, row.getString("provider"))
                                .orElseThrow(),
                        row.getString("issuer"),
                        row.getString("repository"),
                        row.getString("repository_id"),
                        row.getString("owner_id"),
                        row.getString("workflow"),
                        row.getString("environment"),
                        ClaimRule.decode(row.getString("claims")),
                        CredentialRestrictions.decode(row.getString("bundles"))),
                ColumnReader.instant(row, "created_at"),
                row.getString("created_by"),
                ColumnReader.nullableInstant(row, "last_used_at"));
    }

    static boolean delete(Tx tx, UUID organization, UUID id) {
        return tx.change(
                        "DELETE FROM trusted_publisher WHERE organization_id = :organization AND id = :id",
                        "organization",
                        organization,
                        "id",
                        id)
                == 1;
    }

    /// Records a use. Pins the ids that are not pinned yet.
    ///
    /// @return false if the publisher was deleted, or other ids were pinned in the meantime
    static boolean used(Tx tx, UUID id, @Nullable String repositoryId, @Nullable String ownerId) {
        return tx.change("""
                                UPDATE trusted_publisher
                                SET last_used_at = :now, repository_id = coalesce(repository_id, :repository),
                                    owner_id = coalesce(owner_id, :owner)
                                WHERE id = :id AND coalesce(repository_id, :repository, '') = coalesce(:repository, '')
                                  AND coalesce(owner_id, :owner, '') = coalesce(:owner, '')
                                """, "repository", repositoryId, "owner", ownerId, "id", id) == 1;
    }

    /// @param audiences accepted values of the claim aud
    static TrustedPublisher wire(Tx tx, Row row, List<String> audiences) {
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
                audiences,
                row.createdAt(),
                row.createdBy(),
                row.lastUsedAt());
    }

    private static boolean exists(Tx tx, String bundle) {
        var name = RepositoryName.parse(bundle);
        return tx.find(
                        """
                        SELECT b.id FROM bundle b JOIN repository r ON r.id = b.repository_id
                        WHERE r.namespace = :namespace AND r.name = :name AND r.deleted_at IS NULL
                        """,
                        String.class,
                        "namespace",
                        name.namespace(),
                        "name",
                        name.bundle().value())
                .isPresent();
    }

    /// Records the use of an id_token; returns false if it was already used.
    static boolean useOnce(Tx tx, String hash, Instant until) {
        return tx.change("""
                                INSERT INTO used_id_token (hash, expires_at) VALUES (:hash, :until) ON CONFLICT DO NOTHING
                                """, "hash", hash, "until", until) == 1;
    }

    static int purge(Tx tx) {
        return tx.change("DELETE FROM used_id_token WHERE expires_at <= :now");
    }
}
