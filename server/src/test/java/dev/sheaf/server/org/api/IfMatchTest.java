package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.hub.StarStatus;
import dev.sheaf.model.wire.org.Member;
import dev.sheaf.model.wire.queue.Habitat;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.contract.OpenApi;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A change that says what it is a change of (RFC 9110, section 13.1.1), of resources that organizations have.
class IfMatchTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";

    /// What nobody can hold an ETag of, since nothing answers it alone; and the registry's half, where tags and
    /// digests say it.
    private static final List<String> WITHOUT =
            List.of("revokeCurrentApiKey", "signOut", "endSession", "removeOwnTotp", "setMode");

    @Test
    void aMember() {
        app().person("ida@members.test", "default", "reader");
        String id = app().get(ORGANIZATION + "/members?limit=100", app().admin()).list(Member.class).stream()
                .filter(member -> member.email().equals("ida@members.test"))
                .map(member -> member.userId().toString())
                .findFirst()
                .orElseThrow();
        String member = ORGANIZATION + "/members/" + id;

        changes("PATCH", member, "{\"role\": \"publisher\"}", member);
        changes("DELETE", member, null, member);
    }

    @Test
    void whoLeaves() {
        String token = app().person("leo@members.test", "default", "reader");

        assertThat(send("DELETE", ORGANIZATION + "/members/me", token, null, "\"stale\"")
                        .status())
                .isEqualTo(412);
        assertThat(send("DELETE", ORGANIZATION + "/members/me", token, null, "*")
                        .status())
                .isEqualTo(204);
    }

    @Test
    void anInvitation() {
        String location =
                app().post(ORGANIZATION + "/invitations", app().admin(), """
                        {"email": "ivy@invited.test", "role": "reader"}""").header("Location");

        changes("DELETE", location, null, location);
    }

    @Test
    void aTrustedPublisher() {
        String location = app().post(ORGANIZATION + "/trusted-publishers", app().admin(), """
                        {"provider": "github", "repository": "acme/kit", "bundles": ["acme/kit"]}""")
                .header("Location");

        changes("DELETE", location, null, location);
    }

    @Test
    void aWebhook() {
        String location =
                app().post(ORGANIZATION + "/webhooks", app().admin(), """
                        {"url": "https://hooks.example.invalid/sheaf", "eventTypes": ["blob.damaged"]}""").header("Location");

        changes("PATCH", location, "{\"description\": \"Renamed\"}", location);
        changes("DELETE", location, null, location);
    }

    @Test
    void aWorkerThatIsGone() {
        var habitat = app().post(ORGANIZATION + "/habitats", app().admin(), "{\"name\": \"Lab\"}")
                .as(Habitat.class)
                .id();
        String location = app().post("/v1/runner/workers:register", app().admin(), """
                        {"instanceId": "one", "habitatId": "%s", "workerType": "shell"}""".formatted(habitat))
                .header("Location");
        pass(Duration.ofHours(1));

        changes("DELETE", location, null, location);
    }

    @Test
    void aQuota() {
        changes("PATCH", "/v1/admin/organizations/default/quota", "{\"versions\": 1000000}", ORGANIZATION + "/usage");
    }

    @Test
    void anOrganization() {
        changes("PATCH", ORGANIZATION, "{\"name\": \"Renamed\"}", ORGANIZATION);
    }

    @Test
    void aStar() {
        app().push("ifmatch/kit", "1.0.0", "public", "# Kit");
        String star = "/v1/hub/bundles/ifmatch/kit/star";

        assertThat(send("PUT", star, app().admin(), null, "\"stale\"").status()).isEqualTo(412);
        var given = app().send("PUT", star, app().admin(), null);
        assertThat(send("DELETE", star, app().admin(), null, "\"stale\"").status())
                .isEqualTo(412);
        var taken = send("DELETE", star, app().admin(), null, given.header("ETag"));
        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.as(StarStatus.class).starsCount()).isZero();
        assertThat(send("PUT", star, app().admin(), null, given.header("ETag")).status())
                .isEqualTo(412);
        assertThat(send("PUT", star, app().admin(), null, taken.header("ETag")).status())
                .isEqualTo(200);
    }

    /// A new route that changes something takes the header, too, or stands among those that cannot.
    @Test
    void isDescribedWhereverSomethingIsChanged() {
        assertThat(OpenApi.document().operations())
                .filteredOn(operation -> List.of(RouteMethod.PUT, RouteMethod.PATCH, RouteMethod.DELETE)
                                .contains(operation.method())
                        && operation.path().startsWith("/v1/")
                        && !operation.node().path("parameters").toString().contains("/IfMatch"))
                .extracting(OpenApi.Operation::id)
                .containsExactlyInAnyOrderElementsOf(WITHOUT);
    }

    /// @param read where the resource is read
    private void changes(String method, String path, @Nullable String body, String read) {
        var before = app().get(read, app().admin());
        assertThat(before.header("ETag")).as(read).isNotEmpty();

        var refused = send(method, path, app().admin(), body, "\"stale\"");
        assertThat(refused.status()).as("%s %s", method, path).isEqualTo(412);
        assertThat(refused.problem().code()).isEqualTo("precondition-failed");
        assertThat(app().get(read, app().admin()).text()).isEqualTo(before.text());

        assertThat(send(method, path, app().admin(), body, before.header("ETag"))
                        .status())
                .as("%s %s", method, path)
                .isBetween(200, 204);
    }

    private Reply send(String method, String path, String credential, @Nullable String body, String match) {
        return app().send(app().request(method, path, credential, body).header("If-Match", match));
    }
}
