package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.Stack;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A commit whose answer is lost, and which happens while whoever asked for it clears up: nothing that it names is
/// taken away.
@ParameterizedClass
@EnumSource(value = Stack.class, names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
@SuppressWarnings("NullAway.Init") // set before each test
class LostCommitTest extends RegistryFixture {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final PostgresDatabase.Settings settings = Databases.postgres();
    private final byte[] bytes = random(100_000);
    private final Digest digest = Digest.sha256(bytes);

    private Line line;
    private PostgresDatabase remote;
    private Blobs blobs;
    private Repository repository;

    @BeforeEach
    void connect() throws IOException {
        database.close();
        database = new PostgresDatabase(settings, clock);
        node = restart();
        database.write(tx -> tx.handle()
                .createUpdate("INSERT INTO organization (id, handle, name, created_at) VALUES (:id, 'acme', 'Acme', 0)")
                .bind("id", ORGANIZATION)
                .execute());
        repository = repository("acme/kit");
        var server = URI.create(settings.jdbcUrl().substring("jdbc:".length()));
        line = new Line(server, Long.MAX_VALUE);
        remote = new PostgresDatabase(
                Databases.at(
                        "jdbc:postgresql://127.0.0.1:" + line.port() + server.getPath() + "?prepareThreshold=0",
                        settings.user(),
                        settings.password(),
                        2),
                clock);
        blobs = new Blobs(remote, node.store(), keeping(), new Blobs.CacheSize(10, 1_000));
    }

    @AfterEach
    void hangUp() throws IOException {
        line.deliver();
        remote.close();
        line.close();
    }

    private interface Work {
        void run() throws IOException;
    }

    private void loses(Work work) {
        line.holdCommit();
        assertProblem(Problem.Unavailable.class, work::run);
        line.deliver();
    }

    private void assertThere() throws IOException {
        Eventually.within(SOON, () -> node.blobs().find(repository, digest).isPresent());
        var blob = node.blobs().find(repository, digest).orElseThrow();
        assertThat(node.blobs().open(blob).bytes()).isEqualTo(bytes);
    }

    @Test
    void whatAPublishStagedStays() throws IOException {
        var staged = blobs.stage(bytes);

        loses(() -> {
            try {
                remote.write(tx -> blobs.link(tx, repository, staged));
            } catch (RuntimeException e) {
                blobs.discard(List.of(staged), e);
                throw e;
            }
        });

        assertThere();
    }
}
