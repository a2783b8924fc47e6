package dev.sheaf.server.hub.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.registry.Repository;
import java.net.InetAddress;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who is counted when, and what is remembered of it.
class HubDownloadsTest extends HubScenario {
    private void pull(String repository, String version, @Nullable String key) {
        assertThat(app().get(hub(repository) + "/versions/" + version + ":pull", key)
                        .status())
                .isEqualTo(200);
    }

    private String counted(String repository) {
        app().countDownloads();
        var bundle = anonymous(hub(repository)).as(HubBundle.class);
        return bundle.downloadsTotal() + " " + bundle.downloads30d();
    }

    private boolean isPulledOutside(String repository, String version) {
        app().countDownloads();
        var id = app().get(bundle(repository) + "/versions/" + version, app().admin())
                .as(VersionDetail.class)
                .id();
        return app().database().read(tx -> PullCounts.pulledOutside(tx, id));
    }

    private long remembered() {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT count(*) FROM download_seen")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void aClientCountsOnceAVersionAndDay() {
        publish("count/kit", "1.0.0");
        publish("count/kit", "1.1.0");
        assertThat(counted("count/kit")).isEqualTo("0 0");

        pull("count/kit", "1.0.0", null);
        pull("count/kit", "1.0.0", null);
        assertThat(counted("count/kit")).isEqualTo("1 1");
        pull("count/kit", "1.0.0", null);
        pull("count/kit", "1.0.0", app().admin());
        assertThat(app().get("/v2/count/kit/manifests/1.0.0", app().admin()).status())
                .isEqualTo(200);
        assertThat(counted("count/kit")).isEqualTo("2 2");
        app().send("HEAD", "/v2/count/kit/manifests/1.1.0", app().admin(), null);
        app().send("HEAD", hub("count/kit") + "/versions/1.1.0:pull", null, null);
        anonymous(hub("count/kit") + ":resolve");
        assertThat(counted("count/kit")).isEqualTo("2 2");
        assertThat(app().get("/v2/count/kit/manifests/latest", app().admin()).status())
                .isEqualTo(200);
        assertThat(counted("count/kit")).isEqualTo("3 3");

        pass(Duration.ofDays(1));
        pull("count/kit", "1.0.0", null);
        assertThat(counted("count/kit")).isEqualTo("4 4");
        pass(Duration.ofDays(30));
        assertThat(counted("count/kit")).isEqualTo("4 0");
    }

    @Test
    void whoWasSeenIsForgottenWhenTheNextDayIsOver() {
        publish("forget/kit", "1.0.0");
        pull("forget/kit", "1.0.0", null);
        app().countDownloads();
        assertThat(remembered()).isPositive();

        pass(Duration.ofDays(1));
        app().countDownloads();
        assertThat(remembered()).isPositive();
        pass(Duration.ofDays(1));
        app().countDownloads();

        assertThat(remembered()).isZero();
        assertThat(counted("forget/kit")).isEqualTo("1 1");
    }

    @Test
    void nothingThatIsRememberedNamesAClient() {
        publish("secret/kit", "1.0.0");
        pull("secret/kit", "1.0.0", null);
        app().countDownloads();

        var clients = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT client FROM download_seen")
                        .mapTo(String.class)
                        .list());

        assertThat(clients).isNotEmpty().allMatch(client -> client.matches("[0-9a-f]{32}"));
        assertThat(clients).noneMatch(client -> client.contains("7f000001"));
    }

    @Test
    void pullsFromOutsideAreToldFromTheOwners() {
        publish("outside/kit", "1.0.0");
        publish("outside/kit", "1.1.0");

        pull("outside/kit", "1.0.0", app().admin());
        assertThat(isPulledOutside("outside/kit", "1.0.0")).isFalse();
        pull("outside/kit", "1.0.0", app().secondOrganization("outsiders"));
        assertThat(isPulledOutside("outside/kit", "1.0.0")).isTrue();
        assertThat(isPulledOutside("outside/kit", "1.1.0")).isFalse();
        assertThat(app().get("/v2/outside/kit/manifests/1.1.0", null).status()).isEqualTo(200);
        assertThat(isPulledOutside("outside/kit", "1.1.0")).isTrue();
    }

    @Test
    void anIpv6NetworkIsOneClient() throws Exception {
        publish("network/kit", "1.0.0");
        var downloads = new PullCounts(app().database(), MasterSecret.parse(MasterSecret.generate()));
        var repository = new Repository(1, RepositoryName.parse("network/kit"), UUID.randomUUID(), Visibility.PUBLIC);
        long manifest = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT max(manifest_id) FROM version")
                        .mapTo(Long.class)
                        .one());

        for (String address :
                new String[] {"2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "192.0.2.1", "192.0.2.2"}) {
            downloads.pulled(Caller.ANONYMOUS, InetAddress.getByName(address), ClientKind.OTHER, repository, manifest);
        }
        downloads.pulled(Caller.ANONYMOUS, InetAddress.getByName("192.0.2.2"), ClientKind.OTHER, repository, manifest);
        downloads.pulled(Caller.ANONYMOUS, InetAddress.getByName("192.0.2.2"), ClientKind.OTHER, repository, -1);
        downloads.flush();

        assertThat(counted("network/kit")).isEqualTo("4 4");
    }

    @Test
    void whatIsPulledNowTrendsAboveWhatWasPulledMore() {
        publish("trend/old", "1.0.0");
        publish("trend/new", "1.0.0");
        pull("trend/old", "1.0.0", null);
        pull("trend/old", "1.0.0", app().admin());
        pull("trend/old", "1.0.0", app().key("trend-reader", "read"));
        app().countDownloads();
        pass(Duration.ofDays(28));
        pull("trend/new", "1.0.0", null);
        app().countDownloads();

        assertThat(refs("namespace=trend&sort=downloads")).containsExactly("trend/old", "trend/new");
        assertThat(refs("namespace=trend&sort=trending")).containsExactly("trend/new", "trend/old");
        patch("trend/old", "{\"visibility\": \"private\"}");
        patch("trend/old", "{\"visibility\": \"public\"}");
        assertThat(refs("namespace=trend&sort=downloads")).containsExactly("trend/old", "trend/new");
    }
}
