package dev.sheaf.server.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.db.OrganizationTable;
import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.engine.db.PostgresLines;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.testing.Databases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MigrationsTest {
    /// Told apart by every collation that is not bytewise: case, punctuation, digits, accents, what UTF-16 sorts
    /// lower.
    private static final List<String> NAMES =
            List.of("a", "A", "b", "B", "a-b", "ab", "a0", "a.b", "a~", "_", "0", "é", "Ａ", "👍");

    private static final String WAITING = """
            SELECT pid::text FROM pg_locks l JOIN pg_database d ON d.oid = l.database
            WHERE NOT granted AND datname = current_database()""";

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

    /// Behind a migration that waits for a table, all readers of the table would wait too.
    @Test
    void aMigrationWaitsShortlyForATableAndTriesAgain() throws SQLException, InterruptedException {
        var settings = Databases.emptyPostgres();
        var schema = new PostgresSchema(settings);
        schema.flyway().target("36").load().migrate();
        try (var busy = schema.connect();
                var statement = busy.createStatement()) {
            busy.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM version"); // as a backup does, for as long as its transaction
            var upgrade = Thread.ofVirtual().start(() -> Migrations.migrate(settings, Duration.ofMillis(100)));
            while (schema.list(WAITING).isEmpty()) {
                Thread.onSpinWait();
            }

            assertThat(schema.list("SELECT count(*)::text FROM version")).containsExactly("0");
            assertThat(upgrade.isAlive()).isTrue();
            busy.rollback();
            upgrade.join();
        }

        assertThat(schema.list("SELECT version FROM flyway_schema_history ORDER BY installed_rank DESC LIMIT 1"))
                .containsExactly(Migrations.newest());
    }

    @ParameterizedTest
    @EnumSource
    void refusesASchemaThatANewerProgramMade(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = newer(kind, folder);
        schema.execute("UPDATE setting SET value = '99' WHERE name = 'oldest-schema'");

        assertThatThrownBy(schema::migrate)
                .isInstanceOf(Migrations.NewerSchemaException.class)
                .hasMessageContaining("the database has schema version 99, but this program only knows ")
                .hasMessageContaining("start the newer program again");
    }

    @ParameterizedTest
    @EnumSource
    void usesANewerSchemaThatServesItAndLeavesItAsItIs(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = newer(kind, folder);
        String all = "SELECT version || ' ' || description FROM flyway_schema_history ORDER BY installed_rank";
        var before = schema.list(all);

        schema.migrate();

        assertThat(schema.list(all)).isEqualTo(before).last().isEqualTo("99 later");
    }

    @ParameterizedTest
    @EnumSource
    void refusesANewerSchemaThatSaysNothingOfOlderPrograms(Databases.Kind kind, @TempDir Path folder)
            throws SQLException {
        var schema = newer(kind, folder);
        schema.execute("DELETE FROM setting WHERE name = 'oldest-schema'");

        assertThatThrownBy(schema::migrate).isInstanceOf(Migrations.NewerSchemaException.class);
    }

    private static Schema newer(Databases.Kind kind, Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();
        schema.execute(
                "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script, installed_by,"
                        + " execution_time, success) VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 'x', 1, "
                        + (kind == Databases.Kind.SQLITE ? "1)" : "true)"));
        return schema;
    }

    /// What is merged is never edited: databases were made by it.
    @ParameterizedTest
    @EnumSource
    void areWhatTheyWere(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();

        assertThat(schema.list("SELECT version || ' ' || checksum FROM flyway_schema_history ORDER BY installed_rank"))
                .startsWith("23 1036993764");
    }

    @ParameterizedTest
    @EnumSource
    void refusesASchemaOfAnotherBuild(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();
        schema.execute("UPDATE flyway_schema_history SET checksum = 7 WHERE version = '23'");

        assertThatThrownBy(schema::migrate)
                .isInstanceOf(Migrations.UnfitSchemaException.class)
                .hasMessageContaining("made by another build")
                .hasMessageContaining("migration 23 (\"baseline\")");
    }

    @ParameterizedTest
    @EnumSource
    void refusesADatabaseThatIsSomebodyElses(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.empty(kind, folder);
        schema.execute("CREATE TABLE invoice (id INTEGER)");

        assertThatThrownBy(schema::migrate)
                .isInstanceOf(Migrations.UnfitSchemaException.class)
                .hasMessageContaining("has tables of another program")
                .hasMessageContaining("an empty schema of its own");
        assertThat(schema.list("SELECT count(*) FROM invoice")).containsExactly("0");
    }

    /// They may use the same library, and be further than this one.
    @ParameterizedTest
    @EnumSource
    void refusesADatabaseOfAnotherProgramWithMigrations(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();
        for (String version : List.of("23", "1")) {
            schema.execute("UPDATE flyway_schema_history SET description = 'invoices', version = '" + version + "'");

            assertThatThrownBy(schema::migrate)
                    .isInstanceOf(Migrations.UnfitSchemaException.class)
                    .hasMessageContaining("another program, which calls its migration " + version + " \"invoices\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysHowAnOldReleaseIsUpgraded(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();
        schema.execute("UPDATE flyway_schema_history SET description = 'first schema', version = '1'");

        assertThatThrownBy(schema::migrate)
                .isInstanceOf(Migrations.UnfitSchemaException.class)
                .hasMessageContaining("made by Sheaf 0.1 or 0.2")
                .hasMessageContaining("sheaf admin backup", "sheaf admin restore");
    }

    /// Or the text could give orders to the operator's terminal.
    @ParameterizedTest
    @EnumSource
    void quotesWhatComesFromTheDatabase(Databases.Kind kind, @TempDir Path folder) throws SQLException {
        var schema = Schema.of(kind, folder);
        schema.migrate();
        schema.execute("UPDATE flyway_schema_history SET description = '\u001B[2Jx' WHERE version = '23'");

        assertThatThrownBy(schema::migrate)
                .isInstanceOf(Migrations.UnfitSchemaException.class)
                .hasMessageContaining("calls its migration 23 \"\\u{1b}[2Jx\"");
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
        assertThat(postgres.list("SELECT table_name FROM information_schema.tables"
                        + " WHERE table_schema = 'public' AND table_name NOT LIKE 'flyway%' AND"
                        + " table_name <> 'hub_text'"))
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

        static Schema empty(Databases.Kind kind, Path folder) {
            if (kind == Databases.Kind.POSTGRES) {
                return new PostgresSchema(Databases.emptyPostgres());
            }
            try {
                return new SqliteSchema(Files.createDirectories(folder).resolve("sheaf.db"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// The migrations, to run some of them.
        FluentConfiguration flyway();

        /// What lets rows stand alone.
        String withoutReferences();

        default void insert(String row) throws SQLException {
            try (var connection = connect();
                    var statement = connection.createStatement()) {
                statement.execute(withoutReferences());
                statement.execute(row);
            }
        }

        /// A row for each table, with every column that it has.
        default List<String> inserts() throws SQLException {
            try (var connection = connect()) {
                var meta = connection.getMetaData();
                var inserts = new ArrayList<String>();
                try (var tables = meta.getTables(null, connection.getSchema(), "%", new String[] {"TABLE"})) {
                    while (tables.next()) {
                        String table = tables.getString("TABLE_NAME");
                        if (!table.matches("(flyway|sqlite|hub_text).*")) {
                            inserts.add(insert(meta, connection.getSchema(), table));
                        }
                    }
                }
                return inserts;
            }
        }

        private static String insert(DatabaseMetaData meta, @Nullable String schema, String table) throws SQLException {
            var names = new ArrayList<String>();
            var values = new ArrayList<String>();
            try (var columns = meta.getColumns(null, schema, table, "%")) {
                while (columns.next()) {
                    names.add(columns.getString("COLUMN_NAME"));
                    String type = columns.getString("TYPE_NAME").toLowerCase(Locale.ROOT);
                    values.add(
                            switch (type) {
                                case "text" -> "'x'";
                                case "blob" -> "x'00'";
                                case "bytea" -> "'\\x00'";
                                default -> "1";
                            });
                }
            }
            return "INSERT INTO " + table + " (" + String.join(", ", names) + ") VALUES (" + String.join(", ", values)
                    + ")";
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
            return DriverManager.getConnection("jdbc:sqlite:" + file);
        }

        @Override
        public void migrate() {
            Migrations.migrate(file);
        }

        @Override
        public FluentConfiguration flyway() {
            return Flyway.configure()
                    .dataSource("jdbc:sqlite:" + file, "", "")
                    .locations("classpath:migration")
                    .placeholders(SchemaPlaceholders.of(SqlDialect.SQLITE));
        }

        @Override
        public String withoutReferences() {
            return "PRAGMA foreign_keys = off";
        }
    }

    private record PostgresSchema(PostgresDatabase.Settings settings) implements Schema {
        @Override
        public Connection connect() throws SQLException {
            return PostgresLines.patient(settings);
        }

        @Override
        public void migrate() {
            Migrations.migrate(settings);
        }

        @Override
        public FluentConfiguration flyway() {
            return Flyway.configure()
                    .dataSource(
                            settings.jdbcUrl(),
                            settings.user(),
                            settings.password().expose())
                    .locations("classpath:migration")
                    .placeholders(SchemaPlaceholders.of(SqlDialect.POSTGRES));
        }

        @Override
        public String withoutReferences() {
            return "SET session_replication_role = replica";
        }
    }
}
