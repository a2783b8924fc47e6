package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.org.quota.Amounts;
import dev.sheaf.server.org.quota.Usage;
import dev.sheaf.server.registry.content.StoredManifest;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class VersionRows {
    private static final String FROM = """
            SELECT v.id, v.bundle_id, v.version, v.manifest_id, m.digest, v.state, v.size, v.published_at, v.published_by,
                   v.yanked_at, v.yanked_by, v.yank_reason, v.yank_reason_code, v.yank_replacement,
                   v.deprecation_message, v.deprecation_replacement
            FROM version v JOIN manifest m ON m.id = v.manifest_id
            """;

    private static final String SELECT = FROM + " WHERE v.bundle_id = :bundle";

    private static final String YANKED_AT = """
             (v.state = 'yanked' AND v.yanked_at <= :at OR EXISTS (
                SELECT 1 FROM past_yank y
                WHERE y.version_id = v.id AND y.yanked_at <= :at AND y.unyanked_at > :at))
            """;

    /// Versions that are not yanked come before those that are: by the alphabet, `published` is before `yanked`.
    private static final String BEST_FIRST = " ORDER BY v.state, v.sort_key DESC";

    private static final String BEST_LAST = " ORDER BY v.state DESC, v.sort_key";

    private VersionRows() {}

    public static VersionRow insert(
            Tx tx, Snapshot bundle, Version version, StoredManifest manifest, long size, String actor) {
        record Order(String precedence, String key, boolean stable) {}
        var row = VersionRow.published(
                Ids.next(tx.now()), bundle.bundle().id(), version, manifest, size, tx.now(), actor);
        tx.change("""
                INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,
                                     published_at, published_by)
                VALUES (:id, :bundleId, :version, :precedence, :key, :stable, :manifestId, :state, :size,
                        :publishedAt, :publishedBy)
                """, row, new Order(version.precedence(), version.sortKey(), !version.isPrerelease()));
        Usage.add(tx, bundle.repository().id(), Amounts.ONE_VERSION);
        return row;
    }

    /// The version of that precedence: there is one at most, whatever its build metadata.
    public static Optional<VersionRow> find(Tx tx, UUID bundleId, Version version) {
        return one(tx, bundleId, " AND v.precedence = :value", version.precedence());
    }

    /// @param which of the bundle's versions, by `:value`
    private static Optional<VersionRow> one(Tx tx, UUID bundleId, String which, Object value) {
        return tx.find(SELECT + which, VersionRow.class, "bundle", bundleId, "value", value);
    }

    /// The version that this names: asked for without build metadata it is found whatever its build; with it, it
    /// must be the same.
    public static Optional<VersionRow> exact(Tx tx, UUID bundleId, Version asked) {
        return find(tx, bundleId, asked).filter(row -> asked.build().isEmpty() || asked.equals(row.version()));
    }

    /// The newest of the versions that have this manifest, one that is not yanked before all others.
    public static Optional<VersionRow> find(Tx tx, UUID bundleId, Digest digest) {
        return tx.find(FROM + """
                        WHERE m.repository_id = (SELECT b.repository_id FROM bundle b WHERE b.id = :bundle)
                          AND m.digest = :digest
                        """ + BEST_FIRST + " LIMIT 1", VersionRow.class, "bundle", bundleId, "digest", digest);
    }

    /// The newest of the versions whose manifest this is, one that is not yanked before all others.
    public static Optional<VersionRow> findByManifest(Tx tx, UUID bundleId, long manifestId) {
        return one(tx, bundleId, " AND v.manifest_id = :value" + BEST_FIRST + " LIMIT 1", manifestId);
    }

    /// The versions whose manifest this is and that are not yanked, newest first.
    public static List<VersionRow> published(Tx tx, UUID bundleId, long manifestId) {
        String which = " AND v.manifest_id = :manifest AND v.state = 'published' ORDER BY v.sort_key DESC";
        return tx.list(SELECT + which, VersionRow.class, "bundle", bundleId, "manifest", manifestId);
    }

    /// The newest of the versions of the repository whose manifest this is.
    public static Optional<Version> ofManifest(Tx tx, long manifestId) {
        String sql = "SELECT version FROM version WHERE manifest_id = :manifest ORDER BY sort_key DESC LIMIT 1";
        return tx.find(sql, Version.class, "manifest", manifestId);
    }

    /// The versions behind some manifests; of several with the same one, as [#findByManifest].
    public static Map<Digest, Version> named(Tx tx, long repositoryId, Collection<Digest> digests) {
        record Named(Digest digest, Version version) {}
        var names = new HashMap<Digest, Version>();
        if (!digests.isEmpty()) {
            tx.list("""
                            SELECT m.digest, v.version FROM manifest m JOIN version v ON v.manifest_id = m.id
                            WHERE m.repository_id = :repository AND m.digest IN (<digests>)
                            """ + BEST_LAST, Named.class, "repository", repositoryId, "digests", digests)
                    .forEach(row -> names.put(row.digest(), row.version()));
        }
        return names;
    }

    /// The versions behind a page of tags, which are chosen as the registry chooses them, by the ids of their
    /// manifests; of several with the same one, as [#findByManifest].
    public static Map<Long, Version> ofTags(Tx tx, long repositoryId, String after, int limit) {
        record Named(long manifestId, Version version) {}
        var names = new HashMap<Long, Version>();
        tx.list("""
                        SELECT v.manifest_id, v.version FROM version v WHERE v.manifest_id IN
                            (SELECT t.manifest_id FROM tag t
                             WHERE t.repository_id = :repository AND t.name > :after AND t.kind <> 'version'
                             ORDER BY t.name LIMIT :limit)
                        """ + BEST_LAST, Named.class, "repository", repositoryId, "after", after, "limit", limit)
                .forEach(row -> names.put(row.manifestId(), row.version()));
        return names;
    }

    /// What `latest` means: the highest stable version that is not yanked, or the highest prerelease if none is
    /// stable.
    public static Optional<VersionRow> latest(Tx tx, UUID bundleId) {
        String which = " AND v.state = 'published' ORDER BY v.stable DESC, v.sort_key DESC LIMIT 1";
        return tx.find(SELECT + which, VersionRow.class, "bundle", bundleId);
    }

    /// Where a tag goes whose version is yanked: to the highest version below it that is not, and that is stable if
    /// the yanked one is.
    public static Optional<VersionRow> successor(Tx tx, VersionRow yanked) {
        String which = " AND v.state = 'published' AND v.sort_key < :key AND v.stable >= :stable"
                + " ORDER BY v.sort_key DESC LIMIT 1";
        var version = yanked.version();
        boolean stable = !version.isPrerelease();
        return tx.find(
                SELECT + which,
                VersionRow.class,
                "bundle",
                yanked.bundleId(),
                "key",
                version.sortKey(),
                "stable",
                stable);
    }

    public static void yank(Tx tx, UUID id, Yank yank, String actor) {
        tx.change("""
                        UPDATE version SET state = 'yanked', yanked_at = :now, yanked_by = :actor, yank_reason = :reason,
                                           yank_reason_code = :code, yank_replacement = :replacement
                        WHERE id = :id
                        """, yank, "id", id, "actor", actor);
    }

    /// Takes a yank back, and remembers from when till when it held.
    public static void unyank(Tx tx, UUID id) {
        tx.change("""
                        INSERT INTO past_yank (version_id, yanked_at, unyanked_at)
                        SELECT id, yanked_at, :now FROM version WHERE id = :id AND yanked_at IS NOT NULL
                        """, "id", id);
        tx.change("""
                        UPDATE version SET state = 'published', yanked_at = NULL, yanked_by = NULL, yank_reason = NULL,
                                           yank_reason_code = NULL, yank_replacement = NULL
                        WHERE id = :id
                        """, "id", id);
    }

    /// @param advice null: not deprecated any more
    public static void deprecate(Tx tx, UUID id, @Nullable Deprecation advice) {
        String message = advice == null ? null : advice.message();
        String other = advice == null ? null : advice.replacement();
        tx.change("""
                        UPDATE version SET deprecation_message = :message, deprecation_replacement = :other WHERE id = :id
                        """, "id", id, "message", message, "other", other);
    }

    /// Newest first by SemVer precedence, those below the sort key `below`.
    public static List<VersionRow> list(Tx tx, UUID bundleId, @Nullable String below, int limit) {
        String which = " AND v.sort_key < :below ORDER BY v.sort_key DESC LIMIT :limit";
        String from = below == null ? "~" : below;
        return tx.list(SELECT + which, VersionRow.class, "bundle", bundleId, "below", from, "limit", limit);
    }

    /// The newest versions that can be chosen by a range, newest first.
    public static List<Version> newest(Tx tx, UUID bundleId, int limit) {
        return tx.list("""
                        SELECT version FROM version WHERE bundle_id = :bundle AND state = 'published'
                        ORDER BY sort_key DESC LIMIT :limit
                        """, Version.class, "bundle", bundleId, "limit", limit);
    }

    /// All versions that can be chosen by a range, newest first.
    public static List<Version> published(Tx tx, UUID bundleId) {
        return newest(tx, bundleId, Integer.MAX_VALUE);
    }

    public static boolean hasAny(Tx tx, UUID bundleId) {
        return tx.has("SELECT 1 FROM version WHERE bundle_id = :bundle LIMIT 1", "bundle", bundleId);
    }

    public static List<UUID> ids(Tx tx, UUID bundleId) {
        return tx.list("SELECT id FROM version WHERE bundle_id = :bundle", UUID.class, "bundle", bundleId);
    }

    /// Deletes a row with its assets and notes; its tombstone is somebody else's.
    public static void delete(Tx tx, Snapshot bundle, UUID id) {
        tx.change("DELETE FROM version WHERE id = :id", "id", id);
        Usage.add(tx, bundle.repository().id(), new Amounts(0, 0, -1));
    }

    /// The texts of the versions published by a moment that were not yanked at another, newest first.
    public static List<Version> publishedAt(Tx tx, UUID bundleId, Instant publishedUntil, Instant at) {
        String sql = "SELECT version FROM version v WHERE bundle_id = :bundle AND published_at <= :until AND NOT"
                + YANKED_AT + " ORDER BY sort_key DESC";
        return tx.list(sql, Version.class, "bundle", bundleId, "until", publishedUntil, "at", at);
    }

    public static boolean wasYanked(Tx tx, UUID id, Instant at) {
        return tx.has("SELECT 1 FROM version v WHERE id = :id AND" + YANKED_AT, "id", id, "at", at);
    }

    /// By the time of publishing, the newest first, those before the one with the id `before`: ids grow with time.
    static List<VersionRow> listByTime(Tx tx, UUID bundleId, @Nullable String before, int limit) {
        String which = " AND v.id < :before ORDER BY v.id DESC LIMIT :limit";
        String from = before == null ? Ids.END : before;
        return tx.list(SELECT + which, VersionRow.class, "bundle", bundleId, "before", from, "limit", limit);
    }

    /// What there is to know of a version among many.
    public record Glance(UUID id, Version version, long manifestId, VersionRow.State state) {
        public boolean isYanked() {
            return state == VersionRow.State.YANKED;
        }
    }

    /// All versions in the order of publishing.
    public static List<Glance> inOrder(Tx tx, UUID bundleId) {
        return tx.list("""
                        SELECT id, version, manifest_id, state FROM version WHERE bundle_id = :bundle ORDER BY id
                        """, Glance.class, "bundle", bundleId);
    }

    /// Those of these versions that are there, in the order of publishing.
    public static List<VersionRow> list(Tx tx, Collection<UUID> ids) {
        return tx.list(FROM + " WHERE v.id IN (<ids>) ORDER BY v.id", VersionRow.class, "ids", ids);
    }

    static int count(Tx tx, UUID bundleId) {
        return (int) tx.number("SELECT count(*) FROM version WHERE bundle_id = :bundle", "bundle", bundleId);
    }
}
