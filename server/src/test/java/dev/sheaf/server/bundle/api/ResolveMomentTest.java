package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Resolve at another moment, or among what has been out for a while (contract 3.1).
class ResolveMomentTest extends OnEveryStack {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Duration DAY = Duration.ofDays(1);

    private String bundle = "";

    @BeforeEach
    void fresh() {
        bundle = "moments/b" + COUNT.incrementAndGet();
    }

    private void push(String version) {
        assertThat(app().push(bundle, version, "public", "# " + version).status())
                .isEqualTo(201);
    }

    private void act(String method, String rest, String body) {
        assertThat(app().send(method, path() + rest, app().admin(), body).status())
                .isIn(200, 201);
    }

    private String path() {
        return "/v1/namespaces/" + bundle.replace("/", "/bundles/");
    }

    /// A moment with an hour around it in which nothing happens: a node's idea of the database's clock may shift by
    /// some milliseconds.
    private Instant now() {
        pass(Duration.ofHours(1));
        var now = app().database().now();
        pass(Duration.ofHours(1));
        return now;
    }

    private Reply resolve(String query) {
        return app().get(path() + ":resolve?" + query, null);
    }

    private String found(String query) {
        var reply = resolve(query);
        return reply.status() == 200 ? reply.as(Resolution.class).version() : "none: " + reply.status();
    }

    @Test
    void resolvesLatestAsOfAMoment() {
        var before = now();
        pass(DAY);
        push("1.0.0");
        var first = now();
        pass(DAY);
        push("2.0.0");
        pass(DAY);

        assertThat(found("asOf=" + before)).isEqualTo("none: 404");
        assertThat(found("asOf=" + first)).isEqualTo("1.0.0");
        assertThat(found("asOf=" + first.plus(DAY).minus(Duration.ofHours(2)))).isEqualTo("1.0.0");
        assertThat(found("asOf=" + first.plus(DAY).plus(Duration.ofHours(2)))).isEqualTo("2.0.0");
        assertThat(found("asOf=" + now())).isEqualTo("2.0.0");
    }

    @Test
    void aTagIsWhereItWasAndNowhereAfterItWent() {
        push("1.0.0");
        push("2.0.0");
        act("PUT", "/tags/stable", "{\"version\": \"1.0.0\"}");
        var one = now();
        pass(DAY);
        act("PUT", "/tags/stable", "{\"version\": \"2.0.0\"}");
        var two = now();
        pass(DAY);
        assertThat(app().send("DELETE", path() + "/tags/stable", app().admin(), null)
                        .status())
                .isEqualTo(204);
        var gone = now();
        pass(DAY);

        assertThat(found("version=stable&asOf=" + one)).isEqualTo("1.0.0");
        assertThat(found("version=stable&asOf=" + two)).isEqualTo("2.0.0");
        assertThat(found("version=stable&asOf=" + gone)).isEqualTo("none: 404");
        assertThat(found("version=stable&minAge=PT1S")).isEqualTo("none: 404");
    }

    @Test
    void aRangeKnowsWhatWasYankedThen() {
        push("1.0.0");
        push("1.1.0");
        pass(DAY);
        act("POST", "/versions/1.1.0:yank", "{}");
        var yanked = now();
        pass(DAY);
        act("POST", "/versions/1.1.0:unyank", "{}");
        var again = now();
        pass(DAY);
        act("POST", "/versions/1.1.0:yank", "{\"reason\": \"broken\"}");
        pass(DAY);

        assertThat(found("version=%5E1.0&asOf=" + yanked.minus(Duration.ofHours(12))))
                .isEqualTo("1.1.0");
        assertThat(found("version=%5E1.0&asOf=" + yanked)).isEqualTo("1.0.0");
        assertThat(found("version=%5E1.0&asOf=" + again)).isEqualTo("1.1.0");
        assertThat(found("version=%5E1.0&asOf=" + now())).isEqualTo("1.0.0");
        var then = resolve("version=%5E1.0&asOf=" + again).as(Resolution.class);
        assertThat(then.state()).as("what is said of it is as it is now").isEqualTo("yanked");
        assertThat(requireNonNull(then.yank()).reason()).isEqualTo("broken");
    }

    /// One rule for the default, a tag, a range, an exact version and a digest.
    @Test
    void whatWasMeantThenAndIsDeletedSinceIsCalledDeleted() {
        push("1.0.0");
        push("1.1.0");
        act("PUT", "/tags/stable", "{\"version\": \"1.1.0\"}");
        String digest = resolve("version=1.1.0").as(Resolution.class).ociDigest();
        var there = now();
        pass(DAY);
        act("POST", "/versions/1.1.0:yank", "{}");
        var yanked = now();
        pass(DAY);
        assertThat(app().send("DELETE", path() + "/versions/1.1.0?reason=test", app().admin(), null)
                        .status())
                .isEqualTo(204);
        var gone = now();

        for (String asked :
                List.of("", "version=stable&", "version=%5E1.0&", "version=1.1.0&", "version=" + digest + "&")) {
            var then = resolve(asked + "asOf=" + there);
            assertThat(then.status()).as(asked).isEqualTo(410);
            assertThat(then.problem().code()).isEqualTo("version-deleted");
        }
        for (String asked : List.of("", "version=stable&", "version=%5E1.0&")) {
            assertThat(found(asked + "asOf=" + yanked)).as(asked).isEqualTo("1.0.0");
            assertThat(found(asked + "asOf=" + gone)).as(asked).isEqualTo("1.0.0");
            assertThat(found(asked + "minAge=PT1H")).as(asked).isEqualTo("1.0.0");
        }
    }

    @Test
    void minAgeTakesTheNewestThatHasBeenOutLongEnough() {
        push("1.0.0");
        act("PUT", "/tags/stable", "{\"version\": \"1.0.0\"}");
        pass(DAY.multipliedBy(10));
        push("1.1.0");
        act("PUT", "/tags/stable", "{\"version\": \"1.1.0\"}");
        pass(DAY);

        assertThat(found("")).isEqualTo("1.1.0");
        assertThat(found("minAge=PT12H")).isEqualTo("1.1.0");
        assertThat(found("minAge=P7D")).isEqualTo("1.0.0");
        assertThat(found("version=stable&minAge=P1W")).isEqualTo("1.0.0");
        assertThat(found("version=%5E1.0&minAge=P7D")).isEqualTo("1.0.0");
        assertThat(found("version=1.1.0&minAge=P7D")).isEqualTo("none: 404");
        assertThat(found("version=1.0.0&minAge=P7D")).isEqualTo("1.0.0");
        assertThat(found("minAge=P30D")).isEqualTo("none: 404");
        assertThat(found("minAge=P9D&asOf=" + now().minus(DAY))).isEqualTo("1.0.0");
        act("POST", "/versions/1.0.0:yank", "{}");
        assertThat(found("minAge=P7D")).as("never what is yanked").isEqualTo("none: 404");
    }

    @Test
    void whatIsNotOldEnoughIsNotCalledMissing() {
        push("1.0.0");
        act("PUT", "/tags/stable", "{\"version\": \"1.0.0\"}");
        pass(DAY);

        for (String query : List.of("", "version=stable&", "version=%5E1.0&", "version=1.0.0&")) {
            var young = resolve(query + "minAge=P7D");
            assertThat(young.problem().code()).as(query).isEqualTo("version-not-found");
            assertThat(young.problem().detail())
                    .contains("PT168H")
                    .doesNotContain("not a version;", "publish one first", "did you mean");
        }
        var then = app().database().now().minus(DAY.multipliedBy(9));
        assertThat(resolve("version=stable&asOf=" + then).problem().detail()).contains(then.toString());
    }

    @Test
    void versionsAreListedByTimeWhereAsked() {
        push("2.0.0");
        pass(DAY);
        push("1.9.0");
        pass(DAY);
        push("2.1.0-rc.1");

        var byTime = app().get(path() + "/versions?order=created&limit=2", null);
        assertThat(byTime.list(VersionSummary.class))
                .extracting(VersionSummary::version)
                .containsExactly("2.1.0-rc.1", "1.9.0");
        String cursor = byTime.nextCursor();
        assertThat(app().get(path() + "/versions?order=created&limit=2&cursor=" + cursor, null)
                        .list(VersionSummary.class))
                .extracting(VersionSummary::version)
                .containsExactly("2.0.0");
        assertThat(app().get(path() + "/versions?cursor=" + cursor, null).status())
                .as("a cursor of another order")
                .isEqualTo(400);
        assertThat(app().get(path() + "/versions?order=version", null).list(VersionSummary.class))
                .extracting(VersionSummary::version)
                .containsExactly("2.1.0-rc.1", "2.0.0", "1.9.0");
        assertThat(app().get(path() + "/versions?order=size", null).status()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "asOf=yesterday",
        "asOf=2026-01-01",
        "asOf=9999-01-01T00:00:00Z",
        "asOf=-999999999-01-01T00:00:00Z&version=%5E1.0",
        "asOf=-999999999-01-01T00:00:00Z&minAge=P36500D",
        "minAge=P1M",
        "minAge=-P1D",
        "minAge=7d",
        "minAge=P999999999D",
        "minAge=PT99999999999999999999S"
    })
    void rejectsMalformedMoments(String query) {
        push("1.0.0");

        var reply = resolve(query);

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().field()).contains(query.substring(0, query.indexOf('=')));
    }
}
