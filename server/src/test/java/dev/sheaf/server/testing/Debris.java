package dev.sheaf.server.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What does not fit together in a data directory: bytes that no row knows, and rows whose bytes are missing.
public final class Debris {
    private Debris() {}

    public static List<String> in(Path data) throws IOException, SQLException {
        var found = new ArrayList<String>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("sheaf.db"))) {
            var objects = texts(connection, "SELECT object_id FROM blob WHERE object_id IS NOT NULL");
            var drafts = texts(connection, "SELECT draft_id FROM upload");
            var due = texts(connection, "SELECT id FROM object_deletion");
            var files = files(data.resolve("content").resolve("objects"));
            files.stream()
                    .filter(file -> !objects.contains(file) && !due.contains(file))
                    .forEach(file -> found.add("object without row: " + file));
            files(data.resolve("content").resolve("drafts")).stream()
                    .filter(file -> !drafts.contains(file) && !due.contains(file))
                    .forEach(file -> found.add("draft without row: " + file));
            objects.stream()
                    .filter(object -> !files.contains(object))
                    .forEach(object -> found.add("row without object: " + object));
        }
        return found;
    }

    /// What is still waiting to be collected.
    public static List<String> waiting(Path data) throws SQLException {
        var found = new ArrayList<String>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("sheaf.db"))) {
            texts(connection, "SELECT id FROM object_deletion").forEach(id -> found.add("to be deleted: " + id));
            texts(connection, "SELECT id FROM upload").forEach(id -> found.add("upload: " + id));
            texts(
                            connection,
                            "SELECT digest FROM blob b WHERE NOT EXISTS (SELECT 1 FROM link l WHERE l.blob_id = b.id)")
                    .forEach(digest -> found.add("blob without link: " + digest));
            texts(connection, """
                            SELECT b.digest || ' in ' || l.repository_id FROM link l JOIN blob b ON b.id = l.blob_id
                            WHERE NOT EXISTS (SELECT 1 FROM manifest_blob m
                                              WHERE m.repository_id = l.repository_id AND m.blob_id = l.blob_id)
                            """).forEach(link -> found.add("link that no manifest needs: " + link));
        }
        return found;
    }

    private static Set<String> texts(Connection connection, String sql) throws SQLException {
        var texts = new HashSet<String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private static Set<String> files(Path folder) throws IOException {
        var names = new HashSet<String>();
        try (var files = Files.walk(folder)) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> names.add(file.getFileName().toString()));
        }
        return names;
    }
}
