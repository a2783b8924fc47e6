package dev.sheaf.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.sheaf.cli.CommandLineFixture;
import dev.sheaf.cli.Main;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.credentials.Keychain;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands about what is published: what they ask the registry, and what they show of its answers.
class VersionCommandsTest extends CommandLineFixture {
    private static final String DIGEST = "sha256:" + "ab".repeat(32);
    private static final String DETAIL = """
            {"id": "01900000-0000-7000-8000-000000000009", "bundleId": "01900000-0000-7000-8000-000000000008",
             "version": "1.0.0", "state": "yanked", "createdAt": "2026-01-01T00:00:00Z", "tags": [], "sizeBytes": 8,
             "manifest": {"namespace": "acme", "bundleSlug": "kit", "version": "1.0.0", "assets": []},
             "attestations": []}""";
    private static final String TAG = """
            {"name": "stable", "version": "1.1.0", "digest": "%s", "protected": true, "managed": false,
             "updatedAt": "2026-01-01T00:00:00.123Z", "updatedBy": "key:1"}""".formatted(DIGEST);

    private final List<String> bodies = new ArrayList<>();

    @Override
    public void answer(String path, int status, String json) {
        registry.replace(path, exchange -> {
            bodies.add(body(exchange));
            TinyRegistry.send(exchange, status, json.getBytes(StandardCharsets.UTF_8));
        });
    }

    private static String body(HttpExchange exchange) throws IOException {
        return exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String page(String... entries) {
        return "{\"data\": [" + String.join(",", entries) + "], \"meta\": {\"nextCursor\": null, \"hasMore\": false}}";
    }

    /// Runs on a terminal where a person types `typed`.
    private Ran onTerminal(String typed, String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var shell = new Shell(
                new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                true,
                Map.of("SHEAF_URL", registry.url().toString()),
                Directories.of(Map.of(), "Linux", folder.resolve("home")),
                Keychain.NONE);
        int status = Main.run(shell, arguments);
        return new Ran(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void searchShowsATableAndAsksForWhatWasTyped() {
        answer("/v1/hub/bundles", 200, page("""
                {"id": "01900000-0000-7000-8000-000000000009", "slug": "kit", "displayName": "Kit",
                 "publisher": {"handle": "acme", "displayName": "Acme", "trustTier": "verified"},
                 "summary": "Tools\\u001b for all", "latestVersion": "1.0.0", "starsCount": 3, "downloadsTotal": 1200, "skillsCount": 2}"""));

        var found = run("search", "java", "kit", "--type", "skill", "--sort", "stars", "--limit", "5");

        assertThat(bodies.getFirst())
                .isEqualTo(
                        "GET /v1/hub/bundles?sort=stars&q=java%20kit&asset_type=skill&skills=true&limit=5&facets=true ");
        assertThat(found.out()).isEqualTo("""
                BUNDLE    HIGHEST  SKILLS  DOWNLOADS  STARS  STATE  ABOUT
                acme/kit  1.0.0         2       1200      3  -      Tools  for all
                """);
        assertThat(run("search", "--format", "quiet").out()).isEqualTo("acme/kit\n");
    }

    @Test
    void aSuggestionCannotControlTheTerminal() {
        answer("/v1/hub/bundles", 200, """
                {"data": [], "meta": {"nextCursor": null, "hasMore": false}, "total": 0, "isTotalExact": true,
                 "skills": [], "suggestion": "sort\\u001b[2J\\u202e"}""");

        assertThat(run("search", "srot").err())
                .contains("did you mean: sort [2J")
                .doesNotContain("\u001b", "\u202e");
    }

    @Test
    void searchSaysHowManyThereAreAndShowsSkillsAndStates() {
        answer("/v1/hub/bundles", 200, """
                {"data": [{"id": "01900000-0000-7000-8000-000000000009", "slug": "kit", "displayName": "Kit",
                           "publisher": {"handle": "acme", "displayName": "Acme", "trustTier": "verified"},
                           "summary": "Tools", "latestVersion": "1.0.0", "isDeprecated": true, "isSigned": true,
                           "findings": 2, "readExtent": "part"}],
                 "meta": {"nextCursor": "next", "hasMore": true}, "total": 130, "isTotalExact": true,
                 "skills": [{"bundle": "acme/kit", "version": "1.0.0", "name": "sort", "description": "Sorts.",
                             "path": "skills/sort/SKILL.md", "filesCount": 1, "tools": [],
                             "installCommand": "sheaf add 'acme/kit#sort'"}]}""");

        var found = run(
                "search",
                "sort",
                "--license",
                "MIT",
                "--tool",
                "Bash",
                "--workflow",
                "--signed",
                "--scripts",
                "none",
                "--clean",
                "--publisher",
                "acme",
                "--limit",
                "1");

        assertThat(bodies.getFirst())
                .isEqualTo("GET /v1/hub/bundles?sort=relevance&q=sort&namespace=acme&license=MIT&tool=Bash&scripts=none"
                        + "&signed=true&clean=true&workflow=true&skills=true&limit=1&facets=true ");
        assertThat(found.out()).isEqualTo("""
                BUNDLE    HIGHEST  SKILLS  DOWNLOADS  STARS  STATE                                         ABOUT
                acme/kit  1.0.0         0          0      0  deprecated, signed, 2 findings, read in part  Tools
                SKILL  BUNDLE    ABOUT
                sort   acme/kit  Sorts.
                """);
        assertThat(found.err()).contains("1 matching skill in these bundles:", "1 of 130 bundles; --limit shows more");
        assertThat(run("search", "sort", "--limit", "1", "--json").out())
                .startsWith("[ {")
                .doesNotContain("total");
    }

    @Test
    void anOlderRegistryIsNotAskedForFiltersThatItWouldIgnore() {
        answer("/v1/hub/bundles", 200, page());

        var found = run("search", "--signed");

        assertThat(found.status()).isNotZero();
        assertThat(found.err()).contains("filters by type and publisher alone");
    }

    @Test
    void whatIsMisspelledIsCorrected() {
        answer("/v1/hub/bundles", 200, """
                {"data": [], "meta": {"nextCursor": null, "hasMore": false}, "total": 0, "suggestion": "junit"}""");

        assertThat(run("search", "jnuit").err()).contains("no public bundle matches; did you mean: junit;");
    }

    @Test
    void onlyPublicBundlesCanBeStarredAndTheCommandSaysSo() {
        answer("/v1/hub/bundles/acme/kit/star", 404, """
                {"type": "about:blank", "status": 404, "code": "bundle-not-found", "title": "t", "detail": "d"}""");
        answer("/v1/namespaces/acme/bundles/kit", 200, """
                {"id": "01900000-0000-7000-8000-000000000009", "namespace": "acme", "slug": "kit", "ref": "acme/kit",
                 "name": "Kit", "visibility": "private", "createdAt": "2026-01-01T00:00:00Z"}""");

        var refused = run("star", "acme/kit");

        assertThat(refused.status()).isNotZero();
        assertThat(refused.err()).contains("acme/kit is private; only public bundles can be starred");
    }

    @Test
    void searchTakesTheWordsForKindsThatPublishersUse() {
        answer("/v1/hub/bundles", 200, page());

        run("search", "--type", "agent");
        var unknown = run("search", "--type", "robot");

        assertThat(bodies).singleElement().asString().contains("asset_type=agent_spec");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err())
                .contains("\"robot\" is not one of skill, agent_spec, toolset, prompt, config, plugin, mcp, other");
    }

    @Test
    void whatBeginsLikeAnAddressIsAWordAndNoFileOfArguments() throws IOException {
        answer("/v1/hub/bundles", 200, page());
        Path file = Files.writeString(folder.resolve("secret"), "secret --nonsense");

        var found = run("search", "@" + file);

        assertThat(found.status()).isZero();
        assertThat(bodies).singleElement().asString().contains("%2Fsecret").doesNotContain("nonsense");
    }

    @Test
    void nothingFoundIsNoFailure() {
        answer("/v1/hub/bundles", 200, page());

        var found = run("search", "none");

        assertThat(found.status()).isZero();
        assertThat(found.out()).isEmpty();
        assertThat(found.err()).contains("no public bundle");
        assertThat(run("search", "--json").out()).isEqualTo("[ ]\n");
    }

    @Test
    void infoTellsWhatTheBundleIs() {
        answer("/v1/namespaces/acme/bundles/kit", 200, """
                {"id": "01900000-0000-7000-8000-000000000009", "namespace": "acme", "slug": "kit", "ref": "acme/kit",
                 "name": "Kit", "visibility": "public", "latestVersion": "1.1.0", "versionCount": 2,
                 "createdAt": "2026-01-01T00:00:00Z", "license": "MIT", "keywords": ["a", "b"],
                 "deprecation": {"message": "old", "replacement": "acme/new"}, "data": [
                   {"name": "latest", "version": "1.0.0", "digest": "sha256:0", "managed": false,
                    "updatedAt": "2026-01-01T00:00:00Z"}], "meta": {"hasMore": false}}"""); // the last for the tags, whose path begins alike
        answer("/v1/namespaces/acme/bundles/kit/versions", 404, "{}"); // an older registry, without passports

        assertThat(run("info", "acme/kit").out()).isEqualTo("""
                bundle      acme/kit
                name        Kit
                latest      1.0.0
                highest     1.1.0
                versions    2
                visibility  public
                license     MIT
                keywords    a, b
                created     2026-01-01T00:00:00Z
                deprecated  old; use acme/new
                """);
    }

    @Test
    void versionsFollowsThePages() {
        String one = """
                {"id": "01900000-0000-7000-8000-000000000009", "bundleId": "01900000-0000-7000-8000-000000000008",
                 "version": "%s", "state": "%s", "ociDigest": "%s", "yankReason": %s,
                 "createdAt": "2026-01-01T00:00:00.5Z", "message": "Signs &\\n seals."%s}""";
        registry.replace("/versions", exchange -> {
            boolean second = exchange.getRequestURI().getQuery().contains("cursor=next");
            TinyRegistry.send(
                    exchange,
                    200,
                    ("{\"data\": ["
                                    + one.formatted(
                                            second ? "1.0.0" : "1.1.0",
                                            second ? "published" : "yanked",
                                            DIGEST,
                                            second ? "null" : "\"broken\"",
                                            second
                                                    ? ""
                                                    : ", \"findings\": 2, \"worstFinding\": \"high\", \"readExtent\": \"part\"")
                                    + "], \"meta\": {\"nextCursor\": " + (second ? null : "\"next\"")
                                    + ", \"hasMore\": " + !second + "}}")
                            .getBytes(StandardCharsets.UTF_8));
        });

        assertThat(run("versions", "acme/kit").out()).isEqualTo("""
                VERSION  STATE      FINDINGS                PUBLISHED             DIGEST%s  NOTE
                1.1.0    yanked     2 (high), read in part  2026-01-01T00:00:00Z  %s  broken
                1.0.0    published  -                       2026-01-01T00:00:00Z  %s  Signs & seals.
                """.formatted(" ".repeat(65), DIGEST, DIGEST));
    }

    @Test
    void tagsAreListedSetAndRolledBack() {
        answer("/tags", 200, page(TAG));
        assertThat(run("tags", "ls", "acme/kit").out()).isEqualTo("""
                TAG     VERSION  MOVED                 DIGEST%s  NOTE
                stable  1.1.0    2026-01-01T00:00:00Z  %s  protected
                """.formatted(" ".repeat(65), DIGEST));
        assertThat(run("tags", "ls", "acme/kit", "--json").out()).contains("\"protected\" : true");

        answer("/tags", 200, TAG);
        var set = run("tags", "set", "acme/kit", "stable", "1.1.0", "--expect", "1.0.0", "--protect");
        assertThat(set.err()).contains("acme/kit:stable is now 1.1.0");
        assertThat(bodies.getLast())
                .isEqualTo("PUT /v1/namespaces/acme/bundles/kit/tags/stable"
                        + " {\"version\":\"1.1.0\",\"expectedVersion\":\"1.0.0\",\"protected\":true}");

        var back = run("tags", "rollback", "acme/kit", "stable", "--yes", "--format", "quiet");
        assertThat(back.out()).isEqualTo("1.1.0\n");
        assertThat(bodies.getLast()).isEqualTo("POST /v1/namespaces/acme/bundles/kit/tags/stable:rollback {}");
    }

    @Test
    void theHistoryOfATag() {
        answer("/history", 200, page("""
                {"id": "01900000-0000-7000-8000-000000000009", "name": "stable", "newVersion": "1.1.0",
                 "newDigest": "%s", "at": "2026-01-01T00:00:00Z", "by": "key:1"}""".formatted(DIGEST)));

        assertThat(run("tags", "history", "acme/kit", "stable").out()).isEqualTo("""
                AT                    FROM  TO     BY     ID
                2026-01-01T00:00:00Z  -     1.1.0  key 1  01900000-0000-7000-8000-000000000009
                """);
    }

    @Test
    void yankSaysWhyAndHowToTakeItBack() {
        answer("/tags", 200, page(TAG));
        answer(":yank", 200, DETAIL);

        var yanked = run(
                "yank",
                "acme/kit:1.0.0",
                "--yes",
                "--reason",
                "Loses data",
                "--code",
                "broken",
                "--replacement",
                "1.0.1");

        assertThat(yanked.status()).isZero();
        assertThat(yanked.err()).contains("sheaf unyank acme/kit:1.0.0");
        assertThat(bodies.get(1))
                .isEqualTo("POST /v1/namespaces/acme/bundles/kit/versions/1.0.0:yank"
                        + " {\"reason\":\"Loses data\",\"reasonCode\":\"broken\",\"replacement\":\"1.0.1\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yank acme/kit:1.0.0", "tags rm acme/kit stable", "tags rollback acme/kit stable"})
    void withoutATerminalNothingIsAskedAndNothingDone(String line) {
        var ran = run(line.split(" "));

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("add --yes", "acme/kit");
        assertThat(registry.requests("")).isEmpty();
    }

    @Test
    void onATerminalAPersonDecides() {
        answer("/tags", 204, "");

        var no = onTerminal("\n", "tags", "rm", "acme/kit", "stable");
        assertThat(no.err()).contains("remove the tag acme/kit:stable at http", "[y/N]", "nothing was changed");
        assertThat(registry.requests("")).isEmpty();

        var yes = onTerminal("y\n", "tags", "rm", "acme/kit", "stable");
        assertThat(yes.err()).contains("removed the tag acme/kit:stable");
        assertThat(bodies).hasSize(1);
    }

    @Test
    void deprecateTakesAVersionOrTheBundle() {
        answer("versions/1.0.0:deprecate", 200, DETAIL);
        answer("kit:deprecate", 200, """
                {"id": "01900000-0000-7000-8000-000000000009", "ref": "acme/kit"}""");
        answer(":undeprecate", 200, DETAIL);

        run("deprecate", "acme/kit:1.0.0", "--message", "old");
        run("deprecate", "acme/kit", "--message", "older", "--replacement", "acme/new");
        run("undeprecate", "acme/kit:1.0.0");

        assertThat(bodies)
                .containsExactly(
                        "POST /v1/namespaces/acme/bundles/kit/versions/1.0.0:deprecate {\"message\":\"old\"}",
                        "POST /v1/namespaces/acme/bundles/kit:deprecate"
                                + " {\"message\":\"older\",\"replacement\":\"acme/new\"}",
                        "POST /v1/namespaces/acme/bundles/kit/versions/1.0.0:undeprecate ");
        assertThat(run("deprecate", "acme/kit:stable", "--message", "x").status())
                .isEqualTo(2); // a tag moves
    }

    @Test
    void diffKeepsTabsAndNothingThatDrivesATerminal() {
        answer(":diff", 200, """
                {"namespace": "acme", "slug": "kit", "from": {"version": "1.0.0", "ociDigest": "a"},
                 "to": {"version": "1.1.0", "ociDigest": "b"}, "added": 1, "removed": 0, "changed": 1, "renamed": 0,
                 "unchanged": 4, "changes": [
                   {"change": "changed", "logicalPath": "a.md", "diff": "@@ -1 +1 @@\\n-\\told\\n+\\tnew\\u001b[31m\\n"},
                   {"change": "added", "logicalPath": "b.png", "diffOmitted": "binary"}]}""");

        var diff = run("diff", "acme/kit:1.0.0", "1.1.0");

        assertThat(bodies.getFirst()).isEqualTo("GET /v1/namespaces/acme/bundles/kit/versions/1.0.0:diff?to=1.1.0 ");
        assertThat(diff.out()).isEqualTo("changed  a.md\n@@ -1 +1 @@\n-\told\n+\tnew [31m\nadded  b.png (binary)\n");
        assertThat(diff.err()).contains("1.0.0 to 1.1.0: 1 added, 0 removed, 1 changed");
        assertThat(run("diff", "acme/kit:1.0.0", "1.1.0", "--stat").out()).isEqualTo("changed  a.md\nadded  b.png\n");
        assertThat(run("diff", "-w", "acme/kit:1.0.0", "1.1.0").status()).isZero();
        assertThat(bodies.getLast()).contains(":diff?to=1.1.0&whiteSpace=ignore ");
    }

    @Test
    void diffWithoutWhiteSpaceSaysWhereOnlyThatChanged() {
        answer(":diff", 200, """
                {"namespace": "acme", "slug": "kit", "from": {"version": "1.0.0", "ociDigest": "a"},
                 "to": {"version": "1.1.0", "ociDigest": "b"}, "added": 0, "removed": 0, "changed": 1, "renamed": 0,
                 "unchanged": 4, "changes": [{"change": "changed", "logicalPath": "a.md", "diff": ""}]}""");

        var diff = run("diff", "-w", "acme/kit:1.0.0", "1.1.0");

        assertThat(diff.out()).isEqualTo("changed  a.md (only white space)\n");
        assertThat(diff.err()).contains("1 changed, 0 renamed, 4 the same; only white space changed");
    }

    @Test
    void diffTakesTwoReferencesToOneBundle() {
        answer(":diff", 200, """
                {"namespace": "acme", "slug": "kit", "from": {"version": "1.0.0", "ociDigest": "a"},
                 "to": {"version": "1.1.0", "ociDigest": "b"}, "added": 0, "removed": 0, "changed": 0, "renamed": 0,
                 "unchanged": 4, "changes": []}""");

        assertThat(run("diff", "acme/kit:1.0.0", "acme/kit").status()).isZero();
        assertThat(bodies).containsExactly("GET /v1/namespaces/acme/bundles/kit/versions/1.0.0:diff?to=latest ");
        var two = run("diff", "acme/kit:1.0.0", "acme/other:1.1.0");
        assertThat(two.status()).isEqualTo(2);
        assertThat(two.err()).contains("acme/kit and acme/other are different bundles");
        assertThat(bodies).hasSize(1);
    }

    @Test
    void coloursStandOnATerminalUnlessRefused() {
        answer("/tags", 200, page(TAG));

        assertThat(onTerminal("", "tags", "ls", "acme/kit").out()).startsWith("\u001b[1mTAG");
    }
}
