package dev.sheaf.server.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a version with one small file of its own costs the database (docs/growth.md).
@Tag("measure")
class GrowthTest {
    private static final String SIZES_ON_POSTGRES = """
            SELECT c.relname, pg_relation_size(c.oid) + CASE WHEN c.relkind = 'r' AND c.reltoastrelid <> 0
                   THEN pg_total_relation_size(c.reltoastrelid) ELSE 0 END
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'public' AND c.relkind IN ('r', 'i')
            """;
    private static final String SIZES_ON_SQLITE = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name";
    private static final int VERSIONS = 100; // of a bundle
    private static final int BUNDLES = 20;

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    @Timeout(600)
    void aVersionCostsKilobytes(Stack stack, @TempDir Path folder) throws SQLException {
        var flags = TestApp.settings(stack, folder, Map.of());
        try (var app = TestApp.start(stack, folder, InstantSource.system(), flags)) {
            push(app, flags, 100);
            var before = sizes(app, stack);
            for (int bundle = 0; bundle < BUNDLES; bundle += 2) {
                push(app, flags, bundle);
            }
            var grown = new TreeMap<String, Long>();
            sizes(app, stack)
                    .forEach((name, size) ->
                            grown.put(name, (size - before.getOrDefault(name, 0L)) / (BUNDLES * VERSIONS)));
            long all = grown.values().stream().mapToLong(Long::longValue).sum();
            System.out.println(stack + ": bytes a version: " + all);
            grown.entrySet().stream()
                    .filter(entry -> entry.getValue() > 0)
                    .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                    .forEach(entry -> System.out.println("  " + entry.getKey() + " " + entry.getValue()));

            assertThat(all).isLessThan(stack == Stack.SQLITE ? 4_400 : 5_400);
        }
    }

    private static Map<String, Long> sizes(TestApp app, Stack stack) {
        return app.database()
                .read(tx ->
                        tx.map(stack == Stack.SQLITE ? SIZES_ON_SQLITE : SIZES_ON_POSTGRES, String.class, Long.class));
    }

    /// Pushes the versions of two bundles, and lets PostgreSQL clear up as it does by itself from time to time.
    private static void push(TestApp app, Map<String, String> flags, int first) throws SQLException {
        try (var threads = Executors.newFixedThreadPool(2)) {
            IntStream.of(first, first + 1).forEach(bundle -> threads.submit(versions(app, bundle)));
        }
        Eventually.within(
                Duration.ofSeconds(30),
                () -> !app.database()
                        .read(tx -> tx.has("SELECT 1 FROM audit WHERE seq IS NULL LIMIT 1")
                                || tx.has("SELECT 1 FROM event WHERE seq IS NULL LIMIT 1")));
        assertThat(app.database().read(tx -> tx.number("SELECT count(*) FROM version")) % (2 * VERSIONS))
                .isZero();
        if (flags.containsKey("database-url")) {
            try (var connection = DriverManager.getConnection(
                            flags.get("database-url"), flags.get("database-user"), flags.get("database-password"));
                    var statement = connection.createStatement()) {
                statement.execute("VACUUM");
            }
        }
    }

    private static Callable<Integer> versions(TestApp app, int bundle) {
        return () -> {
            for (int version = 0; version < VERSIONS; version++) {
                String text = "---\\nname: kit-" + bundle + "\\ndescription: Kit\\n---\\nVersion " + version;
                assertThat(app.push("acme/kit-" + bundle, "1." + version + ".0", "public", text)
                                .status())
                        .isEqualTo(201);
            }
            return VERSIONS;
        };
    }
}
