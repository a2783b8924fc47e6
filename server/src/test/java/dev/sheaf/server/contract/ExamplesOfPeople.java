package dev.sheaf.server.contract;

import static dev.sheaf.server.contract.ExamplesScenario.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The part of [ExamplesScenario] with accounts, sessions, members and other organizations.
final class ExamplesOfPeople {
    private static final String PASSWORD = "four words make sense";
    private static final String ADA = "ada@example.org";
    private static final String USERS = "/v1/admin/users";

    private final ExamplesScenario scenario;

    ExamplesOfPeople(ExamplesScenario scenario) {
        this.scenario = scenario;
    }

    void play() {
        String ada = account();
        organizations(ada);
        String grace = members();
        transfers();
        states();
        endings(ada, grace);
    }

    /// The access token of somebody who was handed a ticket.
    private String account() {
        done(201, scenario.post(USERS, """
                {"email": "%s", "fullName": "Ada King", "organization": "default", "role": "owner"}""".formatted(ADA)));
        done(200, scenario.get(USERS));
        done(200, scenario.get(USERS + "/" + ADA));
        String ticket = text(done(200, scenario.post(USERS + "/" + ADA + ":resetPassword", "{}")), "/passwordToken");
        scenario.as(null, () -> done(204, scenario.post("/v1/users:setPassword", """
                {"token": "%s", "password": "%s"}""".formatted(ticket, PASSWORD))));
        String token = signIn(ADA);
        scenario.as(token, () -> {
            done(200, scenario.get("/v1/sessions"));
            done(200, scenario.get("/v1/users/me"));
            done(200, scenario.send("PATCH", "/v1/users/me", """
                    {"fullName": "Ada Lovelace", "timeZone": "Europe/London"}"""));
            done(204, scenario.post("/v1/users/me:changePassword", """
                    {"currentPassword": "%s", "newPassword": "%s too"}""".formatted(PASSWORD, PASSWORD)));
        });
        return token;
    }

    /// Signs in, and asks for another token at once.
    private String signIn(String email) {
        var token = new String[1];
        scenario.as(null, () -> {
            var signedIn = scenario.post("/v1/sessions", """
                    {"email": "%s", "password": "%s"}""".formatted(email, PASSWORD));
            done(200, signedIn);
            String cookie = signedIn.header("Set-Cookie").replaceFirst(";.*", "");
            var again = scenario.send("POST", "/v1/sessions/current:refresh", "{}", "Cookie", cookie);
            token[0] = text(done(200, again), "/accessToken");
        });
        return token[0];
    }

    private void organizations(String token) {
        scenario.as(token, () -> done(200, scenario.get("/v1/organizations")));
        done(200, scenario.send("PATCH", OWN, "{\"name\": \"Acme\"}"));
    }

    /// The access token of somebody who was invited.
    private String members() {
        String invitations = OWN + "/invitations";
        var invited = done(201, scenario.post(invitations, """
                {"email": "grace@example.org", "role": "reader"}"""));
        String invitation = invitations + "/" + text(invited, "/id");
        done(200, scenario.get(invitations));
        done(200, scenario.get(invitation));
        String token = text(done(200, scenario.post(invitation + ":resend", "{}")), "/token");
        scenario.as(null, () -> done(200, scenario.post("/v1/invitations:accept", """
                {"token": "%s", "password": "%s", "fullName": "Grace Hopper"}""".formatted(token, PASSWORD))));
        var other = done(201, scenario.post(invitations, """
                {"email": "mistyped@example.org", "role": "reader"}"""));
        done(204, scenario.send("DELETE", invitations + "/" + text(other, "/id"), null));
        var members = done(200, scenario.get(OWN + "/members"));
        for (JsonNode member : members.get("data")) {
            if (text(member, "/email").startsWith("grace")) {
                String path = OWN + "/members/" + text(member, "/userId");
                done(200, scenario.get(path));
                done(200, scenario.send("PATCH", path, "{\"role\": \"publisher\"}"));
            }
        }
        return signIn("grace@example.org");
    }

    /// Three offers of a namespace, of which the last is accepted.
    private void transfers() {
        var rivers = done(201, scenario.post("/v1/organizations", """
                {"handle": "rivers", "name": "Rivers"}"""));
        String key = text(rivers, "/adminKey/key");
        String theirs = "/v1/organizations/rivers/transfers/";
        done(201, scenario.post(OWN + "/namespaces", "{\"handle\": \"lakes\", \"displayName\": \"Lakes\"}"));
        String taken = offer();
        done(200, scenario.get(OWN + "/transfers"));
        done(200, scenario.get(OWN + "/transfers/" + taken));
        done(200, scenario.post(OWN + "/transfers/" + taken + ":cancel", "{}"));
        String declined = offer();
        scenario.as(key, () -> done(200, scenario.post(theirs + declined + ":decline", "{}")));
        String accepted = offer();
        scenario.as(key, () -> done(200, scenario.post(theirs + accepted + ":accept", "{}")));
    }

    private String offer() {
        return text(
                done(201, scenario.post(OWN + "/namespaces/lakes:transfer", "{\"organization\": \"rivers\"}")), "/id");
    }

    private void states() {
        done(201, scenario.post(USERS, "{\"email\": \"charles@example.org\", \"password\": \"" + PASSWORD + "\"}"));
        done(200, scenario.post(USERS + "/charles@example.org:disable", "{}"));
        done(200, scenario.post(USERS + "/charles@example.org:enable", "{}"));
    }

    /// What somebody did; behind all else, so that the other examples stay as they are.
    void activity() {
        scenario.as(signIn("charles@example.org"), () -> done(200, scenario.get("/v1/users/me/audit-log")));
    }

    private void endings(String ada, String grace) {
        scenario.as(grace, () -> {
            var sessions = done(200, scenario.get("/v1/sessions"));
            done(204, scenario.send("DELETE", OWN + "/members/me", null));
            done(204, scenario.send("DELETE", "/v1/sessions/" + text(sessions, "/data/0/id"), null));
        });
        scenario.as(ada, () -> done(204, scenario.send("DELETE", "/v1/sessions/current", null)));
    }

    private static JsonNode done(int status, Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        return status == 204 ? JsonNodeFactory.instance.nullNode() : reply.json();
    }

    private static String text(JsonNode node, String pointer) {
        return node.at(pointer).stringValue();
    }
}
