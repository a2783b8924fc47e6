package dev.sheaf.engine.db.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeptStatementsTest {
    private static final String NUMBERS = "WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 9)"
            + " SELECT v FROM n WHERE v > :least";

    private final Handed kept = new Handed();
    private Handle handle;

    /// Notes what it hands out.
    private static final class Handed extends KeptStatements {
        final List<PreparedStatement> all = new ArrayList<>();

        @Override
        public PreparedStatement create(Connection connection, String sql, StatementContext context)
                throws SQLException {
            var statement = super.create(connection, sql, context);
            all.add(statement);
            return statement;
        }

        int different() {
            return Set.copyOf(all).size();
        }
    }

    @BeforeEach
    void open() throws SQLException {
        var connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        handle = JdbiSetup.over(() -> connection, SqlLogger.NOP_SQL_LOGGER)
                .setStatementBuilderFactory(own -> kept)
                .open();
        handle.execute("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT)");
        kept.all.clear();
    }

    @AfterEach
    void close() {
        handle.close();
    }

    private List<Integer> over(int least) {
        return handle.createQuery(NUMBERS)
                .bind("least", least)
                .mapTo(Integer.class)
                .list();
    }

    @Test
    void oneIsRunAgainWithOtherValues() {
        assertThat(over(6)).containsExactly(7, 8, 9);
        assertThat(over(8)).containsExactly(9);
        assertThat(kept.different()).isEqualTo(1);
    }

    @Test
    void oneThatIsRunningIsNotHandedOut() {
        try (var outer = handle.createQuery(NUMBERS)
                .bind("least", 5)
                .mapTo(Integer.class)
                .iterator()) {
            assertThat(outer.next()).isEqualTo(6);
            assertThat(over(7)).containsExactly(8, 9);
            assertThat(outer).toIterable().containsExactly(7, 8, 9);
        }
        assertThat(kept.different()).isEqualTo(2);
        assertThat(over(8)).containsExactly(9);
        assertThat(kept.different()).isEqualTo(2);
    }

    @Test
    void oneThatWasLeftHalfReadHoldsNothing() throws SQLException {
        handle.getConnection().setAutoCommit(false);
        try (var half = handle.createQuery(NUMBERS)
                .bind("least", 0)
                .mapTo(Integer.class)
                .iterator()) {
            assertThat(half.next()).isEqualTo(1);
        }
        handle.execute("INSERT INTO word (id, text) VALUES (1, 'a')");
        handle.getConnection().commit();
        handle.getConnection().setAutoCommit(true);
        handle.execute("DROP TABLE word"); // locked, were a statement still reading
        assertThat(over(0)).hasSize(9);
    }

    @Test
    void oneThatFailedRunsAgain() {
        insert(1, "a");
        assertThatThrownBy(() -> insert(1, "b")).isInstanceOf(UnableToExecuteStatementException.class);
        insert(2, "b");
        assertThat(words()).containsExactly("a", "b");
        assertThat(kept.all.subList(0, 3)).allMatch(kept.all.getFirst()::equals);
    }

    private void insert(int id, String text) {
        handle.createUpdate("INSERT INTO word (id, text) VALUES (:id, :text)")
                .bind("id", id)
                .bind("text", text)
                .execute();
    }

    private List<String> words() {
        return handle.createQuery("SELECT text FROM word ORDER BY id")
                .mapTo(String.class)
                .list();
    }

    @Test
    void batchesHaveOnlyTheirOwn() {
        for (int first : new int[] {1, 11}) {
            var batch = handle.prepareBatch("INSERT INTO word (id, text) VALUES (:id, :text)");
            for (int i = first; i < first + 3; i++) {
                batch.bind("id", i).bind("text", "w" + i).add();
            }
            assertThat(batch.execute()).containsExactly(1, 1, 1);
        }
        assertThat(words()).containsExactly("w1", "w2", "w3", "w11", "w12", "w13");
    }

    @Test
    void aTableThatChangedIsReadAnew() {
        insert(1, "a");
        assertThat(handle.createQuery("SELECT * FROM word").mapToMap().one()).containsOnlyKeys("id", "text");
        handle.execute("ALTER TABLE word ADD COLUMN length INTEGER");
        assertThat(handle.createQuery("SELECT * FROM word").mapToMap().one()).containsOnlyKeys("id", "text", "length");
    }

    @Test
    void thereAreNotMoreThanSoMany() throws SQLException {
        for (int i = 0; i < 400; i++) {
            handle.createQuery("SELECT " + i).mapTo(Integer.class).one();
        }
        int open = 0;
        for (var statement : kept.all) {
            open += statement.isClosed() ? 0 : 1;
        }
        assertThat(open).isEqualTo(256);
        assertThat(kept.all.getLast().isClosed()).isFalse();
    }
}
