package dev.sheaf.server.registry.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.testing.EveryStack;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Manifests without a tag, where they go after a while.
@EveryStack
class UntaggedManifestsTest extends CollectorFixture {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    @Override
    public RetentionPolicy keeping() {
        return new RetentionPolicy(DAY, DAY, DAY.multipliedBy(30));
    }

    @Test
    void theyGoAfterTheirTime() {
        var repository = repository("acme/kit");
        var once = image(null, push(repository, random(1)));
        var never = image(null, push(repository, random(2)));
        var again = image(null, push(repository, random(3)));
        tag(repository, "word", once);
        store(repository, never);
        tag(repository, "other", again);
        clock.advance(DAY.multipliedBy(20));
        tag(repository, "word", again);
        untag(repository, "other");
        clock.advance(DAY.multipliedBy(10));

        assertThat(collect().findings().getFirst().subject()).isEqualTo("acme/kit@" + never.digest());
        clock.advance(DAY.multipliedBy(20).minus(HOUR));
        assertThat(collect().counts()).isEmpty();
        clock.advance(HOUR);
        var report = collect();
        assertThat(report.findings().getFirst().subject()).isEqualTo("acme/kit@" + once.digest());
        assertThat(report.findings().getFirst().reason()).startsWith("it lost its last tag at ");
        clock.advance(DAY.multipliedBy(400));
        assertThat(collect().counts()).isEmpty();
        assertThat(node.manifests().find(repository, again.digest())).isPresent();
    }
}
