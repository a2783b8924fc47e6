package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.registry.upload.Uploads;
import dev.sheaf.server.testing.EveryStack;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Uploads of what the repository holds already, in a folder and in a bucket.
@EveryStack
class HeldUploadsTest extends RegistryFixture {
    @Test
    void whatIsHeldAlreadyTakesNoRoomOfTheQuota() throws IOException {
        quota = new Quota(400_000, 0, 0);
        node = restart();
        var repository = repository("acme/kit");
        var bytes = random(300_000);
        var digest = Digest.sha256(bytes);
        push(repository, bytes);
        node = restart();
        var other = repository("acme/other");

        node.uploads().finish(begin(repository), chunk(bytes, 0, 300_000), digest);
        node.uploads().finish(begun(repository, bytes), chunk(bytes, 50_000, 300_000), digest);

        var elsewhere = begun(other, bytes);
        assertProblem(
                Problem.QuotaExceeded.class,
                () -> node.uploads().finish(elsewhere, chunk(bytes, 50_000, 300_000), digest));
        var longer = begun(repository, bytes);
        assertProblem(
                Problem.QuotaExceeded.class,
                () -> node.uploads().finish(longer, chunk(random(300_001), 50_000, 300_001), digest));
        assertThat(rows("upload")).isZero();
        clock.advance(Duration.ofDays(3));
        node.housekeeping().run(new TaskRun(false));
        assertThat(stored()).hasSize(1);
    }

    /// An upload of which 50,000 bytes have come.
    private Uploads.Target begun(Repository repository, byte[] bytes) throws IOException {
        var target = begin(repository);
        node.uploads().append(target, chunk(bytes, 0, 50_000));
        return target;
    }

    private Uploads.Target begin(Repository repository) {
        var begun = node.uploads().begin(repository, caller, Digest.Algorithm.SHA256);
        return new Uploads.Target(repository, begun.id(), caller);
    }
}
