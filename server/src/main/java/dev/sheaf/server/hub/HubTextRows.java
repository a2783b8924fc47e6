package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Tx;
import java.util.List;
import java.util.stream.Collectors;

/// The full-text index of the hub: FTS5 on SQLite, tsvector on PostgreSQL. Both get only [SearchWords], so no
/// text can be parsed as an operator.
final class HubTextRows {
    /// The texts to search. Each level includes the previous ones.
    enum Depth {
        /// Namespace, slug and name.
        NAMES("{names} : ", "names"),
        /// Keywords and description.
        ABOUT("{names about} : ", "about"),
        /// Paths of the assets, and the README.
        ALL("", "rest");

        private final String filter;
        private final String column;

        Depth(String filter, String column) {
            this.filter = filter;
            this.column = column;
        }
    }

    private HubTextRows() {}

    /// Replaces the searchable texts of a bundle, each as returned by [SearchWords#joined].
    static void put(Tx tx, long repositoryId, String names, String about, String rest) {
        String sql = switch (tx.dialect()) {
            case SQLITE ->
                "INSERT OR REPLACE INTO hub_text (rowid, names, about, rest) VALUES (:id, :names, :about, :rest)";
            case POSTGRES -> """
                INSERT INTO hub_text (repository_id, names, about, rest)
                SELECT :id, lexemes.names, lexemes.names || lexemes.about, lexemes.names || lexemes.about || lexemes.rest
                FROM (SELECT array_to_tsvector(string_to_array(:names, ' ')) AS names,
                             array_to_tsvector(string_to_array(:about, ' ')) AS about,
                             array_to_tsvector(string_to_array(:rest, ' ')) AS rest) lexemes
                ON CONFLICT (repository_id)
                DO UPDATE SET names = excluded.names, about = excluded.about, rest = excluded.rest
                """;
        };
        tx.later(sql, "id", repositoryId, "names", names, "about", about, "rest", rest);
    }

    static void remove(Tx tx, long repositoryId) {
        String sql = switch (tx.dialect()) {
            case SQLITE -> "DELETE FROM hub_text WHERE rowid = :id";
            case POSTGRES -> "DELETE FROM hub_text WHERE repository_id = :id";
        };
        tx.change(sql, "id", repositoryId);
    }

    /// Returns the repositories whose texts at that depth contain all the terms.
    static HubRows.Among matching(Tx tx, Depth depth, List<String> terms) {
        String name = "text" + depth.ordinal();
        return switch (tx.dialect()) {
            case SQLITE ->
                among(
                        "SELECT rowid FROM hub_text WHERE hub_text MATCH :" + name,
                        name,
                        depth.filter + joined(terms, "\"", "*", " AND "));
            case POSTGRES ->
                among(
                        "SELECT repository_id FROM hub_text WHERE " + depth.column + " @@ CAST(:" + name
                                + " AS tsquery)",
                        name,
                        joined(terms, "'", ":*", " & "));
        };
    }

    private static HubRows.Among among(String sql, String name, String query) {
        return new HubRows.Among(sql, List.of(name, query), false);
    }

    /// Returns the terms in quotes, each marked as a prefix.
    private static String joined(List<String> terms, String quote, String beginning, String and) {
        return terms.stream()
                .map(term -> quote + term + quote + (isBeginning(term) ? beginning : ""))
                .collect(Collectors.joining(and, "(", ")"));
    }

    /// Deletes all rows, also of a damaged index.
    static int clear(Tx tx) {
        return tx.change(
                switch (tx.dialect()) {
                    case SQLITE -> "INSERT INTO hub_text (hub_text) VALUES ('delete-all')"; // a DELETE reads the index
                    case POSTGRES -> "DELETE FROM hub_text";
                });
    }

    /// Returns listed bundles that are not in the index.
    static List<Long> missing(Tx tx, int limit) {
        String id = switch (tx.dialect()) {
            case SQLITE -> "rowid";
            case POSTGRES -> "repository_id";
        };
        return tx.list(
                "SELECT e.repository_id FROM hub_entry e WHERE e.listed = 1 AND NOT EXISTS"
                        + " (SELECT 1 FROM hub_text t WHERE t." + id + " = e.repository_id) LIMIT :limit",
                Long.class,
                "limit",
                limit);
    }

    /// Returns whether the term matches as a prefix. A single character must match a whole word, because too
    /// many words begin with it.
    private static boolean isBeginning(String term) {
        return term.codePointCount(0, term.length()) > 1;
    }
}
