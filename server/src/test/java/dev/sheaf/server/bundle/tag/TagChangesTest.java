package dev.sheaf.server.bundle.tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.BundleFixture;
import dev.sheaf.server.bundle.Yank;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where tags may point, and where they go when their version does.
class TagChangesTest extends BundleFixture {
    private static final Tag STABLE = Tag.parse("stable");
    private static final Version ONE = Version.parse("1.0.0");
    private static final Version TWO = Version.parse("2.0.0");

    @BeforeEach
    void publishTwo() {
        publish("1.0.0");
        publish("2.0.0");
    }

    private void put(Tag tag, Version version) {
        tagging.put(origin, NOTES, tag, new TagTarget(version, null, null), now -> {});
    }

    private String where(Tag tag) {
        return Objects.toString(tagging.get(notes(), tag).version());
    }

    private void yank(Version version) {
        versions.yank(origin, NOTES, version, new Yank(null, null, null));
    }

    @Test
    void latestFollowsTheHighestVersionUntilItIsPinned() {
        publish("3.0.0-rc.1");
        assertThat(where(Tag.LATEST)).isEqualTo("2.0.0");

        put(Tag.LATEST, ONE);
        publish("4.0.0");

        assertThat(where(Tag.LATEST)).isEqualTo("1.0.0");
    }

    @Test
    void aPinThatIsTakenAwayGivesLatestBack() {
        put(Tag.LATEST, ONE);

        tagging.delete(origin, NOTES, Tag.LATEST, now -> {});

        assertThat(where(Tag.LATEST)).isEqualTo("2.0.0");
    }

    @Test
    void aTagLeavesAVersionThatIsYanked() {
        put(STABLE, TWO);

        yank(TWO);

        assertThat(where(STABLE)).isEqualTo("1.0.0");
        assertProblem(Problem.Conflict.class, () -> put(STABLE, TWO));
    }

    @Test
    void aTagThatHasNowhereToGoIsRemoved() {
        put(STABLE, ONE);

        yank(ONE);

        assertProblem(Problem.TagNotFound.class, () -> where(STABLE));
    }

    @Test
    void aProtectedTagStays() {
        tagging.put(origin, NOTES, STABLE, new TagTarget(ONE, null, true), now -> {});

        assertProblem(Problem.TagProtected.class, () -> put(STABLE, TWO));
        assertProblem(Problem.TagProtected.class, () -> tagging.delete(origin, NOTES, STABLE, now -> {}));
        assertThatCode(() -> tagging.put(origin, NOTES, STABLE, new TagTarget(TWO, null, false), now -> {}))
                .doesNotThrowAnyException();
    }

    @Test
    void aTagThatMovedMeanwhileIsNotMoved() {
        put(STABLE, ONE);
        var target = new TagTarget(TWO, TWO, null);

        assertProblem(Problem.TagMoved.class, () -> tagging.put(origin, NOTES, STABLE, target, now -> {}));
    }

    @ParameterizedTest
    @CsvSource({"1, 1.0.0, true", "1, 2.0.0, false", "2.x, 2.0.0, true", "word, 2.0.0, true"})
    void aTagThatReadsAsARangeMeansAVersionInIt(String tag, String version, boolean allowed) {
        if (allowed) {
            put(Tag.parse(tag), Version.parse(version));
            assertThat(where(Tag.parse(tag))).isEqualTo(version);
        } else {
            assertProblem(Problem.ValidationFailed.class, () -> put(Tag.parse(tag), Version.parse(version)));
        }
    }

    @Test
    void aTagGoesBackToWhereItWas() {
        put(STABLE, ONE);
        put(STABLE, TWO);

        tagging.rollback(origin, NOTES, STABLE, new TagRollback(null, null));

        assertThat(where(STABLE)).isEqualTo("1.0.0");
        assertThat(tagging.history(notes(), STABLE, Long.MAX_VALUE, 10))
                .extracting(move -> Objects.toString(move.after()))
                .containsExactly("1.0.0", "2.0.0", "1.0.0");
    }
}
