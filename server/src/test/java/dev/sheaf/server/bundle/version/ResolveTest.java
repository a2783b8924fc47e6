package dev.sheaf.server.bundle.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.BundleFixture;
import dev.sheaf.server.bundle.Yank;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a selector means, of the same few versions.
class ResolveTest extends BundleFixture {
    private static final Yank BROKEN = new Yank("broken", null, null);

    private String resolved(String selector) {
        var answer = resolve.resolve(notes(), Resolve.Question.parse(selector));
        return answer.resolved().version().version().toString();
    }

    private void publishSome() {
        publish("1.2.0", "stable");
        publish("1.10.0");
        publish("1.2.3");
        publish("2.0.0-rc.1");
        publish("0.9.0");
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.0, 1.2.0",
        "stable, 1.2.0",
        "latest, 1.10.0",
        "^1.2, 1.10.0",
        "~1.2.0, 1.2.3",
        "1, 1.10.0",
        "<1.2, 0.9.0",
        "^2.0.0-rc, 2.0.0-rc.1"
    })
    void aSelectorMeansOneVersion(String selector, String version) {
        publishSome();

        assertThat(resolved(selector)).isEqualTo(version);
    }

    @Test
    void aRangeLeavesOutWhatIsYankedWhileItsNumberFindsIt() {
        publishSome();

        versions.yank(origin, NOTES, Version.parse("1.10.0"), BROKEN);

        assertThat(resolved("^1.2")).isEqualTo("1.2.3");
        assertThat(resolved("latest")).isEqualTo("1.2.3");
        assertThat(resolved("1.10.0")).isEqualTo("1.10.0");
    }

    @Test
    void aTagComesBeforeTheRangeThatItReadsAs() {
        publish("1.2.0", "1");
        publish("1.3.0");

        assertThat(resolved("1")).isEqualTo("1.2.0");
    }

    @Test
    void whatIsKnownIsNotLookedUpAgain() {
        publishSome();
        var bundle = notes();
        var question = Resolve.Question.parse("^1.2");
        var first = resolve.resolve(bundle, question);

        var second = resolve.resolve(bundle, question);

        assertThat(second.resolved()).isSameAs(first.resolved());
    }

    @Test
    void aDigestThatIsAskedForBesidesMustBeTheVersions() {
        publishSome();
        var other = Digest.sha256(new byte[0]);

        assertProblem(
                Problem.VersionNotFound.class,
                () -> resolve.resolve(notes(), Resolve.Question.parse("1.2.0"), other, ResolveTime.NOW));
    }

    @Test
    void nothingActiveIsSaidSo() {
        publish("1.0.0");
        versions.yank(origin, NOTES, Version.parse("1.0.0"), BROKEN);

        assertProblem(Problem.NoActiveVersion.class, () -> resolved("latest"));
        assertProblem(Problem.VersionNotFound.class, () -> resolved("^1"));
        assertThatThrownBy(() -> resolved("latest"))
                .hasMessageContaining("all versions of acme/notes are yanked: 1.0.0 was yanked (");
        assertThatThrownBy(() -> resolved("^1"))
                .hasMessageContaining("matches \"^1\" that is not yanked: 1.0.0 was yanked (");
        assertThatThrownBy(() -> resolved("^2")).hasMessageNotContaining("yanked");
    }

    @Test
    void aMomentBeforeAPublishDoesNotKnowOfIt() {
        publish("1.0.0");
        var then = database.now();
        clock.advance(Duration.ofHours(1));
        publish("1.1.0");

        var answer = resolve.resolve(notes(), Resolve.Question.parse("^1"), null, new ResolveTime(then, Duration.ZERO));

        assertThat(answer.resolved().version().version()).isEqualTo(Version.parse("1.0.0"));
    }
}
