package dev.sheaf.server.org.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.CreatedOrganization;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Joined;
import dev.sheaf.model.wire.org.Member;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Organizations, their members and invitations over HTTP (contract 5.5).
class MembersApiTest extends OnEveryStack {
    /// A new organization with its admin key.
    private record Org(String handle, String id, String key) {
        String at(String rest) {
            return "/v1/organizations/" + handle + rest;
        }
    }

    private Org organization(String handle) {
        var reply = app().post("/v1/organizations", app().admin(), """
                {"handle": "%s", "name": "Of %s"}""".formatted(handle, handle));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        var json = reply.as(CreatedOrganization.class);
        assertThat(reply.header("Location")).isEqualTo("/v1/organizations/" + json.id());
        return new Org(
                handle, json.id().toString(), requireNonNull(json.adminKey().key()));
    }

    private String id(String token) {
        return app().get("/v1/users/me", token).as(User.class).id().toString();
    }

    private Reply role(Org org, String token, String user, String role) {
        return app().send("PATCH", org.at("/members/" + user), token, """
                {"role": "%s"}""".formatted(role));
    }

    private Reply invite(Org org, String token, String email, String role) {
        return app().post(org.at("/invitations"), token, """
                {"email": "%s", "role": "%s"}""".formatted(email, role));
    }

    private Reply accept(@Nullable String bearer, Invitation invitation, String more) {
        return app().post("/v1/invitations:accept", bearer, """
                {"token": "%s"%s}""".formatted(invitation.token(), more));
    }

    private static final String WITH_PASSWORD = ", \"password\": \"" + TestApp.PASSWORD + "\"";

    @Test
    void anOrganizationBeginsWithOneAdminKey() {
        var org = organization("begin");

        assertThat(app().get(org.at(""), org.key()).as(Organization.class).name())
                .isEqualTo("Of begin");
        assertThat(app().get(org.at(""), app().admin()).status()).isEqualTo(404);
        assertThat(app().get("/v1/organizations", org.key()).list(Organization.class))
                .hasSize(1);
        assertThat(app().post("/v1/organizations", org.key(), """
                {"handle": "begun", "name": "x"}""").problem().code())
                .isEqualTo("not-administrator");
        assertThat(app().post("/v1/organizations", app().admin(), """
                {"handle": "begin", "name": "x"}""").problem().code())
                .isEqualTo("name-taken");
        assertThat(app().post("/v1/organizations", app().admin(), """
                {"handle": "adm1n", "name": "x"}""").problem().code())
                .isEqualTo("name-reserved");
        var renamed = app().send("PATCH", org.at(""), org.key(), """
                {"name": "Another"}""");
        assertThat(renamed.as(Organization.class).name()).isEqualTo("Another");
    }

    @Test
    void peopleDoNotCreateOrganizationsUnlessTheyMay() {
        String reader = app().person("selfless@acme.test", "default", "reader");
        String admin = app().person("admin@selfless.test", "default", "admin");
        String body = "{\"handle\": \"mine\", \"name\": \"Mine\"}";

        assertThat(app().post("/v1/organizations", reader, body).status()).isEqualTo(403);
        assertThat(app().post("/v1/organizations", admin, body).status()).isEqualTo(201);
        assertThat(app().get("/v1/organizations/mine/members", admin)
                        .list(Member.class)
                        .getFirst()
                        .role())
                .isEqualTo("owner");
    }

    /// Whoever is an admin of the first organization administers, wherever else they are members.
    @Test
    void anAdministratorMayBeAMemberElsewhereToo() {
        var org = organization("elsewhere");
        String person = app().person("both@elsewhere.test", "elsewhere", "reader");
        assertThat(app().get("/v1/admin/users", person).status()).isEqualTo(403);
        pass(Duration.ofSeconds(1)); // the older membership is that of a request that is about none
        var first = new Org("default", "", app().admin());
        accept(
                person,
                invite(first, app().admin(), "both@elsewhere.test", "admin").as(Invitation.class),
                "");

        assertThat(app().get("/v1/admin/users", person).status()).isEqualTo(200);
        var quota = app().send("PATCH", "/v1/admin/organizations/elsewhere/quota", person, "{\"bundles\": 7}");
        assertThat(quota.status()).as(quota.text()).isEqualTo(200);
        assertThat(app().post("/v1/organizations", person, "{\"handle\": \"elsewhere-too\", \"name\": \"x\"}")
                        .status())
                .isEqualTo(201);
        assertThat(app().get(org.at("/members"), person).status())
                .as("a reader there, as before")
                .isEqualTo(403);
    }

    @Test
    void anInvitationMakesAnAccount() {
        var org = organization("invite");
        var invited = invite(org, org.key(), "new@invite.test", "publisher");
        assertThat(invited.status()).isEqualTo(201);
        assertThat(invited.header("Cache-Control")).isEqualTo("no-store");
        var invitation = invited.as(Invitation.class);
        assertThat(invitation.state()).isEqualTo("pending");
        String one = org.at("/invitations/" + invitation.id());
        assertThat(app().get(one, org.key()).as(Invitation.class).token()).isNull();

        assertThat(accept(null, invitation, "").status()).isEqualTo(422);
        assertThat(accept(null, invitation, ", \"password\": \"too short\"").status())
                .isEqualTo(422);
        var joined = accept(null, invitation, WITH_PASSWORD);

        assertThat(joined.status()).as(joined.text()).isEqualTo(200);
        assertThat(joined.as(Joined.class).role()).isEqualTo("publisher");
        assertThat(joined.as(Joined.class).organization().handle()).isEqualTo("invite");
        assertThat(app().signIn("new@invite.test", TestApp.PASSWORD).status()).isEqualTo(200);
        assertThat(accept(null, invitation, WITH_PASSWORD).status())
                .as("works once")
                .isEqualTo(404);
        assertThat(app().get(one, org.key()).as(Invitation.class).state()).isEqualTo("accepted");
        assertThat(invite(org, org.key(), "new@invite.test", "reader").status()).isEqualTo(409);
        assertThat(events()).contains("invitation.created", "member.joined").doesNotContain("shi_");
    }

    private String events() {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT type, data FROM event")
                        .mapToMap()
                        .list()
                        .toString());
    }

    @Test
    void somebodyWithAnAccountAcceptsWithTheirOwn() {
        var org = organization("known");
        String other = app().person("other@known.test", null, null);
        String known = app().person("one@known.test", null, null);
        var invitation = invite(org, org.key(), "One@Known.test", "admin").as(Invitation.class);

        var stranger = accept(null, invitation, WITH_PASSWORD);

        assertThat(stranger.status()).as("as where there is no account").isEqualTo(200);
        assertThat(stranger.as(Joined.class).user()).isNull();
        assertThat(app().get(org.at("/members"), org.key()).text()).doesNotContain("one@known.test");
        assertThat(accept(other, invitation, "").status()).isEqualTo(403);
        assertThat(accept(org.key(), invitation, "").status()).isEqualTo(403);
        assertThat(app().get(org.at("/members"), known).status()).isEqualTo(403);
        assertThat(accept(known, invitation, "").status()).isEqualTo(200);

        assertThat(app().get(org.at("/members"), known).status()).as("at once").isEqualTo(200);
    }

    @Test
    void anInvitationExpiresAndIsSentAgain() {
        var org = organization("resend");
        var first = invite(org, org.key(), "late@resend.test", "reader").as(Invitation.class);
        String one = org.at("/invitations/" + first.id());
        assertThat(invite(org, org.key(), "late@resend.test", "reader").status())
                .isEqualTo(409);
        pass(Duration.ofDays(7));
        assertThat(accept(null, first, WITH_PASSWORD).status()).isEqualTo(404);
        assertThat(app().get(one, org.key()).as(Invitation.class).state()).isEqualTo("expired");

        var second = app().post(one + ":resend", org.key(), "{}").as(Invitation.class);
        var third = app().post(one + ":resend", org.key(), "{}").as(Invitation.class);

        assertThat(accept(null, second, WITH_PASSWORD).status()).isEqualTo(404);
        assertThat(accept(null, third, WITH_PASSWORD).status()).isEqualTo(200);
        assertThat(app().post(one + ":resend", org.key(), "{}").status()).isEqualTo(409);
    }

    @Test
    void anInvitationIsTakenBack() {
        var org = organization("revoke");
        var invitation = invite(org, org.key(), "no@revoke.test", "reader").as(Invitation.class);
        String one = org.at("/invitations/" + invitation.id());

        assertThat(app().send("DELETE", one, org.key(), null).status()).isEqualTo(204);

        assertThat(app().send("DELETE", one, org.key(), null).status()).isEqualTo(204);
        assertThat(accept(null, invitation, WITH_PASSWORD).status()).isEqualTo(404);
        assertThat(invite(org, org.key(), "no@revoke.test", "reader").status()).isEqualTo(201);
    }

    @Test
    void onlyOwnersMakeOwnersAndTheLastOneStays() {
        var org = organization("owners");
        String owner = app().person("owner@owners.test", "owners", "owner");
        String admin = app().person("admin@owners.test", "owners", "admin");
        String ownerId = id(owner);
        String adminId = id(admin);

        assertThat(role(org, admin, adminId, "owner").status()).isEqualTo(403);
        assertThat(role(org, org.key(), adminId, "owner").status()).isEqualTo(403);
        assertThat(role(org, admin, ownerId, "reader").status()).isEqualTo(403);
        assertThat(invite(org, admin, "x@owners.test", "owner").status()).isEqualTo(403);
        assertThat(app().send("DELETE", org.at("/members/" + ownerId), admin, null)
                        .status())
                .isEqualTo(403);
        assertThat(role(org, owner, ownerId, "reader").status()).isEqualTo(409);
        assertThat(app().send("DELETE", org.at("/members/me"), owner, null).status())
                .isEqualTo(409);

        assertThat(role(org, owner, adminId, "owner").as(Member.class).role()).isEqualTo("owner");
        assertThat(app().send("DELETE", org.at("/members/me"), owner, null).status())
                .isEqualTo(204);
        assertThat(app().get(org.at(""), owner).status()).isEqualTo(404);
        assertThat(app().get(org.at("/members"), admin).list(Member.class)).hasSize(1);
    }

    @Test
    void aKeyMakesTheFirstOwner() {
        var org = organization("first");
        var invitation = invite(org, org.key(), "founder@first.test", "owner").as(Invitation.class);
        assertThat(accept(null, invitation, WITH_PASSWORD).status()).isEqualTo(200);

        assertThat(invite(org, org.key(), "second@first.test", "owner").status())
                .isEqualTo(403);
    }

    @Test
    void aChangeOfRoleAndADisabledAccountAreEffectiveAtOnce() {
        var org = organization("roles");
        String token = app().person("one@roles.test", "roles", "publisher");
        String claim = "{\"handle\": \"roles\"}";
        assertThat(app().post(org.at("/namespaces"), token, claim).status()).isEqualTo(403);

        assertThat(role(org, org.key(), id(token), "admin").status()).isEqualTo(200);
        assertThat(app().post(org.at("/namespaces"), token, claim).status()).isEqualTo(201);

        assertThat(role(org, org.key(), id(token), "reader").status()).isEqualTo(200);
        assertThat(app().get(org.at("/members"), token).status()).isEqualTo(403);
        app().post("/v1/admin/users/one@roles.test:disable", app().admin(), "{}");
        assertThat(app().get("/v1/users/me", token).status()).isEqualTo(401);
        assertThat(app().signIn("one@roles.test", TestApp.PASSWORD).text()).contains("disabled");
        app().post("/v1/admin/users/one@roles.test:enable", app().admin(), "{}");
        assertThat(app().get("/v1/users/me", token).status())
                .as("ended for good")
                .isEqualTo(401);
        assertThat(app().signIn("one@roles.test", TestApp.PASSWORD).status()).isEqualTo(200);
    }

    @Test
    void aPersonActsForTheOrganizationThatARequestIsAbout() {
        organization("one-of");
        var two = organization("two-of");
        String token = app().person("both@acme.test", "one-of", "reader");
        pass(Duration.ofSeconds(1)); // the first one joined is the one acted for where nothing tells
        accept(token, invite(two, two.key(), "both@acme.test", "publisher").as(Invitation.class), "");

        var push = app().post("/v1/namespaces/two-of/bundles/notes:push", token, """
                {"name": "N", "visibility": "private", "version": "1.0.0",
                 "manifest": [{"logicalPath": "a.md", "assetType": "skill", "contentText": "a"}]}""");
        app().post(two.at("/namespaces"), two.key(), "{\"handle\": \"two-of\"}");
        var again = app().post("/v1/namespaces/two-of/bundles/notes:push", token, """
                {"name": "N", "visibility": "private", "version": "1.0.0",
                 "manifest": [{"logicalPath": "a.md", "assetType": "skill", "contentText": "a"}]}""");

        assertThat(List.of(push.status(), again.status())).containsExactly(403, 201);
    }

    /// People are no part of a namespace, so a key for a part of the organization knows none of them.
    @Test
    void aRestrictedKeyReadsNoMembersAndNoInvitations() {
        app().person("unseen@acme.test", "default", "reader");
        for (String restrictions : List.of("{\"namespaces\": [\"acme\"]}", "{\"cidrs\": [\"127.0.0.0/8\"]}")) {
            String narrow = app().secret("""
                    {"name": "part %d", "scopes": ["admin"], "restrictions": %s}""".formatted(restrictions.length(), restrictions));
            for (String path : List.of("members", "members/" + UUID.randomUUID(), "invitations")) {
                var refused = app().get("/v1/organizations/default/" + path, narrow);
                assertThat(refused.status()).as(path + refused.text()).isEqualTo(403);
                assertThat(refused.text()).contains("restricted to a part").doesNotContain("unseen@acme.test");
            }
        }
    }
}
