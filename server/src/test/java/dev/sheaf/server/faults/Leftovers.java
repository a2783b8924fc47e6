package dev.sheaf.server.faults;

import dev.sheaf.server.faults.Caller.Call;
import dev.sheaf.server.testing.V2Scenario;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/// What is left once every lease and grace has passed: orphans in the bucket, rows that should be gone.
final class Leftovers {
    /// Rows that are due; each query counts those that should have been removed.
    private static final List<String> DUE = List.of(
            "SELECT 'expired upload', count(*) FROM upload"
                    + " WHERE expires_at < extract(epoch FROM now()) * 1000 - 60000",
            "SELECT 'object_deletion', count(*) FROM object_deletion",
            "SELECT 'stray', count(*) FROM stray",
            "SELECT 'blob without link', count(*) FROM blob b WHERE NOT EXISTS"
                    + " (SELECT 1 FROM link l WHERE l.blob_id = b.id)",
            "SELECT 'event without number', count(*) FROM event WHERE seq IS NULL",
            "SELECT 'delivery not sent', count(*) FROM delivery WHERE state = 'pending'");
    /// Tables that stay small however long the nodes run, with the most rows that they may have.
    private static final List<String> SMALL = List.of("announcement 5000", "usage_delta 5000", "node 100");
    private static final List<String> GROWN = List.of(
            "upload", "blob", "manifest", "version", "tombstone", "event", "audit", "tag_history", "delivery", "link");

    private final Cluster cluster;

    Leftovers(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Waits until nothing is left; then also compares rows with rows and with objects.
    List<String> settle(Duration limit) throws Exception {
        var until = Instant.now().plus(limit);
        var left = new ArrayList<String>(List.of("nothing was looked at"));
        while (!left.isEmpty() && Instant.now().isBefore(until)) {
            Thread.sleep(Duration.ofSeconds(10));
            left = left();
        }
        left.addAll(fsck());
        return left;
    }

    private ArrayList<String> left() throws IOException, SQLException {
        var left = new ArrayList<String>();
        try (var connection = DriverManager.getConnection(cluster.jdbcUrl(), "postgres", "")) {
            for (String query : DUE) {
                try (var statement = connection.createStatement();
                        var rows = statement.executeQuery(query)) {
                    rows.next();
                    if (rows.getLong(2) > 0) {
                        left.add(rows.getString(1) + ": " + rows.getLong(2) + " rows");
                    }
                }
            }
            for (String pair : SMALL) {
                var words = pair.split(" ");
                long count = count(connection, words[0]);
                if (count > Long.parseLong(words[1])) {
                    left.add(words[0] + ": " + count + " rows");
                }
            }
            orphans(connection).forEach(left::add);
            var counts = new ArrayList<String>();
            for (String table : GROWN) {
                counts.add(table + " " + count(connection, table));
            }
            System.out.println(Instant.now() + " rows: " + String.join(", ", counts) + "; left: " + left);
        }
        return left;
    }

    private static long count(Connection connection, String table) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private Set<String> orphans(Connection connection) throws SQLException, IOException {
        var named = new HashSet<String>();
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery("SELECT right(object_id, 32) FROM blob WHERE object_id IS NOT NULL")) {
            while (rows.next()) {
                named.add(rows.getString(1));
            }
        }
        var drafts = new StringBuilder(); // an upload may take a day
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT draft_id FROM upload")) {
            while (rows.next()) {
                drafts.append(rows.getString(1)).append(' ');
            }
        }
        var stored = new HashSet<String>();
        try (var files = Files.walk(cluster.bucket().objects())) {
            files.filter(Files::isRegularFile)
                    .map(Path::getFileName)
                    .map(Path::toString)
                    .forEach(stored::add);
        }
        stored.remove("installation"); // the mark of the store
        var wrong = new HashSet<String>();
        stored.stream()
                .filter(one -> !named.contains(one) && drafts.indexOf(one) < 0)
                .forEach(one -> wrong.add("object without row: " + one));
        named.stream().filter(one -> !stored.contains(one)).forEach(one -> wrong.add("row without object: " + one));
        return wrong;
    }

    private List<String> fsck() throws InterruptedException {
        try (var caller = new Caller(cluster.url(), cluster.admin(), outcome -> {})) {
            var begun = caller.send(
                    System.nanoTime(),
                    Call.write(
                            "fsck",
                            "POST",
                            "/v1/admin/tasks",
                            V2Scenario.utf8("{\"task\": \"fsck\", \"dryRun\": true}"),
                            "application/json"));
            if (begun == null) {
                return List.of("fsck did not start");
            }
            String path = "/v1/admin/tasks/"
                    + JsonMapper.shared().readTree(begun).get("id").stringValue();
            String report = "\"state\":\"running\"";
            while (report.contains("\"state\":\"running\"")) {
                Thread.sleep(500);
                var got = caller.send(System.nanoTime(), Call.get("fsck", path, true));
                report = got == null ? report : new String(got, StandardCharsets.UTF_8);
            }
            System.out.println("fsck: " + report);
            return report.contains("\"state\":\"succeeded\"") ? List.of() : List.of("fsck: " + report);
        }
    }
}
