package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

final class VersionRows {
    private static final RowMapper<VersionRow> MAPPER = ConstructorMapper.of(VersionRow.class);

    private static final String SELECT = """
            SELECT v.id, v.bundle_id, v.version, v.manifest_id, m.digest, v.state, v.size, v.published_at, v.published_by,
                   v.yanked_at, v.yanked_by, v.yank_reason, v.yank_replacement,
                   v.deprecation_message, v.deprecation_replacement
            FROM version v JOIN manifest m ON m.id = v.manifest_id
            WHERE v.bundle_id = :bundle
            """;

    private VersionRows() {}

    static UUID insert(Tx tx, UUID bundleId, Version version, long manifestId, long size, String actor) {
        UUID id = Ids.next(tx.now());
        tx.handle()
                .createUpdate("""
                        INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,
                                             published_at, published_by)
                        VALUES (:id, :bundle, :version, :precedence, :key, :stable, :manifest, 'published', :size,
                                :now, :actor)
                        """)
                .bind("id", id)
                .bind("bundle", bundleId)
                .bind("version", version)
                .bind("precedence", version.precedence())
                .bind("key", version.sortKey())
                .bind("stable", version.isPrerelease() ? 0 : 1)
                .bind("manifest", manifestId)
                .bind("size", size)
                .bind("now", tx.now())
                .bind("actor", actor)
                .execute();
        return id;
    }

    /// The version of that precedence: there is one at most, whatever its build metadata.
    static Optional<VersionRow> find(Tx tx, UUID bundleId, Version version) {
        return tx.handle()
                .createQuery(SELECT + " AND v.precedence = :precedence")
                .bind("bundle", bundleId)
                .bind("precedence", version.precedence())
                .map(MAPPER)
                .findOne();
    }

    /// The newest of the versions that have this manifest.
    static Optional<VersionRow> find(Tx tx, UUID bundleId, Digest digest) {
        return tx.handle()
                .createQuery(SELECT + " AND m.digest = :digest ORDER BY v.sort_key DESC LIMIT 1")
                .bind("bundle", bundleId)
                .bind("digest", digest)
                .map(MAPPER)
                .findOne();
    }

    /// The newest of the versions whose manifest this is.
    static Optional<VersionRow> findByManifest(Tx tx, UUID bundleId, long manifestId) {
        return tx.handle()
                .createQuery(SELECT + " AND v.manifest_id = :manifest ORDER BY v.sort_key DESC LIMIT 1")
                .bind("bundle", bundleId)
                .bind("manifest", manifestId)
                .map(MAPPER)
                .findOne();
    }

    /// The newest of the versions of the repository whose manifest this is.
    static Optional<Version> ofManifest(Tx tx, long manifestId) {
        return tx.handle()
                .createQuery("SELECT version FROM version WHERE manifest_id = :manifest ORDER BY sort_key DESC LIMIT 1")
                .bind("manifest", manifestId)
                .mapTo(Version.class)
                .findOne();
    }

    /// What `latest` means: the highest stable version that is not yanked, or the highest prerelease if none is
    /// stable.
    static Optional<VersionRow> latest(Tx tx, UUID bundleId) {
        return tx.handle()
                .createQuery(SELECT + " AND v.state = 'published' ORDER BY v.stable DESC, v.sort_key DESC LIMIT 1")
                .bind("bundle", bundleId)
                .map(MAPPER)
                .findOne();
    }

    /// Newest first by SemVer precedence, those below the sort key `below`.
    static List<VersionRow> list(Tx tx, UUID bundleId, @Nullable String below, int limit) {
        return tx.handle()
                .createQuery(SELECT + " AND v.sort_key < :below ORDER BY v.sort_key DESC LIMIT :limit")
                .bind("bundle", bundleId)
                .bind("below", below == null ? "~" : below)
                .bind("limit", limit)
                .map(MAPPER)
                .list();
    }

    /// The texts of all versions that can be chosen by a range, newest first.
    static List<Version> published(Tx tx, UUID bundleId) {
        return tx.handle()
                .createQuery("""
                        SELECT version FROM version WHERE bundle_id = :bundle AND state = 'published'
                        ORDER BY sort_key DESC
                        """)
                .bind("bundle", bundleId)
                .mapTo(Version.class)
                .list();
    }

    static int count(Tx tx, UUID bundleId) {
        return tx.handle()
                .createQuery("SELECT count(*) FROM version WHERE bundle_id = :bundle")
                .bind("bundle", bundleId)
                .mapTo(Integer.class)
                .one();
    }
}
