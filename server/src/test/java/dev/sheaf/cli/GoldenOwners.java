package dev.sheaf.cli;

import dev.sheaf.server.testing.Authenticator;
import java.time.Instant;

/// The part of the walk that owners go: what becomes of bundles, organizations, and a person's own account.
final class GoldenOwners {
    private static final String PASSWORD = "a long enough password";
    private static final String OTHER = "another long password";

    private final GoldenSteps steps;

    GoldenOwners(GoldenSteps steps) {
        this.steps = steps;
    }

    void run() {
        bundles();
        organizations();
        account();
        totp();
    }

    private void bundles() {
        steps.done("visibility", "visibility", "acme/kit");
        steps.once("visibility", "visibility", "acme/kit", "private");
        steps.once("visibility", "visibility", "acme/kit", "secret", "--yes");
        steps.done("visibility", "visibility", "acme/kit", "public", "--yes");
        steps.done("edit", "edit", "acme/kit", "--description", "Skills.", "--keyword", "java", "--license", "MIT");
        steps.done("edit", "edit", "acme/kit", "--license", "");
        steps.once("edit", "edit", "acme/kit");
        steps.once("edit", "edit", "acme/kit", "--homepage", "nowhere");
        steps.done("star", "star", "acme/kit");
        steps.once("star", "star", "acme/none");
        steps.done("unstar", "unstar", "acme/kit");
        steps.quietly("push", steps.path("kit"), "acme/spare:1.0.0");
        steps.quietly("push", steps.path("kit"), "acme/spare:1.1.0");
        steps.quietly("push", steps.path("kit"), "acme/spare:1.2.0");
        steps.once("delete", "delete", "acme/spare:1.0.0");
        steps.done("delete", "delete", "acme/spare:1.0.0", "--yes");
        steps.once("delete", "delete", "acme/spare:1.0.0", "--yes");
        steps.once("push", "push", steps.path("kit"), "acme/spare:1.0.0");
        steps.once("push", "push", steps.path("kit"), "acme/spare:1.0.0", "--dry-run");
        steps.once("delete", "delete", "acme/spare:1.1.0", "--purge", "--yes");
        steps.done("delete", "delete", "acme/spare:1.1.0", "--purge", "--reason", "A key was in it.", "--yes");
        steps.done("delete", "delete", "acme/spare", "--yes");
        steps.done("restore", "restore", "acme/spare");
        steps.once("restore", "restore", "acme/none");
    }

    private void organizations() {
        steps.done("org-show", "org", "show");
        steps.done("org-usage", "org", "usage");
        steps.done("org-create", "org", "create", "elsewhere", "--name", "Elsewhere");
        steps.once("org-create", "org", "create", "elsewhere");
        steps.done("org-claim", "org", "claim", "spare", "--name", "Spare");
        steps.done("org-namespaces", "org", "namespaces");
        String other = steps.app.secondOrganization("receiver");
        steps.once("org-transfer", "org", "transfer", "spare", "receiver");
        steps.done("org-transfer", "org", "transfer", "spare", "receiver", "--yes");
        steps.done("org-transfers", "org", "transfers");
        steps.done("org-cancel", "org", "cancel", transfer(), "--yes");
        steps.quietly("org", "transfer", "spare", "receiver", "--yes");
        String declined = transfer();
        String admin = steps.as(other);
        steps.done("org-decline", "org", "decline", declined, "--yes");
        steps.as(admin);
        steps.quietly("org", "transfer", "spare", "receiver", "--yes");
        String accepted = transfer();
        steps.once("org-accept", "org", "accept", accepted, "--yes");
        steps.as(other);
        steps.once("org-accept", "org", "accept", accepted);
        steps.done("org-accept", "org", "accept", accepted, "--yes");
        steps.as(admin);
    }

    /// The latest.
    private String transfer() {
        return steps.quietly("org", "transfers").lines().findFirst().orElseThrow();
    }

    private void account() {
        String token = steps.quietly(
                "admin",
                "user",
                "create",
                "--email",
                "eva@example.org",
                "--organization",
                "default",
                "--role",
                "owner");
        steps.step("account-password", token + "\n" + PASSWORD + "\n", false, "account", "password", "--token");
        steps.failing("account-password", token + "\n" + PASSWORD + "\n", false, "account", "password", "--token");
        steps.failing("account-password", "", false, "account", "password");
        steps.once("account-show", "account", "show");
        String admin = steps.as(steps.session("eva@example.org", PASSWORD));
        steps.done("account-show", "account", "show");
        steps.step("account-password", PASSWORD + "\n" + OTHER + "\n", false, "account", "password");
        steps.failing("account-password", PASSWORD + "\nshort\n", false, "account", "password");
        steps.done("account-sessions-list", "account", "sessions", "list");
        steps.session("eva@example.org", OTHER);
        String id =
                steps.quietly("account", "sessions", "list").lines().findFirst().orElseThrow();
        steps.once("account-sessions-end", "account", "sessions", "end", id);
        steps.done("account-sessions-end", "account", "sessions", "end", id, "--yes");
        steps.as(admin);
    }

    private void totp() {
        String admin = steps.as(steps.session("eva@example.org", OTHER));
        steps.failing("account-totp-begin", "wrong\n", false, "account", "totp", "begin");
        var shown = steps.step("account-totp-begin", OTHER + "\n", false, "account", "totp", "begin");
        var authenticator = new Authenticator(shown.out().replaceAll("(?s).*?\\b([A-Z2-7]{32})\\b.*", "$1"));
        var now = Instant.now();
        steps.failing("account-totp-confirm", "", false, "account", "totp", "confirm");
        steps.step(
                "account-totp-confirm",
                authenticator.code(now.minus(Authenticator.STEP)) + "\n",
                false,
                "account",
                "totp",
                "confirm");
        steps.step(
                "account-totp-codes", OTHER + "\n" + authenticator.code(now) + "\n", false, "account", "totp", "codes");
        steps.step(
                "account-totp-remove",
                OTHER + "\n" + authenticator.code(now.plus(Authenticator.STEP)) + "\n",
                false,
                "account",
                "totp",
                "remove");
        steps.as(admin);
    }
}
