package dev.sheaf.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// `sheaf admin user … --local` between two runs of a node, and what people were given that outlives a run.
@EveryStack
class LocalUsersTest {
    @Parameter
    private Stack stack;

    @TempDir
    private Path folder;

    private record Outcome(ServerExit exit, String out, String err) {}

    private static Outcome run(TestApp app, String input, String... arguments) throws Exception {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var all = new ArrayList<>(List.of(arguments));
        all.add("--local");
        all.addAll(app.arguments());
        var in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        var exit = new LocalUsers(in, new PrintStream(out, true), new PrintStream(err, true)).run(all, Map.of());
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// The last key can always be revoked, for it may have leaked; the operator has a way back.
    @Test
    void anInstallationWithoutAnyKeyIsEnteredAgain() throws Exception {
        var first = TestApp.start(stack, folder);
        assertThat(first.send("DELETE", "/v1/api-keys/current", first.admin(), null)
                        .status())
                .isEqualTo(204);
        assertThat(first.get("/v1/me", first.admin()).status()).isEqualTo(401);
        first.close();

        run(
                first,
                "four words make sense",
                "create",
                "--email",
                "ada@acme.test",
                "--organization",
                "default",
                "--role",
                "owner",
                "--password-stdin");

        try (var second = first.another(folder)) {
            String token = second.signIn("ada@acme.test", "four words make sense")
                    .as(SignedIn.class)
                    .accessToken();
            var made = second.post("/v1/organizations/default/api-keys", token, """
                    {"name": "again", "scopes": ["admin"]}""");
            assertThat(made.status()).as(made.text()).isEqualTo(201);
        }
    }

    /// What `sheaf admin audit export` prints of what [#accountsAreLookedAfterWithoutAServer] did.
    private static void assertAudited(TestApp app) {
        var export = app.request("GET", "/v1/admin/audit-log?actor=operator", app.admin(), null)
                .header("Accept", "application/jsonl");
        assertThat(app.send(export).text().lines())
                .hasSize(3) // there was no authenticator to remove
                .allMatch(line -> line.contains("""
                        "actor":{"type":"operator","name":"sheaf admin --local, run by %s"}""".formatted(System.getProperty("user.name"))))
                .anyMatch(line -> line.contains("\"user.reset_password\""));
    }

    @Test
    void accountsAreLookedAfterWithoutAServer() throws Exception {
        var first = TestApp.start(stack, folder);
        String token = first.person("coded@acme.test", "default", "reader");
        first.close();

        var owner =
                run(first, "", "create", "--email", "ada@acme.test", "--organization", "default", "--role", "owner");
        var typed = run(first, "four words make sense\n", "create", "--email", "bob@acme.test", "--password-stdin");
        var again = run(first, "", "create", "--email", "ada@acme.test");
        var reset = run(first, "", "reset-password", "bob@acme.test");
        var removed = run(first, "", "remove-totp", "coded@acme.test");
        var unknown = run(first, "", "remove-totp", "nobody@acme.test");

        assertThat(List.of(owner.exit(), typed.exit(), reset.exit(), removed.exit()))
                .containsOnly(ServerExit.OK);
        assertThat(again.exit()).isEqualTo(ServerExit.FAILED);
        assertThat(again.err()).contains("taken");
        assertThat(unknown.exit()).isEqualTo(ServerExit.FAILED);
        assertThat(owner.out()).matches("shp_[\\w-]{43}\\R");
        assertThat(List.of(typed.out(), removed.out())).containsOnly("");
        try (var second = first.another(folder)) {
            assertAudited(second);
            assertThat(second.post("/v1/users:setPassword", null, """
                    {"token": "%s", "password": "five words make more sense"}""".formatted(
                                            owner.out().strip()))
                            .status())
                    .isEqualTo(204);
            var ada =
                    second.signIn("ada@acme.test", "five words make more sense").as(SignedIn.class);
            String own = ada.accessToken();
            assertThat(second.get("/v1/users/me", own)
                            .as(User.class)
                            .organizations()
                            .getFirst()
                            .role())
                    .isEqualTo("owner");
            assertThat(second.signIn("bob@acme.test", "four words make sense").status())
                    .isEqualTo(200);
            assertThat(second.get("/v1/users/me", token).status())
                    .as("a session outlives the run")
                    .isEqualTo(200);
        }
    }

    @Test
    void anInvitationAndATransferOutliveARun() {
        var first = TestApp.start(stack, folder);
        String other = first.secondOrganization("taker");
        first.push("moves/kit", "1.0.0", "private", "kit");
        var invited = first.post("/v1/organizations/default/invitations", first.admin(), """
                {"email": "late@acme.test", "role": "publisher"}""")
                .as(Invitation.class);
        var offered = first.post(
                "/v1/organizations/default/namespaces/moves:transfer", first.admin(), "{\"organization\": \"taker\"}");
        assertThat(offered.status()).as(offered.text()).isEqualTo(201);
        first.close();

        try (var second = first.another(folder)) {
            var joined = second.post("/v1/invitations:accept", null, """
                    {"token": "%s", "password": "four words make sense"}""".formatted(invited.token()));
            var transfer = offered.as(Transfer.class).id();
            var accepted =
                    second.send("POST", "/v1/organizations/taker/transfers/" + transfer + ":accept", other, null);

            assertThat(joined.status()).as(joined.text()).isEqualTo(200);
            assertThat(second.signIn("late@acme.test", "four words make sense").status())
                    .isEqualTo(200);
            assertThat(accepted.status()).as(accepted.text()).isEqualTo(200);
            assertThat(second.get("/v1/namespaces/moves/bundles/kit:resolve", other)
                            .status())
                    .isEqualTo(200);
        }
    }
}
