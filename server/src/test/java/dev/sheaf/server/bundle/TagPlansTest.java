package dev.sheaf.server.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// In a repository of a hundred thousand tags and versions, no statement about a few of them may walk through all
/// of them. SQLite keeps no statistics here, so it plans alike for one row and for many. PostgreSQL plans by its
/// own.
@SuppressWarnings("NullAway.Init") // set before each test
class TagPlansTest {
    private static final UUID BUNDLE = UUID.randomUUID();
    private static final Digest DIGEST = Digest.sha256(new byte[0]);
    private static final Version VERSION = Version.parse("1.2.3");
    private static final Repository REPOSITORY =
            new Repository(1, RepositoryName.parse("acme/kit"), UUID.randomUUID(), Visibility.PRIVATE);

    @TempDir
    Path folder;

    private Database database;

    @BeforeEach
    void open() {
        database = Databases.Kind.SQLITE.open(folder, InstantSource.system());
    }

    @AfterEach
    void close() {
        database.close();
    }

    record Work(String name, BiConsumer<Tags, Tx> statements) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Work> works() {
        return Stream.of(
                new Work("a tag", (tags, tx) -> tags.find(tx, REPOSITORY, "x")),
                new Work("a page of tags that are no versions", (tags, tx) -> tags.named(tx, REPOSITORY, "x", 50)),
                new Work("the tags of a manifest", (tags, tx) -> tags.pointingAt(tx, 7)),
                new Work("a tag removed", (tags, tx) -> tags.remove(tx, REPOSITORY, "x", "me")),
                new Work("the history of a tag", (tags, tx) -> tags.history(tx, REPOSITORY, "x", 9, 50)),
                new Work("a version", (tags, tx) -> VersionRows.find(tx, BUNDLE, VERSION)),
                new Work("a version by digest", (tags, tx) -> VersionRows.find(tx, BUNDLE, DIGEST)),
                new Work("a version by manifest", (tags, tx) -> VersionRows.findByManifest(tx, BUNDLE, 7)),
                new Work(
                        "the versions behind digests", (tags, tx) -> VersionRows.named(tx, 1, List.of(DIGEST, DIGEST))),
                new Work("the versions of a page of tags", (tags, tx) -> VersionRows.ofTags(tx, 1, "x", 50)),
                new Work("latest", (tags, tx) -> VersionRows.latest(tx, BUNDLE)),
                new Work("a page of versions", (tags, tx) -> VersionRows.list(tx, BUNDLE, "x", 50)),
                new Work("the newest versions", (tags, tx) -> VersionRows.listByTime(tx, BUNDLE, null, 50)));
    }

    @ParameterizedTest
    @MethodSource("works")
    void isFoundByAnIndex(Work work) {
        var plan = database.write(tx -> plan(tx, work.statements()));

        assertThat(plan).isNotEmpty();
        if (work.name().equals("latest")) {
            plan.remove("SEARCH v USING INDEX version_in_order (bundle_id=?)"); // from its end, over what is yanked
        } else if (work.name().equals("a page of versions")) {
            plan.removeAll(Set.of("SCAN v", "SCAN some_1", "SCAN some_0")); // the page, and its two parts
        }
        assertThat(plan)
                .allSatisfy(step ->
                        assertThat(step).doesNotStartWith("SCAN").doesNotContain("(bundle_id=?)", "(repository_id=?)"));
    }

    @ParameterizedTest
    @MethodSource("works")
    void isInTheOrderOfAnIndexWhereItIsCutOff(Work work) {
        var plan = database.write(tx -> plan(tx, work.statements()));

        boolean few = Set.of(
                        "a version by digest",
                        "a version by manifest",
                        "the versions behind digests",
                        "the versions of a page of tags")
                .contains(work.name()); // they sort the versions of one manifest, or of one page
        var sorts = few ? Optional.of("USE TEMP B-TREE FOR ORDER BY") : Optional.<String>empty();
        if (work.name().equals("a page of versions")) {
            assertThat(plan).contains("CO-ROUTINE some_1", "CO-ROUTINE some_0");
            sorts = Optional.of("USE TEMP B-TREE FOR ORDER BY"); // the page; its parts are in order
        } else if (work.name().equals("the newest versions")) {
            sorts = Optional.of("USE TEMP B-TREE FOR LAST TERM OF ORDER BY"); // versions of one millisecond
        }
        assertThat(plan.stream().filter(step -> step.contains("TEMP B-TREE")).findFirst())
                .isEqualTo(sorts);
    }

    private Set<String> plan(Tx tx, BiConsumer<Tags, Tx> statements) {
        var settings = tx.handle().getConfig(SqlStatements.class);
        var executed = new TreeSet<String>();
        settings.setSqlLogger(new SqlLogger() {
            @Override
            public void logAfterExecution(StatementContext context) {
                executed.add(context.getParsedSql().getSql());
            }
        });
        statements.accept(new Tags(database), tx);
        settings.setSqlLogger(SqlLogger.NOP_SQL_LOGGER);
        var steps = new TreeSet<String>();
        for (String sql : executed) {
            try (var statement = tx.handle().getConnection().prepareStatement("EXPLAIN QUERY PLAN " + sql);
                    var rows = statement.executeQuery()) {
                while (rows.next()) {
                    steps.add(rows.getString("detail"));
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
        return steps;
    }
}
