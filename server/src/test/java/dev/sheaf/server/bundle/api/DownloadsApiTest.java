package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.DownloadCounts;
import dev.sheaf.server.testing.OnEveryStack;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How often a bundle and its versions were pulled, by day, and who is told what of it.
class DownloadsApiTest extends OnEveryStack {
    private void pull(String repository, String version, @Nullable String key) {
        assertThat(app().get(bundle(repository) + "/versions/" + version + ":pull", key)
                        .status())
                .isEqualTo(200);
    }

    private DownloadCounts counts(String repository, String rest, @Nullable String key) {
        app().countDownloads();
        var reply = app().get(bundle(repository) + rest, key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.as(DownloadCounts.class);
    }

    @Test
    void pullsAreToldByDayAndVersion() {
        app().push("daily/kit", "1.0.0", "public", "# 1");
        app().push("daily/kit", "1.1.0", "public", "# 2");
        assertThat(counts("daily/kit", "/downloads", null).days()).isEmpty();
        pull("daily/kit", "1.0.0", null);
        pull("daily/kit", "1.0.0", null);
        pull("daily/kit", "1.1.0", app().admin());
        app().countDownloads();
        pass(Duration.ofDays(3));
        pull("daily/kit", "1.0.0", null);

        var bundle = counts("daily/kit", "/downloads", null);
        assertThat(bundle.total()).isEqualTo(3);
        assertThat(bundle.days().getFirst().downloads()).isEqualTo(2);
        assertThat(bundle.days().get(1).downloads()).isEqualTo(1);
        assertThat(bundle.days().get(1).day()).isEqualTo(bundle.to());
        var first = counts("daily/kit", "/versions/1.0.0/downloads", null);
        assertThat(first.total()).isEqualTo(2);
        assertThat(first.days()).hasSize(2);
        assertThat(counts("daily/kit", "/versions/^1.1/downloads".replace("^", "%5E"), null)
                        .total())
                .isEqualTo(1);
    }

    @Test
    void whatIsOlderThanNinetyDaysIsInTheTotalAlone() {
        app().push("elder/kit", "1.0.0", "public", "# 1");
        pull("elder/kit", "1.0.0", null);
        app().countDownloads();
        pass(Duration.ofDays(89));
        assertThat(counts("elder/kit", "/downloads", null).days()).hasSize(1);
        pass(Duration.ofDays(1));

        for (String rest : new String[] {"/downloads", "/versions/1.0.0/downloads"}) {
            var counts = counts("elder/kit", rest, null);
            assertThat(counts.days()).isEmpty();
            assertThat(counts.total()).isEqualTo(1);
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

        assertThat(counts.days()).isEmpty();
        assertThat(counts.total()).isEqualTo(1);
    }

    @Test
    void whatTheOrganizationPullsItselfIsToldToItAlone() {
        app().push("inner/kit", "1.0.0", "public", "# 1");
        pull("inner/kit", "1.0.0", app().admin());
        var own = counts("inner/kit", "/versions/1.0.0/downloads", app().admin());
        assertThat(own.own()).isEqualTo(1);
        assertThat(own.days().getFirst().own()).isEqualTo(1);
        assertThat(own.outsideSince()).isNull();

        String stranger = app().secondOrganization("downloaders");
        pull("inner/kit", "1.0.0", stranger);

        var after = counts("inner/kit", "/versions/1.0.0/downloads", app().admin());
        assertThat(after.total()).isEqualTo(2);
        assertThat(after.own()).isEqualTo(1);
        assertThat(after.outsideSince()).isNotNull();
        for (String key : new String[] {stranger, null}) {
            var told = counts("inner/kit", "/versions/1.0.0/downloads", key);
            assertThat(told.total()).isEqualTo(2);
            assertThat(told.own()).isNull();
            assertThat(told.days()).extracting(DownloadCounts.Day::own).containsOnlyNulls();
            assertThat(told.outsideSince()).isNull();
        }
    }

    @Test
    void hiddenBundlesLookLikeMissingOnes() {
        app().push("shut/kit", "1.0.0", "private", "# 1");
        String stranger = app().secondOrganization("passers");

        for (String rest : new String[] {"/downloads", "/versions/1.0.0/downloads"}) {
            assertThat(app().get(bundle("shut/kit") + rest, stranger).status()).isEqualTo(404);
            assertThat(app().get(bundle("shut/kit") + rest, null).status()).isEqualTo(401);
            assertThat(counts("shut/kit", rest, app().admin()).total()).isZero();
        }
    }
}
