package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.org.quota.UsageChanges;
import dev.sheaf.server.registry.content.StoredManifest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class VersionRows {
    private static final String COLUMNS = """
            SELECT v.id, v.bundle_id, v.version, v.manifest_id, m.digest, v.state, v.size, v.published_at, v.published_by,
                   v.yanked_at, v.yanked_by, v.yank_reason, v.yank_reason_code, v.yank_replacement,
                   v.deprecation_message, v.deprecation_replacement, v.plugin_files,
                   v.recalled_at, v.recalled_by, v.recall_severity, v.recall_reason, v.recall_advisory,
                   v.recall_replacement, v.recall_yanked, v.review_id
            """;

    private static final String MANIFEST = " JOIN manifest m ON m.id = v.manifest_id";

    private static final String FROM = COLUMNS + "FROM version v" + MANIFEST;

    private static final String SELECT = FROM + " WHERE v.bundle_id = :bundle";

    private static final String NUMBERED = " AND v.stable = :stable AND v.sort_key = :key";

    private static final String YANKED_AT = """
             (v.state = 'yanked' AND v.yanked_at <= :at OR EXISTS (
                SELECT 1 FROM past_yank y
                WHERE y.version_id = v.id AND y.yanked_at <= :at AND y.unyanked_at > :at))
            """;

    /// Sorts published versions before yanked ones: `published` sorts before `yanked`.
    private static final String BEST_FIRST = " ORDER BY v.state, v.sort_key DESC";

    private static final String LATEST = " AND v.state = 'published' ORDER BY v.stable DESC, v.sort_key DESC LIMIT 1";

    private static final String BEST_LAST = " ORDER BY v.state DESC, v.sort_key";

    private VersionRows() {}

    /// @param risk null if the files were not read yet
    public static VersionRow insert(
            Tx tx,
            BundleSnapshot bundle,
            Version version,
            StoredManifest manifest,
            long size,
            String actor,
            @Nullable VersionRisk risk) {
        var row = VersionRow.published(
                TimeOrderedIds.next(tx.now()), bundle.bundle().id(), version, manifest, size, tx.now(), actor);
        tx.later("""
                INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,
                                     published_at, published_by, plugin_files,
                                     risk_rules, findings, worst_finding, finding_kinds, read_whole, runs)
                VALUES (:id, :bundleId, :version, :precedence, :key, :stable, :manifestId, :state, :size,
                        :publishedAt, :publishedBy, :pluginFiles, :riskRules, :findings, :worstFinding, :findingKinds, :readWhole, :runs)
                """, row, Order.of(version), Risk.of(risk), "precedence", version.precedence());
        UsageChanges.add(tx, bundle.repository().id(), UsageAmounts.ONE_VERSION);
        return row;
    }

    /// The place of a version among those of its bundle.
    private record Order(String key, boolean stable) {
        static Order of(Version version) {
            return new Order(version.sortKey(), !version.isPrerelease());
        }
    }

    /// Returns the version with that precedence. There is at most one, whatever its build metadata.
    public static Optional<VersionRow> find(Tx tx, UUID bundleId, Version version) {
        return tx.find(SELECT + NUMBERED, VersionRow.class, Order.of(version), "bundle", bundleId);
    }

    /// Sorts by what [#latest] prefers; the last is the latest.
    public static final Comparator<VersionRow> BY_LATEST = Comparator.<VersionRow, Boolean>comparing(
                    row -> !row.version().isPrerelease())
            .thenComparing(row -> row.version().sortKey());

    /// The versions that a publish must know.
    ///
    /// @param same the version with the same precedence; null if there is none
    /// @param latest the version that [#latest] returns; null if there is none
    public record Neighbors(
            @Nullable VersionRow same, @Nullable VersionRow latest) {}

    public static PipelineAnswer<Neighbors> neighbors(Tx tx, UUID bundleId, Version version) {
        String sql = SELECT + NUMBERED + " UNION ALL SELECT * FROM (" + SELECT + LATEST + ") latest";
        return tx.soon(sql, VersionRow.class, Order.of(version), "bundle", bundleId)
                .map(rows -> new Neighbors(
                        rows.stream()
                                .filter(row -> row.version().precedence().equals(version.precedence()))
                                .findFirst()
                                .orElse(null),
                        rows.stream()
                                .filter(row -> !row.isYanked())
                                .max(BY_LATEST)
                                .orElse(null)));
    }

    /// @param which a condition on the bundle's versions, with the parameter `:value`
    private static Optional<VersionRow> one(Tx tx, UUID bundleId, String which, Object value) {
        return tx.find(SELECT + which, VersionRow.class, "bundle", bundleId, "value", value);
    }

    /// Returns the version with that number. If `asked` has no build metadata, any build matches; otherwise the
    /// build must be equal.
    public static Optional<VersionRow> exact(Tx tx, UUID bundleId, Version asked) {
        return find(tx, bundleId, asked).filter(row -> asked.build().isEmpty() || asked.equals(row.version()));
    }

    /// Returns the newest version with this manifest, preferring versions that are not yanked.
    public static Optional<VersionRow> find(Tx tx, UUID bundleId, Digest digest) {
        return tx.find(FROM + """
                         WHERE m.repository_id = (SELECT b.repository_id FROM bundle b WHERE b.id = :bundle)
                          AND m.digest = :digest
                        """ + BEST_FIRST + " LIMIT 1", VersionRow.class, "bundle", bundleId, "digest", digest);
    }

    /// Returns the newest version with this manifest, preferring versions that are not yanked.
    public static Optional<VersionRow> findByManifest(Tx tx, UUID bundleId, long manifestId) {
        return one(tx, bundleId, " AND v.manifest_id = :value" + BEST_FIRST + " LIMIT 1", manifestId);
    }

    /// Returns the versions with this manifest that are not yanked, newest first.
    public static List<VersionRow> published(Tx tx, UUID bundleId, long manifestId) {
        String which = " AND v.manifest_id = :manifest AND v.state = 'published' ORDER BY v.sort_key DESC";
        return tx.list(SELECT + which, VersionRow.class, "bundle", bundleId, "manifest", manifestId);
    }

    /// Returns the newest version of the repository with this manifest.
    public static Optional<Version> ofManifest(Tx tx, long manifestId) {
        String sql = "SELECT version FROM version WHERE manifest_id = :manifest ORDER BY sort_key DESC LIMIT 1";
        return tx.find(sql, Version.class, "manifest", manifestId);
    }

    /// A version by the digest of its manifest.
    ///
    /// @param yankedAt null if it is not yanked
    public record Named(
            Digest digest, Version version, @Nullable Instant yankedAt) {}

    /// Returns the versions of some manifests. If several versions share one, the choice is as in
    /// [#findByManifest].
    public static Map<Digest, Named> named(Tx tx, long repositoryId, Collection<Digest> digests) {
        var names = new HashMap<Digest, Named>();
        if (!digests.isEmpty()) {
            tx.list("""
                            SELECT m.digest, v.version, v.yanked_at FROM manifest m JOIN version v ON v.manifest_id = m.id
                            WHERE m.repository_id = :repository AND m.digest IN (<digests>)
                            """ + BEST_LAST, Named.class, "repository", repositoryId, "digests", digests)
                    .forEach(row -> names.put(row.digest(), row));
        }
        return names;
    }

    /// Returns the yanks of the versions of some manifests that were taken back.
    public static Set<Named> onceYanked(Tx tx, long repositoryId, Collection<Digest> digests) {
        return digests.isEmpty()
                ? Set.of()
                : Set.copyOf(tx.list("""
                        SELECT m.digest, v.version, y.yanked_at FROM manifest m JOIN version v ON v.manifest_id = m.id
                        JOIN past_yank y ON y.version_id = v.id
                        WHERE m.repository_id = :repository AND m.digest IN (<digests>)
                        """, Named.class, "repository", repositoryId, "digests", digests));
    }

    /// Returns the versions of a page of tags by the ids of their manifests. The page is the one that the
    /// registry lists. If several versions share a manifest, the choice is as in [#findByManifest].
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

    /// Returns the meaning of `latest`: the highest stable version that is not yanked, or the highest
    /// prerelease if none is stable.
    public static Optional<VersionRow> latest(Tx tx, UUID bundleId) {
        return tx.find(SELECT + LATEST, VersionRow.class, "bundle", bundleId);
    }

    /// The versions that meet a condition, highest first. The index has stable versions and prereleases
    /// apart, because `latest` prefers the stable ones; this takes as many as it needs from both.
    private static String highest(String select, String condition, String join) {
        return some(select, condition, join, " DESC");
    }

    private static String some(String select, String condition, String join, String order) {
        String some = "SELECT * FROM (SELECT * FROM version WHERE bundle_id = :bundle AND stable = %d AND " + condition
                + " ORDER BY sort_key" + order + " LIMIT :limit) some_%1$d";
        return select + " FROM (" + some.formatted(1) + " UNION ALL " + some.formatted(0) + ") v" + join
                + " ORDER BY v.sort_key" + order + " LIMIT :limit";
    }

    /// Returns where to move the tags of a yanked version: the highest version below it that is not yanked, and
    /// stable if the yanked one is.
    public static Optional<VersionRow> successor(Tx tx, VersionRow yanked) {
        String sql = highest(COLUMNS, "state = 'published' AND sort_key < :key AND stable >= :stable", MANIFEST);
        return tx.find(sql, VersionRow.class, Order.of(yanked.version()), "bundle", yanked.bundleId(), "limit", 1);
    }

    public static void yank(Tx tx, UUID id, Yank yank, String actor) {
        tx.change("""
                        UPDATE version SET state = 'yanked', yanked_at = :now, yanked_by = :actor, yank_reason = :reason,
                                           yank_reason_code = :code, yank_replacement = :replacement
                        WHERE id = :id
                        """, yank, "id", id, "actor", actor);
    }

    /// Undoes a yank, and records the time during which it was in effect.
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

    /// Notes that a review approved a version.
    public static void approved(Tx tx, UUID id, UUID reviewId) {
        tx.change("UPDATE version SET review_id = :review WHERE id = :id", "id", id, "review", reviewId);
    }

    /// Recalls a version, and yanks it if it is not yanked.
    public static void recall(Tx tx, UUID id, Recall recall, String actor) {
        tx.change("""
                        UPDATE version SET recalled_at = :now, recalled_by = :actor, recall_severity = :severity,
                               recall_reason = :reason, recall_advisory = :advisory, recall_replacement = :replacement,
                               recall_yanked = CASE WHEN state = 'yanked' THEN recall_yanked ELSE 1 END,
                               yanked_at = COALESCE(yanked_at, :now), yanked_by = COALESCE(yanked_by, :actor),
                               state = 'yanked'
                        WHERE id = :id
                        """, recall, "id", id, "actor", actor);
    }

    /// Ends the recall of a version, but not its yank. It is read for findings if it could not be meanwhile.
    public static void unrecall(Tx tx, UUID id) {
        tx.change("""
                        UPDATE version SET recalled_at = NULL, recalled_by = NULL, recall_severity = NULL,
                               recall_reason = NULL, recall_advisory = NULL, recall_replacement = NULL,
                               recall_yanked = 0,
                               risk_rules = CASE WHEN findings IS NULL THEN '' ELSE risk_rules END
                        WHERE id = :id
                        """, "id", id);
    }

    /// Returns the recalled versions whose files have this size together.
    public static List<VersionRow> recalled(Tx tx, UUID bundleId, long size) {
        String which = " AND v.recalled_at IS NOT NULL AND v.size = :size ORDER BY v.sort_key DESC";
        return tx.list(SELECT + which, VersionRow.class, "bundle", bundleId, "size", size);
    }

    /// Returns all versions with this manifest, the highest first.
    public static List<VersionRow> withManifest(Tx tx, UUID bundleId, long manifestId) {
        return tx.list(
                SELECT + " AND v.manifest_id = :manifest ORDER BY v.sort_key DESC",
                VersionRow.class,
                "bundle",
                bundleId,
                "manifest",
                manifestId);
    }

    /// Returns the existing ones of these versions; their build metadata is ignored.
    public static List<VersionRow> numbered(Tx tx, UUID bundleId, Collection<Version> versions) {
        var keys = versions.stream().map(Version::sortKey).distinct().toList();
        return keys.isEmpty()
                ? List.of()
                : tx.list(
                        SELECT + " AND v.stable IN (0, 1) AND v.sort_key IN (<keys>)",
                        VersionRow.class,
                        "bundle",
                        bundleId,
                        "keys",
                        keys);
    }

    /// Returns the versions with these manifests, preferring as [#find] does.
    public static List<VersionRow> withDigests(Tx tx, UUID bundleId, Collection<Digest> digests) {
        return digests.isEmpty()
                ? List.of()
                : tx.list(FROM + """
                         WHERE m.repository_id = (SELECT b.repository_id FROM bundle b WHERE b.id = :bundle)
                          AND m.digest IN (<digests>)
                        """ + BEST_FIRST, VersionRow.class, "bundle", bundleId, "digests", digests);
    }

    /// Returns the numbers of all versions, highest first.
    public static List<Version> numbers(Tx tx, UUID bundleId) {
        return tx.list(
                "SELECT version FROM version WHERE bundle_id = :bundle ORDER BY sort_key DESC",
                Version.class,
                "bundle",
                bundleId);
    }

    /// @param advice null to undeprecate
    public static void deprecate(Tx tx, UUID id, @Nullable DeprecationNotice advice) {
        String message = advice == null ? null : advice.message();
        String other = advice == null ? null : advice.replacement();
        tx.change("""
                        UPDATE version SET deprecation_message = :message, deprecation_replacement = :other WHERE id = :id
                        """, "id", id, "message", message, "other", other);
    }

    /// Returns versions below the sort key `below`, highest first by SemVer precedence.
    public static List<VersionRow> list(Tx tx, UUID bundleId, @Nullable String below, int limit) {
        return list(tx, bundleId, VersionState.ANY, "", below == null ? "~" : below, limit);
    }

    /// Returns the next version below a sort key that is not recalled.
    public static Optional<Version> readableBelow(Tx tx, UUID bundleId, String below) {
        String sql = highest("SELECT v.version", "sort_key < :below AND recalled_at IS NULL", "");
        return tx.find(sql, Version.class, "bundle", bundleId, "below", below, "limit", 1);
    }

    /// Returns versions from one sort key to below another, highest first.
    public static List<VersionRow> list(
            Tx tx, UUID bundleId, VersionState state, String from, String below, int limit) {
        String sql = highest(COLUMNS, "sort_key >= :from AND sort_key < :below AND " + state.condition(), MANIFEST);
        return tx.list(sql, VersionRow.class, "bundle", bundleId, "from", from, "below", below, "limit", limit);
    }

    /// Returns the next versions above one sort key and below another, also highest first.
    public static List<VersionRow> above(
            Tx tx, UUID bundleId, VersionState state, String above, String below, int limit) {
        String sql = some(COLUMNS, "sort_key > :above AND sort_key < :below AND " + state.condition(), MANIFEST, "");
        return tx.list(sql, VersionRow.class, "bundle", bundleId, "above", above, "below", below, "limit", limit)
                .reversed();
    }

    /// Returns the highest versions that a range can choose, highest first.
    public static List<Version> newest(Tx tx, UUID bundleId, int limit) {
        String sql = highest("SELECT v.version", "state = 'published'", "");
        return tx.list(sql, Version.class, "bundle", bundleId, "limit", limit);
    }

    /// Returns all versions that a range can choose, highest first.
    public static List<Version> published(Tx tx, UUID bundleId) {
        return tx.list("""
                        SELECT version FROM version WHERE bundle_id = :bundle AND state = 'published'
                        ORDER BY sort_key DESC
                        """, Version.class, "bundle", bundleId);
    }

    public static boolean hasAny(Tx tx, UUID bundleId) {
        return tx.has("SELECT 1 FROM version WHERE bundle_id = :bundle LIMIT 1", "bundle", bundleId);
    }

    public static List<UUID> ids(Tx tx, UUID bundleId) {
        return tx.list("SELECT id FROM version WHERE bundle_id = :bundle", UUID.class, "bundle", bundleId);
    }

    /// Deletes a version with its assets and notes. The caller writes the tombstone.
    public static void delete(Tx tx, BundleSnapshot bundle, UUID id) {
        tx.change("DELETE FROM version WHERE id = :id", "id", id);
        UsageChanges.add(tx, bundle.repository().id(), new UsageAmounts(0, 0, -1));
    }

    /// Returns the versions published by one moment and not yanked at another, highest first.
    public static List<Version> publishedAt(Tx tx, UUID bundleId, Instant publishedUntil, Instant at) {
        String sql = "SELECT version FROM version v WHERE bundle_id = :bundle AND published_at <= :until AND NOT"
                + YANKED_AT + " ORDER BY sort_key DESC";
        return tx.list(sql, Version.class, "bundle", bundleId, "until", publishedUntil, "at", at);
    }

    /// Returns the yanked versions, highest first.
    public static List<VersionRow> yanked(Tx tx, UUID bundleId, int limit) {
        String which = " AND v.state = 'yanked' ORDER BY v.sort_key DESC LIMIT :limit";
        return tx.list(SELECT + which, VersionRow.class, "bundle", bundleId, "limit", limit);
    }

    /// Returns the highest yanked version above a version, among the stable ones if that is stable.
    public static Optional<Version> yankedAbove(Tx tx, VersionRow version) {
        return tx.find("""
                        SELECT version FROM version
                        WHERE bundle_id = :bundle AND stable = :stable AND sort_key > :key AND state = 'yanked'
                        ORDER BY sort_key DESC LIMIT 1
                        """, Version.class, Order.of(version.version()), "bundle", version.bundleId());
    }

    /// What a bundle's latest version is.
    ///
    /// @param latest the version that [#latest] returns; null if there is none
    /// @param latestId its id; null if there is none
    /// @param hasVersions whether there is any version, even a yanked one
    record Latest(
            UUID bundleId,
            @Nullable String latest,
            @Nullable UUID latestId,
            boolean hasVersions) {}

    static List<Latest> latest(Tx tx, Collection<UUID> bundleIds) {
        return tx.list("""
                        SELECT b.id AS bundle_id, l.version AS latest, l.id AS latest_id,
                               CASE WHEN EXISTS (SELECT 1 FROM version v WHERE v.bundle_id = b.id) THEN 1 ELSE 0 END
                                AS has_versions
                        FROM bundle b LEFT JOIN version l ON l.id = (
                            SELECT v.id FROM version v WHERE v.bundle_id = b.id AND v.state = 'published'
                            ORDER BY v.stable DESC, v.sort_key DESC LIMIT 1)
                        WHERE b.id IN (<ids>)
                        """, Latest.class, "ids", bundleIds);
    }

    /// Returns bundles of an organization whose latest version has a finding of high severity, by name.
    static List<OwnBundles.Risky> ofHighRisk(Tx tx, UUID organizationId, int limit) {
        return tx.list("""
                        SELECT r.namespace, r.name AS bundle, v.version, v.findings
                        FROM namespace n JOIN repository r ON r.namespace = n.name JOIN bundle b ON b.repository_id = r.id
                        JOIN version v ON v.bundle_id = b.id AND v.worst_finding = 'high' AND v.state = 'published'
                        WHERE n.organization_id = :organization AND b.deleted_at IS NULL AND NOT EXISTS (
                            SELECT 1 FROM version o WHERE o.bundle_id = b.id AND o.state = 'published'
                             AND (o.stable, o.sort_key) > (v.stable, v.sort_key))
                        ORDER BY r.namespace, r.name LIMIT :limit
                        """, OwnBundles.Risky.class, "organization", organizationId, "limit", limit);
    }

    /// The risk of a version as stored.
    ///
    /// @param riskRules [VersionRisk#RULES] when it was read; empty if it was not
    /// @param findings null if it was not read, or could not be
    private record Risk(
            String riskRules,
            @Nullable Integer findings,
            @Nullable Severity worstFinding,
            @Nullable String findingKinds,
            boolean readWhole,
            @Nullable Boolean runs) {
        static final Risk UNREADABLE = new Risk(VersionRisk.RULES, null, null, null, false, null);
        private static final Risk UNREAD = new Risk("", null, null, null, false, null);

        static Risk of(@Nullable VersionRisk risk) {
            return risk == null
                    ? UNREAD
                    : new Risk(
                            VersionRisk.RULES,
                            risk.findings(),
                            risk.worst(),
                            String.join("\n", risk.kinds()),
                            risk.extent() == VersionRisk.Extent.WHOLE,
                            risk.runs());
        }
    }

    private record RiskOf(UUID id, Risk risk) {}

    private record WarningOf(UUID versionId, String code) {}

    /// Returns the risk of versions, by version. Of a version that was not read, only the warnings of the content
    /// checks are known.
    public static Map<UUID, VersionRisk> risks(Tx tx, Collection<UUID> ids) {
        var risks = new HashMap<UUID, VersionRisk>();
        var unread = new HashMap<UUID, List<String>>();
        if (ids.isEmpty()) {
            return risks;
        }
        tx.list("""
                        SELECT id, risk_rules, findings, worst_finding, finding_kinds, read_whole, runs
                        FROM version WHERE id IN (<ids>)
                        """, RiskOf.class, "ids", ids).forEach(row -> {
            var stored = row.risk();
            if (stored.findings() == null) {
                unread.put(row.id(), new ArrayList<>());
            } else {
                risks.put(
                        row.id(),
                        new VersionRisk(
                                stored.findings(),
                                stored.worstFinding(),
                                Objects.requireNonNullElse(stored.findingKinds(), "")
                                        .lines()
                                        .toList(),
                                stored.readWhole() ? VersionRisk.Extent.WHOLE : VersionRisk.Extent.PART,
                                stored.runs()));
            }
        });
        if (!unread.isEmpty()) {
            tx.list(
                            "SELECT version_id, code FROM version_warning WHERE version_id IN (<ids>)",
                            WarningOf.class,
                            "ids",
                            unread.keySet())
                    .forEach(row ->
                            Objects.requireNonNull(unread.get(row.versionId())).add(row.code()));
            unread.forEach((id, codes) -> risks.put(id, VersionRisk.of(null, codes)));
        }
        return risks;
    }

    public static VersionRisk risk(Tx tx, UUID id) {
        return Objects.requireNonNull(risks(tx, List.of(id)).get(id));
    }

    /// A version that was published lately.
    public record Recent(UUID id, RepositoryName ref, Version version) {}

    /// Returns published versions after an id, in the order of their ids, which begin with the time.
    static List<Recent> recent(Tx tx, UUID after, int limit) {
        return tx.list("""
                        SELECT v.id, r.namespace, r.name AS bundle, v.version
                        FROM version v JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                        WHERE v.id > :after AND v.state = 'published' AND r.deleted_at IS NULL ORDER BY v.id LIMIT :limit
                        """, Recent.class, "after", after, "limit", limit);
    }

    /// A version that was not read by the present rules.
    ///
    /// @param isDeleted whether its bundle is; then it stays unread until it is restored
    public record Unread(
            UUID id,
            UUID bundleId,
            RepositoryName ref,
            Version version,
            Digest digest,
            UUID organizationId,
            boolean isDeleted) {}

    /// Returns the earlier rules by which versions were read, the earliest first; empty for those that were not read
    /// at all.
    public static List<String> earlierRules(Tx tx) {
        return tx.list("""
                WITH RECURSIVE earlier(rules) AS (
                    SELECT min(risk_rules) FROM version WHERE risk_rules < :rules
                    UNION ALL
                    SELECT (SELECT min(v.risk_rules) FROM version v WHERE v.risk_rules > e.rules AND v.risk_rules < :rules)
                    FROM earlier e WHERE e.rules IS NOT NULL)
                SELECT rules FROM earlier WHERE rules IS NOT NULL
                """, String.class, "rules", VersionRisk.RULES);
    }

    /// Returns the newest version that was read by these rules of each of the next bundles that have one, by the id
    /// of the bundle. Its cost does not depend on the number of versions.
    ///
    /// @param after the id of a bundle; empty to begin
    public static List<Unread> unread(Tx tx, String rules, String after, int bundles) {
        return tx.list("""
                        WITH RECURSIVE next(bundle_id, place) AS (
                            SELECT min(bundle_id), 1 FROM version WHERE risk_rules = :rules AND bundle_id > :after
                            UNION ALL
                            SELECT (SELECT min(v.bundle_id) FROM version v
                                    WHERE v.risk_rules = :rules AND v.bundle_id > x.bundle_id), x.place + 1
                            FROM next x WHERE x.bundle_id IS NOT NULL AND x.place < :bundles)
                        SELECT v.id, v.bundle_id, r.namespace, r.name AS bundle, v.version, m.digest, n.organization_id,
                               CASE WHEN r.deleted_at IS NULL THEN 0 ELSE 1 END AS is_deleted
                        FROM next x JOIN bundle b ON b.id = x.bundle_id JOIN repository r ON r.id = b.repository_id
                        JOIN namespace n ON n.name = r.namespace
                        JOIN version v ON v.id = (SELECT max(o.id) FROM version o
                                                  WHERE o.risk_rules = :rules AND o.bundle_id = x.bundle_id)
                        JOIN manifest m ON m.id = v.manifest_id
                        ORDER BY v.bundle_id
                        """, Unread.class, "rules", rules, "after", after, "bundles", bundles);
    }

    /// A version that readers may get.
    public record Readable(UUID id, RepositoryName ref, Version version) {}

    /// Returns versions that are not recalled after an id, in the order of their ids.
    public static List<Readable> readable(Tx tx, String after, int limit) {
        return tx.list("""
                        SELECT v.id, r.namespace, r.name AS bundle, v.version
                        FROM version v JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                        WHERE v.id > :after AND v.recalled_at IS NULL AND r.deleted_at IS NULL ORDER BY v.id LIMIT :limit
                        """, Readable.class, "after", after, "limit", limit);
    }

    public static long countReadable(Tx tx) {
        return tx.number("""
                SELECT count(*) FROM version v JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                WHERE v.recalled_at IS NULL AND r.deleted_at IS NULL
                """);
    }

    /// Has versions read again for findings. What is known of them stays until then.
    public static void readAgain(Tx tx, List<UUID> ids) {
        tx.change("UPDATE version SET risk_rules = '' WHERE id IN (<ids>)", "ids", ids);
    }

    /// Returns the kind of each warning of the content checks of a version.
    public static List<String> warningCodes(Tx tx, UUID id) {
        return tx.list("SELECT code FROM version_warning WHERE version_id = :id", String.class, "id", id);
    }

    /// Stores what was read of a version.
    ///
    /// @param risk null if its files cannot be read
    public static void keep(Tx tx, UUID id, @Nullable VersionRisk risk) {
        tx.later("""
                UPDATE version SET risk_rules = :riskRules, findings = :findings, worst_finding = :worstFinding,
                                   finding_kinds = :findingKinds, read_whole = :readWhole, runs = :runs
                WHERE id = :id
                """, risk == null ? Risk.UNREADABLE : Risk.of(risk), "id", id);
    }

    /// Returns the messages of versions that have one, by version: at most 300 characters, of which the last is an
    /// ellipsis if there is more.
    public static Map<UUID, String> messages(Tx tx, Collection<UUID> versions) {
        return versions.isEmpty() ? Map.of() : tx.map("""
                        SELECT id, CASE WHEN length(message) > 300 THEN substr(message, 1, 299) || '…' ELSE message END
                         AS message FROM version
                        WHERE id IN (<ids>) AND message IS NOT NULL
                        """, UUID.class, String.class, "ids", versions);
    }

    /// The path of a SKILL.md in the version that `latest` of a bundle means.
    public record SkillPlace(String bundle, Visibility visibility, UUID organizationId, String path) {}

    /// Returns where the latest versions of the bundles of a namespace have a SKILL.md, by bundle and path.
    ///
    /// @param organization whose private bundles are among them; null for none
    public static List<SkillPlace> skills(Tx tx, Namespace namespace, @Nullable UUID organization, int limit) {
        return tx.list("""
                        SELECT r.name AS bundle, r.visibility, n.organization_id, a.path
                        FROM repository r JOIN namespace n ON n.name = r.namespace
                        JOIN tag t ON t.repository_id = r.id AND t.name = 'latest'
                        JOIN bundle b ON b.repository_id = r.id AND b.deleted_at IS NULL
                        JOIN version v ON v.bundle_id = b.id AND v.manifest_id = t.manifest_id AND v.state = 'published'
                        JOIN asset a ON a.version_id = v.id AND (a.path = 'SKILL.md' OR a.path LIKE '%/SKILL.md')
                        WHERE r.namespace = :namespace AND r.deleted_at IS NULL
                         AND (r.visibility = 'public' OR n.organization_id = :organization)
                        ORDER BY r.name, a.path LIMIT :limit
                        """, SkillPlace.class, "namespace", namespace, "organization", organization, "limit", limit);
    }

    /// Returns whether a version was published before a moment and is not yanked.
    public static boolean isPublishedBefore(Tx tx, UUID bundleId, Instant at) {
        return tx.has(
                "SELECT 1 FROM version WHERE bundle_id = :bundle AND state = 'published' AND published_at < :at LIMIT 1",
                "bundle",
                bundleId,
                "at",
                at);
    }

    public static boolean wasYanked(Tx tx, UUID id, Instant at) {
        return tx.has("SELECT 1 FROM version v WHERE id = :id AND" + YANKED_AT, "id", id, "at", at);
    }

    /// Returns the versions published before the one with the id `before`, most recent first. Ids grow with
    /// time.
    static List<VersionRow> listByTime(Tx tx, UUID bundleId, @Nullable String before, int limit) {
        String which =
                " AND substr(v.bundle_id, 1, 13) = substr(:bundle, 1, 13) AND v.published_at <= :until AND v.id < :before"
                        + " ORDER BY v.published_at DESC, v.id DESC LIMIT :limit";
        String from = before == null ? TimeOrderedIds.END : before;
        long until = TimeOrderedIds.millis(from, Long.MAX_VALUE); // the index has the times of ids
        return tx.list(
                SELECT + which, VersionRow.class, "bundle", bundleId, "until", until, "before", from, "limit", limit);
    }

    /// A short form of a version, for lists of all versions.
    public record Glance(UUID id, Version version, long manifestId, VersionRow.State state) {
        public boolean isYanked() {
            return state == VersionRow.State.YANKED;
        }
    }

    /// Returns all versions that are not recalled, in the order of publishing.
    public static List<Glance> inOrder(Tx tx, UUID bundleId) {
        return tx.list("""
                        SELECT id, version, manifest_id, state FROM version
                        WHERE bundle_id = :bundle AND recalled_at IS NULL ORDER BY id
                        """, Glance.class, "bundle", bundleId);
    }

    /// Returns the existing ones of these versions, in the order of publishing.
    public static List<VersionRow> list(Tx tx, Collection<UUID> ids) {
        return tx.list(FROM + " WHERE v.id IN (<ids>) ORDER BY v.id", VersionRow.class, "ids", ids);
    }

    static int count(Tx tx, UUID bundleId) {
        return (int) tx.number("SELECT count(*) FROM version WHERE bundle_id = :bundle", "bundle", bundleId);
    }
}
