package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What an organization could clean up: bundles and versions that nobody uses, and old versions that somebody still
/// uses. For its admins. Thread-safe.
public final class UseReport {
    /// How many days a bundle or a version is not pulled before it counts as unused.
    public static final int UNUSED_DAYS = 90;

    /// In how many days an old version must have been pulled to be listed.
    public static final int OLD_DAYS = 30;

    /// How many credentials are named for an old version.
    static final int MOST_CREDENTIALS = 20;

    private final Database database;

    public UseReport(Database database) {
        this.database = database;
    }

    /// The lists.
    public enum Kind {
        UNUSED_BUNDLES,
        UNUSED_VERSIONS,
        OLD_VERSIONS;

        /// @throws dev.sheaf.model.ProblemException validation-failed
        public static Kind parse(String text) {
            return Stream.of(values())
                    .filter(kind -> kind.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() ->
                            Problem.invalid("unknown", "must be unused-bundles, unused-versions or old-versions"));
        }

        /// Returns the name on the wire.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// The place in a list, which is in the order of names and, in a bundle, of versions.
    ///
    /// @param key the sort key of the version; empty for a bundle
    public record Place(String namespace, String bundle, String key) {
        private static final Place FIRST = new Place("", "", "");
        private static final int PARTS = 3;

        /// @param text as [#toString] returns it; null for the beginning
        /// @throws dev.sheaf.model.ProblemException invalid-cursor
        public static Place parse(@Nullable String text) {
            if (text == null) {
                return FIRST;
            }
            String[] parts = text.split(" ", PARTS);
            if (parts.length < PARTS) {
                throw new Problem.InvalidCursor().raise();
            }
            return new Place(parts[0], parts[1], parts[2]);
        }

        @Override
        public String toString() {
            return namespace + " " + bundle + " " + key;
        }
    }

    /// A bundle or a version.
    ///
    /// @param id of the repository, in the list of unused bundles
    /// @param version null in the list of unused bundles
    /// @param latest the latest version of the bundle; null if none is published
    /// @param publishedAt when the version, or the newest one of the bundle, was published
    /// @param isOlder whether a later version is published
    /// @param isDeprecated whether the version or the bundle is
    /// @param pulls the pulls in the time of the list
    /// @param own how many of them were by the organization itself
    public record Row(
            long id,
            RepositoryName ref,
            @Nullable UUID versionId,
            @Nullable Version version,
            String key,
            @Nullable Version latest,
            Instant publishedAt,
            boolean isOlder,
            boolean isDeprecated,
            boolean isYanked,
            boolean isRecalled,
            long pulls,
            long own) {
        Place place() {
            return new Place(ref.namespace().value(), ref.bundle().value(), key);
        }
    }

    /// A bundle or a version, and what is known of its pulls.
    ///
    /// @param lastDay when it was last pulled, in days since 1970 (UTC); null if never, or longer ago than days are
    ///     kept
    /// @param wasPulled whether it was ever pulled
    /// @param credentials those of the organization that pulled an old version, the busiest first, at most 20
    public record Item(Row row, @Nullable Long lastDay, boolean wasPulled, List<ByCredential> credentials) {
        public Item {
            credentials = List.copyOf(credentials);
        }

        public Place place() {
            return row.place();
        }
    }

    /// The pulls of a version by a key or trusted publisher of the organization.
    ///
    /// @param lastDay in days since 1970 (UTC)
    public record ByCredential(UUID versionId, String credential, long pulls, long lastDay) {}

    /// Returns a part of a list of the caller's organization. The pulls of the last seconds may be missing.
    ///
    /// @throws dev.sheaf.model.ProblemException forbidden for a credential that is restricted to a part of the
    ///     organization
    public List<Item> list(Caller.Known caller, Kind kind, Place after, int limit) {
        Access.whole(caller);
        return database.read(tx -> list(tx, caller.organizationId(), kind, after, limit));
    }

    static List<Item> list(Tx tx, UUID organization, Kind kind, Place after, int limit) {
        long today = PullCounts.day(tx.now());
        return switch (kind) {
            case UNUSED_BUNDLES ->
                bundles(tx, UseReportRows.bundles(tx, organization, today - UNUSED_DAYS + 1, after, limit));
            case UNUSED_VERSIONS ->
                versions(tx, UseReportRows.unused(tx, organization, today - UNUSED_DAYS + 1, after, limit));
            case OLD_VERSIONS -> old(tx, organization, today - OLD_DAYS + 1, after, limit);
        };
    }

    private static List<Item> bundles(Tx tx, List<Row> rows) {
        var last = UseReportRows.lastOfBundles(tx, rows.stream().map(Row::id).toList());
        return rows.stream().map(row -> item(row, last.get(row.id()))).toList();
    }

    private static List<Item> versions(Tx tx, List<Row> rows) {
        var last = UseReportRows.lastOfVersions(tx, ids(rows));
        return rows.stream().map(row -> item(row, last.get(row.versionId()))).toList();
    }

    /// @param last the last day with pulls; 0 if it is longer ago than days are kept; null if there is none
    private static Item item(Row row, @Nullable Long last) {
        return new Item(row, last == null || last == 0 ? null : last, last != null, List.of());
    }

    private static List<Item> old(Tx tx, UUID organization, long from, Place after, int limit) {
        var rows = UseReportRows.old(tx, organization, from, after, limit);
        var last = UseReportRows.lastOfVersions(tx, ids(rows));
        Map<UUID, List<ByCredential>> who = UseReportRows.credentials(tx, organization, from, ids(rows));
        return rows.stream()
                .map(row ->
                        new Item(row, last.get(row.versionId()), true, who.getOrDefault(row.versionId(), List.of())))
                .toList();
    }

    private static List<UUID> ids(List<Row> rows) {
        return rows.stream().map(Row::versionId).flatMap(Stream::ofNullable).toList();
    }
}
