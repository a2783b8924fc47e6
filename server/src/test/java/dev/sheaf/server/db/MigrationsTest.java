package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.testing.Databases;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MigrationsTest {
    /// Told apart by every collation that is not bytewise: case, punctuation, digits, accents, what UTF-16 sorts
    /// lower.
    private static final List<String> NAMES =
            List.of("a", "A", "b", "B", "a-b", "ab", "a0", "a.b", "a~", "_", "0", "é", "Ａ", "👍");

    @ParameterizedTest
    @EnumSource
    void changesNothingTheSecondTime(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();
        var before = schema.list("SELECT version || ' ' || checksum FROM flyway_schema_history ORDER BY 1");

        schema.migrate();

        assertThat(schema.list("SELECT version || ' ' || checksum FROM flyway_schema_history ORDER BY 1"))
                .isEqualTo(before)
                .isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesASchemaThatANewerProgramMade(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();
        schema.execute(
                "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script, installed_by,"
                        + " execution_time, success) VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 'x', 1, "
                        + (kind == Databases.Kind.SQLITE ? "1)" : "true)"));

        assertThatThrownBy(schema::migrate)
                .isInstanceOf(Migrations.NewerSchemaException.class)
                .hasMessageContaining("the database has schema version 99, and this program knows ")
                .hasMessageContaining("start the newer program again");
    }

    /// All but the full-text index, for which each has its own kind of table.
    @Test
    void makesTheSameTablesOnBothEngines(@TempDir Path folder) throws SQLException {
        var columns = new TreeMap<String, List<String>>();
        var sqlite = Schema.of(Databases.Kind.SQLITE, folder);
        sqlite.migrate();
        for (String table : sqlite.list("SELECT name FROM sqlite_master WHERE type = 'table'"
                + " AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'flyway%' AND name NOT LIKE 'hub_text%'")) {
            columns.put(table, sqlite.list("SELECT name FROM pragma_table_info('" + table + "') ORDER BY cid"));
        }
        var postgres = Schema.of(Databases.Kind.POSTGRES, folder);
        postgres.migrate();

        assertThat(columns).hasSizeGreaterThan(10).containsKey("api_key");
        assertThat(
                        postgres.list(
                                "SELECT table_name FROM information_schema.tables"
                                        + " WHERE table_schema = 'public' AND table_name NOT LIKE 'flyway%' AND table_name <> 'hub_text'"))
                .containsExactlyInAnyOrderElementsOf(columns.keySet());
        for (var table : columns.entrySet()) {
            assertThat(postgres.list("SELECT column_name FROM information_schema.columns WHERE table_name = '"
                            + table.getKey() + "' ORDER BY ordinal_position"))
                    .as(table.getKey())
                    .isEqualTo(table.getValue());
        }
    }

    @ParameterizedTest
    @EnumSource
    void sortsNamesByTheirBytes(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            var shuffled = new ArrayList<>(NAMES);
            Collections.shuffle(shuffled, new Random(1));
            database.write(tx -> {
                OrganizationTable.insert(tx, "o");
                shuffled.forEach(name -> insertNamespace(tx, name));
                return 1;
            });

            List<String> sorted = database.read(tx -> tx.handle()
                    .createQuery("SELECT name FROM namespace ORDER BY name")
                    .mapTo(String.class)
                    .list());

            assertThat(sorted)
                    .isEqualTo(NAMES.stream()
                            .sorted(Comparator.comparing(
                                    name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned))
                            .toList());
        }
    }

    private static void insertNamespace(Tx tx, String name) {
        tx.handle()
                .createUpdate("INSERT INTO namespace (name, display_name, organization_id, created_at)"
                        + " VALUES (:name, '', 'o', 0)")
                .bind("name", name)
                .execute();
    }

    /// A database to be migrated, looked at by JDBC alone.
    private interface Schema {
        Connection connect() throws SQLException;

        void migrate();

        static Schema of(Databases.Kind kind, Path folder) {
            return switch (kind) {
                case SQLITE -> new SqliteSchema(folder.resolve("sheaf.db"));
                case POSTGRES -> new PostgresSchema(Databases.postgres());
            };
        }

        default void execute(String sql) throws SQLException {
            try (var connection = connect();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        default List<String> list(String sql) throws SQLException {
            try (var connection = connect();
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery(sql)) {
                var list = new ArrayList<String>();
                while (rows.next()) {
                    list.add(rows.getString(1));
                }
                return list;
            }
        }
    }

    private record SqliteSchema(Path file) implements Schema {
        @Override
        public Connection connect() throws SQLException {
            return SqliteDatabase.connect(file);
        }

        @Override
        public void migrate() {
            Migrations.migrate(file);
        }
    }

    private record PostgresSchema(PostgresDatabase.Settings settings) implements Schema {
        @Override
        public Connection connect() throws SQLException {
            return PostgresDatabase.connectToListen(settings);
        }

        @Override
        public void migrate() {
            Migrations.migrate(settings);
        }
    }
}
