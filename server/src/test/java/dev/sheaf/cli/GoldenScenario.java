package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.webhook.Receiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A walk through all commands with one form of output, at a registry of its own, and what was seen of each.
final class GoldenScenario extends GoldenSteps {
    private static final String SKILL = """
            ---
            name: triage
            description: Finds out why a Linux machine is slow.
            ---
            # Triage

            Begin with `uptime`.
            """;

    GoldenScenario(TestApp app, Path work, Output.Format format) throws IOException {
        super(app, work, format);
    }

    void run() throws IOException {
        identity();
        source();
        pushes();
        reading();
        pulls();
        tags();
        states();
        keys();
        accounts();
        invitations();
        members();
        publishers();
        events();
        webhooks();
        new GoldenQueues(this).run();
        upkeep();
        new GoldenOwners(this).run();
        rest();
        new GoldenInstalls(this).run();
        new GoldenReviews(this).run();
    }

    private void identity() {
        step("login", app.admin() + "\n", false, "login", "--key-stdin");
        done("whoami", "whoami");
        recorder.environment().remove("SHEAF_API_KEY");
        step("login", app.admin() + "\n", false, "login", "--key-stdin");
        failing("login", "shf_wrong\n", false, "login", "--key-stdin");
        once("login", "login");
        done("logout", "logout");
        done("logout", "logout");
        once("whoami", "whoami");
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        done("logout", "logout");
    }

    private void source() throws IOException {
        file("kit/skills/triage/SKILL.md", SKILL);
        file("kit/prompts/ask.prompt.md", "Ask first.\n");
        file("kit/README.md", "# Kit\n");
        done("init", "init", "acme/kit", path("kit"));
        once("init", "init", "acme/kit", path("kit"));
        done("lint", "lint", path("kit"));
        file("bad/sheaf.yaml", "namespace: Acme\nslug: kit\nversion: 1\nlicence: MIT\nassets: [none/**]\n");
        file("bad/skills/triage/SKILL.md", SKILL.replace("name: triage", "name: Triage\nlevel: 3"));
        step("lint", "lint", path("bad"));
    }

    private void pushes() throws IOException {
        once("push", "push", path("bad"));
        done("push", "push", path("kit"), "--dry-run", "--public", "--tag", "stable");
        done("push", "push", path("kit"), "--public", "--tag", "stable");
        done("push", "push", path("kit"), "--dry-run");
        file("kit/skills/triage/SKILL.md", SKILL + "\nThen look at the disks with `iostat`.\n");
        step("push", "push", path("kit"), "--dry-run");
        once("push", "push", path("kit"), "acme/kit:0.1.0");
        done("push", "push", path("kit"), "acme/kit:1.0.0");
        once("push", "push", path("kit"), "acme/kit:latest");
        app.send("PUT", "/v1/namespaces/acme/bundles/kit/assets/config/limits.json", app.admin(), """
                {"contentText": "{}"}""");
        done("publish", "publish", "acme/kit:1.1.0", "--tag", "stable", "--dry-run");
        done("publish", "publish", "acme/kit:1.1.0", "--tag", "stable", "--message", "Limits.");
        app.unreadVersions().readAll(); // which a node does by itself, but some time later
        step("publish", "publish", "acme/kit:0.1.0", "--expect", "1.0.0", "--dry-run");
        once("publish", "publish", "acme/kit:0.1.0");
        once("publish", "publish", "acme/kit");
    }

    private void reading() {
        done("resolve", "resolve", "acme/kit");
        once("resolve", "resolve", "acme/kit:2.0.0");
        once("resolve", "resolve", "acme/none");
        recorder.environment().remove("SHEAF_API_KEY");
        once("resolve", "resolve", "acme/kitt");
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        done("search", "search", "triage");
        done("search", "search", "nothing-like-it");
        done("resolve", "resolve", "acme/kit", "--tree");
        done("bundles", "bundles");
        once("bundles", "bundles", "nowhere");
        done("open", "open", "acme/kit");
        once("complete-words", "complete-words", "--", "tags", "set", "acme/kit", "st");
        once("open", "open", "acme/none");
        done("info", "info", "acme/kit");
        done("info", "info", "acme/kit:1.1.0", "--since", "0.1.0");
        once("info", "info", "acme/kit:1.1.0", "--since", "9.9.9");
        done("versions", "versions", "acme/kit");
        done("usage", "usage", "acme/kit", "--to", "2026-01-31");
        done("usage", "usage", "acme/kit", "--keys", "--to", "2026-01-31");
        once("usage", "usage", "acme/kit", "--to", "soon");
        done("org-usage-report", "org", "usage-report");
        done("dependents", "dependents", "acme/kit");
        done("diff", "diff", "acme/kit:0.1.0", "1.1.0");
        done("diff", "diff", "acme/kit:0.1.0", "1.1.0", "--stat");
    }

    /// Has the cache's entries used one after the other, sorted by name: they are listed in that order.
    private static void use(Path cache) throws IOException {
        try (var files = Files.walk(cache)) {
            var time = Instant.parse("2026-01-02T03:04:05Z");
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                time = time.plusSeconds(60);
                Files.setLastModifiedTime(file, FileTime.from(time));
            }
        }
    }

    private void pulls() throws IOException {
        done("pull", "pull", "acme/kit:1.0.0", "-o", path("out"));
        done("pull", "pull", app.url().replace("http://", "") + "/acme/kit:^1.0", "-o", path("by-host"));
        done("verify", "verify", "acme/kit:1.0.0", path("out"));
        step("verify", "verify", "acme/kit:1.1.0", path("out"));
        done("lock", "lock", "acme/kit:^1.0", "--lock-file", path("sheaf.lock"));
        use(work.resolve("home/.cache/sheaf"));
        done("cache-ls", "cache", "ls");
        done("cache-verify", "cache", "verify");
        done("cache-prune", "cache", "prune", "--max-size", "10B");
        once("cache-prune", "cache", "prune");
        step("doctor", "doctor");
    }

    private void tags() {
        done("tags-ls", "tags", "ls", "acme/kit");
        done("tags-set", "tags", "set", "acme/kit", "beta", "1.0.0", "--protect");
        once("tags-set", "tags", "set", "acme/kit", "beta", "1.1.0");
        once("tags-set", "tags", "set", "acme/kit", "stable", "1.1.0", "--expect", "0.1.0");
        done("tags-set", "tags", "set", "acme/kit", "beta", "1.0.0", "--no-protect");
        once("tags-rm", "tags", "rm", "acme/kit", "beta");
        failing("tags-rm", "n\n", true, "tags", "rm", "acme/kit", "beta");
        done("tags-rm", "tags", "rm", "acme/kit", "beta", "--yes");
        once("tags-rm", "tags", "rm", "acme/kit", "beta", "--yes");
        done("tags-set", "tags", "set", "acme/kit", "latest", "1.0.0");
        done("tags-rm", "tags", "rm", "acme/kit", "latest", "--yes");
        done("tags-history", "tags", "history", "acme/kit", "stable");
        done("tags-rollback", "tags", "rollback", "acme/kit", "stable", "--yes");
        once("tags-rollback", "tags", "rollback", "acme/kit", "stable");
    }

    private void states() {
        once("yank", "yank", "acme/kit:0.1.0");
        once("yank", "yank", "acme/kit:latest", "--yes");
        done("tags-set", "tags", "set", "acme/kit", "old", "0.1.0");
        step(
                "yank",
                "y\n",
                true,
                "yank",
                "acme/kit:0.1.0",
                "--reason",
                "It breaks.",
                "--replacement",
                "acme/kit:1.1.0");
        done("versions", "versions", "acme/kit");
        done("resolve", "resolve", "acme/kit:0.1.0");
        done("unyank", "unyank", "acme/kit:0.1.0");
        once("recall", "recall", "acme/kit", "--reason", "It sends keys away.");
        once("recall", "recall", "acme/kit:0.1.0", "--reason", "It sends keys away.");
        step(
                "recall",
                "y\n",
                true,
                "recall",
                "acme/kit:0.1.0",
                "--reason",
                "It sends keys away.",
                "--severity",
                "critical",
                "--replacement",
                "acme/kit:1.1.0");
        once("resolve", "resolve", "acme/kit:0.1.0");
        done("versions", "versions", "acme/kit");
        done("advisories", "advisories", "acme");
        done("unrecall", "unrecall", "acme/kit:0.1.0", "--yes");
        once("advisories", "advisories", "acme");
        once("recall", "recall", "acme/kit", "--range", "<0.0.1", "--reason", "It breaks.", "--yes");
        done("recall", "recall", "acme/kit", "--range", "<0.5", "--reason", "It breaks.", "--yes");
        once("unrecall", "unrecall", "acme/kit:0.1.0");
        quietly("unrecall", "acme/kit:0.1.0", "--yes");
        done("deprecate", "deprecate", "acme/kit:1.0.0", "--message", "Use the next one.");
        done("deprecate", "deprecate", "acme/kit", "--message", "No longer kept.", "--replacement", "acme/next");
        done("info", "info", "acme/kit");
        done("versions", "versions", "acme/kit");
        done("undeprecate", "undeprecate", "acme/kit:1.0.0");
        done("undeprecate", "undeprecate", "acme/kit");
    }

    private void keys() {
        done("keys-create", "keys", "create", "ci", "--scope", "write", "--bundle", "acme/*");
        once("keys-create", "keys", "create", "ci");
        String id = Arrays.stream(recorder.run("", false, "keys", "list").out().split("\n"))
                .filter(line -> line.endsWith("  ci"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.joining());
        done("keys-list", "keys", "list");
        done("keys-show", "keys", "show", id);
        done("keys-disable", "keys", "disable", id);
        done("keys-enable", "keys", "enable", id);
        done("keys-rotate", "keys", "rotate", id, "--overlap", "PT1H");
        once("keys-revoke", "keys", "revoke", id);
        done("keys-revoke", "keys", "revoke", id, "--yes");
        once("keys-revoke", "keys", "revoke", "--yes");
        done("keys-policy", "keys", "policy");
        done("keys-policy", "keys", "policy", "--max", "P365D");
        String reader = quietly("keys", "create", "reader", "--expires-in", "P30D");
        recorder.environment().put("SHEAF_API_KEY", reader);
        once("push", "push", path("kit"), "acme/kit:2.0.0", "--dry-run");
        once("keys-list", "keys", "list");
        once("push", "push", path("kit"), "acme/kit:2.0.0");
        done("keys-revoke", "keys", "revoke", "--current", "--yes");
        recorder.environment().put("SHEAF_API_KEY", app.admin());
    }

    private void accounts() {
        String[] create = "admin user create --email ada@example.org --organization default --role owner".split(" ");
        done("admin-user-list", "admin", "user", "list");
        done("admin-user-create", create);
        once("admin-user-create", "admin", "user", "create", "--email", "ada@example.org");
        done("admin-user-reset-password", "admin", "user", "reset-password", "ada@example.org");
        done("admin-user-disable", "admin", "user", "disable", "ada@example.org");
        done("admin-user-enable", "admin", "user", "enable", "ada@example.org");
        done("admin-user-remove-totp", "admin", "user", "remove-totp", "ada@example.org");
        done("admin-user-list", "admin", "user", "list");
    }

    private void invitations() {
        done("members-invite", "members", "invite", "bob@example.org", "--role", "publisher");
        once("members-invite", "members", "invite", "nobody");
        String id = quietly("members", "invitations", "list");
        String printed = step("members-invitations-resend", "members", "invitations", "resend", id)
                .out();
        String token = printed.replaceAll("(?s).*(shi_[A-Za-z0-9_-]+).*", "$1").strip();
        String[] accept = "members invitations accept --new --name Bob".split(" ");
        step("members-invitations-accept", token + "\na long enough password\n", false, accept);
        once("members-invitations-accept", "members", "invitations", "accept");
        done("members-invitations-list", "members", "invitations", "list");
        quietly("members", "invite", "eve@example.org");
        String other =
                quietly("members", "invitations", "list").lines().findFirst().orElseThrow();
        once("members-invitations-revoke", "members", "invitations", "revoke", other);
        done("members-invitations-revoke", "members", "invitations", "revoke", other, "--yes");
    }

    private void members() {
        done("members-list", "members", "list");
        done("members-role", "members", "role", "bob@example.org", "reader");
        once("members-role", "members", "role", "bob@example.org", "king");
        once("members-remove", "members", "remove", "bob@example.org");
        done("members-remove", "members", "remove", "bob@example.org", "--yes");
        once("members-remove", "members", "remove", "bob@example.org", "--yes");
    }

    private void publishers() {
        done("publishers-list", "publishers", "list");
        done(
                "publishers-add",
                "publishers",
                "add",
                "--github",
                "acme/notes",
                "--workflow",
                "release.yml",
                "--bundle",
                "acme/notes");
        once("publishers-add", "publishers", "add", "oidc", "--bundle", "acme/kit");
        once("publishers-add", "publishers", "add", "--bundle", "acme/kit");
        done("publishers-list", "publishers", "list");
        done("publishers-pending", "publishers", "pending");
        String id = quietly("publishers", "list");
        once("publishers-remove", "publishers", "remove", id);
        done("publishers-remove", "publishers", "remove", id, "--yes");
    }

    private void events() {
        done("events-replay", "events", "replay", "--type", "version.published", "--type", "tag.*");
        done("events-replay", "events", "replay", "--hub", "--subject", "acme/notes");
        once("events-replay", "events", "replay", "--type", "Version");
        step("events-tail", "events", "tail", "--type", "Version"); // else it would go on for ever
    }

    private void webhooks() {
        done("webhooks-list", "webhooks", "list");
        once("webhooks-create", "webhooks", "create", "https://hooks.example.org/", "--type", "version.publish");
        try (var receiver = new Receiver()) {
            String url = receiver.url();
            done("webhooks-create", "webhooks", "create", url, "--type", "version.*", "--header", "X-Token=t0p");
            String id = quietly("webhooks", "list");
            done("webhooks-list", "webhooks", "list");
            done("webhooks-test", "webhooks", "test", id);
            receiver.next(exchange -> Receiver.respond(exchange, 500, "no room\n"));
            step("webhooks-test", "webhooks", "test", id);
            done("webhooks-deliveries", "webhooks", "deliveries", id, "--type", "webhook.*");
            String failed = quietly("webhooks", "deliveries", id, "--state", "failed");
            done("webhooks-delivery", "webhooks", "delivery", id, failed);
            once("webhooks-deliveries", "webhooks", "deliveries", id, "--state", "lost");
            done("webhooks-redeliver", "webhooks", "redeliver", id, failed);
            done("webhooks-replay", "webhooks", "replay", id, "--after", "2100-01-01T00:00:00Z");
            once("webhooks-replay", "webhooks", "replay", id, "--after", "yesterday");
            once("webhooks-edit", "webhooks", "edit", id);
            done("webhooks-edit", "webhooks", "edit", id, "--rate", "10", "--any-bundle", "--disable");
            once("webhooks-test", "webhooks", "test", id);
            done("webhooks-rotate-secret", "webhooks", "rotate-secret", id, "--overlap", "7d");
            done("webhooks-show", "webhooks", "show", id);
            once("webhooks-delete", "webhooks", "delete", id);
            done("webhooks-delete", "webhooks", "delete", id, "--yes");
        }
    }

    private void upkeep() {
        done("admin-stats", "admin", "stats");
        done("admin-health", "admin", "health");
        done("admin-mode", "admin", "mode", "read-only", "--reason", "moving to a larger disk");
        done("admin-mode", "admin", "mode", "writable");
        once("admin-mode", "admin", "mode", "closed");
        once("admin-mode", "admin", "mode", "writable", "--reason", "done");
        for (String task : List.of("gc", "sweep", "scrub", "fsck", "rescan", "rotate-token-keys", "rotate-pepper")) {
            step("admin-" + task, "admin", task, "--dry-run");
        }
        step("admin-gc", "admin", "gc");
        once("admin-replace-token-keys", "admin", "replace-token-keys");
        step("admin-replace-token-keys", "admin", "replace-token-keys", "--yes");
        once("admin-retire-pepper", "admin", "retire-pepper");
        step("admin-retire-pepper", "admin", "retire-pepper", "--dry-run");
        step("admin-backup", "admin", "backup");
        done("admin-tasks", "admin", "tasks");
        String id = quietly("admin", "tasks").lines().findFirst().orElseThrow();
        done("admin-cancel", "admin", "cancel", id);
        step("admin-audit-verify", "admin", "audit", "verify");
        once("admin-audit-verify", "admin", "audit", "verify", "--expect", "7");
    }

    private void rest() {
        once("admin-restore", "admin", "restore", "2026-01-02");
        once("admin-upgrade-check", "admin", "upgrade-check");
        once("serve", "serve", "--port", "8080");
        once("config", "config");
        once("git-credential", "git-credential", "store");
        once("completion", "completion", "tcsh");
        if (format == Output.Format.HUMAN) {
            var export = recorder.run("", false, "admin", "audit", "export", "--organization", "default");
            assertThat(export.out().lines()).hasSizeGreaterThan(10).allMatch(line -> line.startsWith("{\"id\":"));
            step("admin-audit-export", "admin", "audit", "export", "-o", path("log.jsonl"));
            step("admin-audit-export", "admin", "audit", "export", "-o", path("log.jsonl"));
        }
    }
}
