package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Namespaces that go from one organization to another.
class TransfersApiTest extends OnEveryStack {
    private static final String GIVER = "/v1/organizations/default";

    /// An organization, its namespace at the giver with one private bundle, and its admin key.
    private record Receiver(String name, String key) {
        String at(String rest) {
            return "/v1/organizations/" + name + rest;
        }

        String bundle() {
            return "/v1/namespaces/" + name + "-ns/bundles/notes";
        }
    }

    private Receiver receiver(String name) {
        assertThat(app().push(name + "-ns/notes", "1.0.0", "private", "# " + name)
                        .status())
                .isEqualTo(201);
        return new Receiver(name, app().secondOrganization(name));
    }

    private Reply offer(Receiver to) {
        return app().post(GIVER + "/namespaces/" + to.name() + "-ns:transfer", app().admin(), """
                {"organization": "%s"}""".formatted(to.name()));
    }

    private static String id(Reply offer) {
        assertThat(offer.status()).as(offer.text()).isEqualTo(201);
        return offer.as(Transfer.class).id().toString();
    }

    private OrganizationUsage.Used used(String organization, String key) {
        return app().get("/v1/organizations/" + organization + "/usage", key)
                .as(OrganizationUsage.class)
                .used();
    }

    @Test
    void acceptanceMovesEverything() {
        var to = receiver("takes");
        String restricted = app().secret("""
                {"name": "narrow", "scopes": ["write"], "restrictions": {"namespaces": ["takes-ns"]}}""");
        assertThat(app().get(to.bundle(), restricted).status()).isEqualTo(200);
        long before = used("default", app().admin()).bytes();
        var offered = offer(to);
        assertThat(offered.header("Location")).isEqualTo(GIVER + "/transfers/" + id(offered));
        assertThat(app().get(to.bundle(), to.key()).status()).isEqualTo(404);

        var accepted = app().post(to.at("/transfers/" + id(offered) + ":accept"), to.key(), "{}")
                .as(Transfer.class);

        assertThat(accepted.state()).isEqualTo("accepted");
        assertThat(app().get(to.bundle(), to.key()).status()).isEqualTo(200);
        assertThat(app().get(to.bundle(), app().admin()).status()).isEqualTo(404);
        assertThat(app().get(to.bundle(), restricted).status()).isEqualTo(404);
        var used = used("takes", to.key());
        assertThat(used.bundles()).isEqualTo(1);
        assertThat(used.versions()).isEqualTo(1);
        assertThat(used.bytes()).isPositive();
        assertThat(used("default", app().admin()).bytes()).isEqualTo(before - used.bytes());
        var push = app().post(to.bundle() + ":push", to.key(), """
                {"name": "N", "version": "2.0.0",
                 "manifest": [{"logicalPath": "a.md", "assetType": "skill", "contentText": "a"}]}""");
        assertThat(push.status()).as(push.text()).isEqualTo(201);
        assertThat(app().post(to.at("/transfers/" + id(offered) + ":accept"), to.key(), "{}")
                        .status())
                .as("again")
                .isEqualTo(200);
    }

    @Test
    void bothSidesSeeItAndOnlyTheRightOneActs() {
        var to = receiver("sides");
        String third = app().secondOrganization("third");
        String id = id(offer(to));

        assertThat(offer(to).status()).as("twice").isEqualTo(409);
        assertThat(app().get(GIVER + "/transfers/" + id, app().admin()).status())
                .isEqualTo(200);
        assertThat(app().get(to.at("/transfers"), to.key()).text()).contains(id);
        assertThat(app().get("/v1/organizations/third/transfers/" + id, third).status())
                .isEqualTo(404);
        assertThat(app().get("/v1/organizations/third/transfers", third).text()).doesNotContain(id);
        assertThat(app().post(GIVER + "/transfers/" + id + ":accept", app().admin(), "{}")
                        .status())
                .isEqualTo(404);
        assertThat(app().post(to.at("/transfers/" + id + ":cancel"), to.key(), "{}")
                        .status())
                .isEqualTo(404);

        assertThat(app().post(to.at("/transfers/" + id + ":decline"), to.key(), "{}")
                        .status())
                .isEqualTo(200);
        assertThat(app().post(to.at("/transfers/" + id + ":accept"), to.key(), "{}")
                        .status())
                .isEqualTo(409);
        String second = id(offer(to));
        assertThat(app().post(GIVER + "/transfers/" + second + ":cancel", app().admin(), "{}")
                        .status())
                .isEqualTo(200);
        assertThat(app().post(to.at("/transfers/" + second + ":accept"), to.key(), "{}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void anOfferExpires() {
        var to = receiver("slow");
        String id = id(offer(to));
        pass(Duration.ofDays(7));

        assertThat(app().post(to.at("/transfers/" + id + ":accept"), to.key(), "{}")
                        .status())
                .isEqualTo(409);
        assertThat(app().get(to.at("/transfers/" + id), to.key())
                        .as(Transfer.class)
                        .state())
                .isEqualTo("expired");
        assertThat(offer(to).status()).as("once more").isEqualTo(201);
    }

    @Test
    void rejectsAcceptanceOverQuota() {
        var to = receiver("small");
        String id = id(offer(to));
        app().send("PATCH", "/v1/admin/organizations/small/quota", app().admin(), "{\"bytes\": 1}");

        var refused = app().post(to.at("/transfers/" + id + ":accept"), to.key(), "{}");

        assertThat(refused.problem().code()).isEqualTo("quota-exceeded");
        assertThat(app().get(to.bundle(), app().admin()).status()).isEqualTo(200);
        assertThat(used("small", to.key()).bytes()).isZero();
    }

    @Test
    void rejectsOffersToUnknownOrOwnOrganization() {
        var to = receiver("refused");
        String path = GIVER + "/namespaces/refused-ns:transfer";

        for (var body : Map.of("default", 422, "nobody-there", 422, "", 422).entrySet()) {
            assertThat(app().post(path, app().admin(), "{\"organization\": \"" + body.getKey() + "\"}")
                            .status())
                    .isEqualTo(body.getValue());
        }
        assertThat(app().post(to.at("/namespaces/refused-ns:transfer"), to.key(), """
                {"organization": "default"}""")
                        .status())
                .isEqualTo(404);
    }
}
