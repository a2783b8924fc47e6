package dev.sheaf.engine.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.sheaf.engine.db.mapping.ColumnPrefix;
import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Statements and their values, on both databases.
class TxTest {
    private static final String INSERT = "INSERT INTO probe (id, name) VALUES (:id, :name)";

    /// @param beside what the table has no column for
    private record Row(long id, String name, List<String> beside) {}

    private record Read(long id, String name) {}

    private record Name(String name, Digest digest) {}

    private record Nested(long id, Name named) {}

    private record Two(Name one, @ColumnPrefix("other_") Nested other) {}

    @ParameterizedTest
    @EnumSource
    void aRecordOfEachItemIsInserted(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            int[] rows = tx.each(INSERT, List.of(new Row(1, "one", List.of("x")), new Row(2, "two", List.of())));

            assertThat(rows).containsExactly(1, 1);
            assertThat(tx.list("SELECT id, name FROM probe ORDER BY id", Read.class))
                    .containsExactly(new Read(1, "one"), new Read(2, "two"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void itemsAreRecordsMapsEntriesAndValues(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            var digest = Digest.sha256(new byte[] {1});

            tx.each(INSERT, List.of(Map.of("name", "map")), "id", 1);
            tx.each(
                    "INSERT INTO probe (id, name) VALUES (:key, :value)",
                    Map.of(2, "entry").entrySet());
            tx.each("INSERT INTO probe (id, name) VALUES (:id, :each)", List.of(digest), "id", 3);
            int[] none = tx.each(INSERT, List.of());

            assertThat(none).isEmpty();
            assertThat(tx.list("SELECT name FROM probe ORDER BY id", String.class))
                    .containsExactly("map", "entry", digest.toString());
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRecordWithinARecordHasItsColumnsBesideTheOthers(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            var row = new Nested(1, new Name("one", Digest.sha256(new byte[] {1})));

            tx.change("INSERT INTO probe (id, name, digest) VALUES (:id, :name, :digest)", row);

            assertThat(tx.one("SELECT * FROM probe", Nested.class)).isEqualTo(row);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRecordOfASecondTableHasItsColumnsUnderAPrefix(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            tx.each(INSERT, List.of(new Read(1, "one"), new Read(2, "two")));

            var found = tx.list("""
                    SELECT a.name, a.digest, b.id AS other_id, b.name AS other_name, b.digest AS other_digest
                    FROM probe AS a JOIN probe AS b ON b.id = 3 - a.id ORDER BY a.id
                    """, Two.class);

            assertThat(found).extracting(two -> two.one().name()).containsExactly("one", "two");
            assertThat(found).extracting(two -> two.other().id()).containsExactly(2L, 1L);
            assertThat(found).extracting(two -> two.other().named().name()).containsExactly("two", "one");
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatIsDoneLaterIsDoneBeforeWhatFollows(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            for (long id = 1; id <= 40; id++) { // more than go in one message
                tx.later(INSERT, new Read(id, "name " + id));
                tx.later("UPDATE probe SET name = :name || id WHERE id = :id", "name", "renamed ", "id", id);
            }

            assertThat(tx.list("SELECT name FROM probe WHERE id IN (1, 40) ORDER BY id", String.class))
                    .containsExactly("renamed 1", "renamed 40");
            tx.later("UPDATE probe SET name = 'x'");
            assertThat(tx.change("DELETE FROM probe WHERE name = 'x'")).isEqualTo(40);
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatAForeignKeyForbidsIsForbiddenWhereItIsDoneLater(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            tx.change("CREATE TEMPORARY TABLE part (id BIGINT REFERENCES probe (id))");
            tx.later(INSERT, new Read(1, "one"));

            boolean one = tx.attempt(() -> tx.later("INSERT INTO part (id) VALUES (:id)", "id", 1));
            boolean two = tx.attempt(() -> {
                tx.later(INSERT, new Read(3, "three"));
                tx.later("INSERT INTO part (id) VALUES (:id)", "id", 2);
            });

            assertThat(one).isTrue();
            assertThat(two).isFalse();
            assertThat(tx.number("SELECT count(*) FROM part")).isOne();
            assertThat(tx.list("SELECT id FROM probe", Long.class)).containsExactly(1L);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aMapHasItsQuerysOrder(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            tx.each(INSERT, List.of(new Read(1, "b"), new Read(2, "a"), new Read(3, "b")));

            var found = tx.map("SELECT name, id FROM probe ORDER BY id DESC", String.class, Long.class);

            assertThat(found).containsExactly(entry("b", 1L), entry("a", 2L));
            assertThat(new LinkedHashMap<>(found).firstEntry().getKey()).isEqualTo("b");
        });
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsInAnEmptyCollection(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            tx.change(INSERT, new Read(1, "one"));

            assertThat(tx.list("SELECT id FROM probe WHERE id IN (<ids>)", Long.class, "ids", List.of()))
                    .isEmpty();
            assertThat(tx.has("SELECT id FROM probe WHERE id IN (<ids>)", "ids", List.of()))
                    .isFalse();
            assertThat(tx.change("DELETE FROM probe WHERE id IN (<ids>)", "ids", List.of()))
                    .isZero();
            assertThat(tx.number("SELECT count(*) FROM probe")).isOne();
        });
    }

    @ParameterizedTest
    @EnumSource
    void nowIsTheTransactionsTimeUnlessItIsGiven(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            tx.change("INSERT INTO probe (id, name) VALUES (:now, 'now')");

            assertThat(tx.one("SELECT id FROM probe", Instant.class)).isEqualTo(tx.now());
            assertThat(tx.has("SELECT id FROM probe WHERE id = :now", "now", Instant.EPOCH))
                    .isFalse();
        });
    }

    @ParameterizedTest
    @EnumSource
    void rowsAreHandedOverInTheirOrder(Databases.Kind kind, @TempDir Path folder) {
        in(kind, folder, tx -> {
            tx.each(INSERT, List.of(new Read(1, "one"), new Read(2, "two")));
            var seen = new ArrayList<String>();

            tx.forEach("SELECT name FROM probe ORDER BY id", row -> row.getString("name"), seen::add);
            var planned = tx.planned("SELECT name FROM probe WHERE id > :id", String.class, Map.of("id", 1));

            assertThat(seen).containsExactly("one", "two");
            assertThat(planned).containsExactly("two");
        });
    }

    private static void in(Databases.Kind kind, Path folder, Consumer<Tx> work) {
        try (var database = kind.open(folder, InstantSource.system())) {
            database.write(tx -> {
                tx.change("CREATE TEMPORARY TABLE probe (id BIGINT PRIMARY KEY, name TEXT, digest TEXT)");
                work.accept(tx);
                return true;
            });
        }
    }
}
