package dev.sheaf.server.v1.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// How often a bundle and its versions were pulled, by day, and who is told what of it.
class DownloadsApiTest extends OnEveryStack {
    private void pull(String repository, String version, @Nullable String key) {
        assertThat(app().get(bundle(repository) + "/versions/" + version + ":pull", key)
                        .status())
                .isEqualTo(200);
    }

    private JsonNode counts(String repository, String rest, @Nullable String key) {
        app().countDownloads();
        var reply = app().get(bundle(repository) + rest, key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json();
    }

    @Test
    void pullsAreToldByDayAndVersion() {
        app().push("daily/kit", "1.0.0", "public", "# 1");
        app().push("daily/kit", "1.1.0", "public", "# 2");
        assertThat(counts("daily/kit", "/downloads", null).get("days")).isEmpty();
        pull("daily/kit", "1.0.0", null);
        pull("daily/kit", "1.0.0", null);
        pull("daily/kit", "1.1.0", app().admin());
        app().countDownloads();
        pass(Duration.ofDays(3));
        pull("daily/kit", "1.0.0", null);

        var bundle = counts("daily/kit", "/downloads", null);
        assertThat(bundle.get("total").intValue()).isEqualTo(3);
        assertThat(bundle.at("/days/0/downloads").intValue()).isEqualTo(2);
        assertThat(bundle.at("/days/1/downloads").intValue()).isEqualTo(1);
        assertThat(bundle.at("/days/1/day").stringValue())
                .isEqualTo(bundle.get("to").stringValue());
        var first = counts("daily/kit", "/versions/1.0.0/downloads", null);
        assertThat(first.get("total").intValue()).isEqualTo(2);
        assertThat(first.get("days")).hasSize(2);
        assertThat(counts("daily/kit", "/versions/^1.1/downloads".replace("^", "%5E"), null)
                        .get("total")
                        .intValue())
                .isEqualTo(1);
    }

    @Test
    void whatIsOlderThanNinetyDaysIsInTheTotalAlone() {
        app().push("elder/kit", "1.0.0", "public", "# 1");
        pull("elder/kit", "1.0.0", null);
        app().countDownloads();
        pass(Duration.ofDays(89));
        assertThat(counts("elder/kit", "/downloads", null).get("days")).hasSize(1);
        pass(Duration.ofDays(1));

        for (String rest : new String[] {"/downloads", "/versions/1.0.0/downloads"}) {
            var counts = counts("elder/kit", rest, null);
            assertThat(counts.get("days")).isEmpty();
            assertThat(counts.get("total").intValue()).isEqualTo(1);
        }
    }

    @Test
    void pullsThatANodeWithAFastClockCountedForTomorrowWaitForTheirDay() {
        app().push("early/kit", "1.0.0", "public", "# 1");
        pass(Duration.ofDays(1));
        pull("early/kit", "1.0.0", null);
        app().countDownloads();
        pass(Duration.ofDays(-1));

        var counts = counts("early/kit", "/downloads", null);

        assertThat(counts.get("days")).isEmpty();
        assertThat(counts.get("total").intValue()).isEqualTo(1);
    }

    @Test
    void whatTheOrganizationPullsItselfIsToldToItAlone() {
        app().push("inner/kit", "1.0.0", "public", "# 1");
        pull("inner/kit", "1.0.0", app().admin());
        var own = counts("inner/kit", "/versions/1.0.0/downloads", app().admin());
        assertThat(own.get("own").intValue()).isEqualTo(1);
        assertThat(own.at("/days/0/own").intValue()).isEqualTo(1);
        assertThat(own.path("outsideSince").isString()).isFalse();

        String stranger = app().secondOrganization("downloaders");
        pull("inner/kit", "1.0.0", stranger);

        var after = counts("inner/kit", "/versions/1.0.0/downloads", app().admin());
        assertThat(after.get("total").intValue()).isEqualTo(2);
        assertThat(after.get("own").intValue()).isEqualTo(1);
        assertThat(after.get("outsideSince").isString()).isTrue();
        for (String key : new String[] {stranger, null}) {
            String told = counts("inner/kit", "/versions/1.0.0/downloads", key).toString();
            assertThat(told).contains("\"total\":2").doesNotContain("\"own\":1", "\"own\":2", "outsideSince\":\"");
        }
    }

    @Test
    void hiddenBundlesLookLikeMissingOnes() {
        app().push("shut/kit", "1.0.0", "private", "# 1");
        String stranger = app().secondOrganization("passers");

        for (String rest : new String[] {"/downloads", "/versions/1.0.0/downloads"}) {
            assertThat(app().get(bundle("shut/kit") + rest, stranger).status()).isEqualTo(404);
            assertThat(app().get(bundle("shut/kit") + rest, null).status()).isEqualTo(401);
            assertThat(counts("shut/kit", rest, app().admin()).get("total").intValue())
                    .isZero();
        }
    }
}
