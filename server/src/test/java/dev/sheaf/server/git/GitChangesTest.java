package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What clones see of versions that are yanked, deleted or purged, and of tags that move.
class GitChangesTest extends GitScenario {
    private void three(String bundle) {
        publish(
                bundle,
                "1.0.0",
                Map.of("SKILL.md", "one", "notes/kept.md", "kept", "notes/first.md", "first of " + bundle));
        publish(bundle, "1.1.0", Map.of("SKILL.md", "two", "notes/kept.md", "kept"));
        publish(bundle, "1.2.0", Map.of("SKILL.md", "three", "notes/kept.md", "kept"));
    }

    private void act(String method, String bundle, String rest, String json) {
        var reply = app().send(method, bundle(bundle) + rest, app().admin(), json.isEmpty() ? null : json);
        assertThat(reply.status()).as(reply.text()).isIn(200, 201, 204);
    }

    private void whole(String clone) {
        assertThat(git(clone).run("fsck", "--strict")).doesNotContain("error", "warning", "missing");
    }

    private String subjects(String clone, String name) {
        return git(clone).run("log", "--format=%s", name).replace('\n', ' ').strip();
    }

    @Test
    void aYankMovesMainBackAndStaysUnderItsTag() {
        three("changes/yank");
        clone("changes/yank", "yank");
        act("POST", "changes/yank", "/versions/1.2.0:yank", "{\"reason\": \"broken\"}");

        git("yank").run("fetch");

        assertThat(subjects("yank", "origin/main")).isEqualTo("1.1.0 1.0.0");
        clone("changes/yank", "yank-tag", "--branch", "1.2.0");
        assertThat(subjects("yank-tag", "HEAD")).isEqualTo("1.2.0 1.1.0 1.0.0");
        act("POST", "changes/yank", "/versions/1.2.0:unyank", "");
        git("yank").run("pull");
        assertThat(subjects("yank", "HEAD")).isEqualTo("1.2.0 1.1.0 1.0.0");
        whole("yank");
    }

    /// With the words of the publisher, where git has a place for them: an answer with a pack.
    @Test
    void aFetchSaysThatTheVersionBeforeIsYanked() {
        three("changes/told");
        clone("changes/told", "told");
        act("POST", "changes/told", "/versions/1.2.0:yank", """
                {"reason": "leaks\\u001b[31m", "replacement": "1.2.1"}""");
        publish("changes/told", "1.2.1", Map.of("SKILL.md", "four"));

        var fetched = git("told").run("fetch");

        assertThat(fetched)
                .contains("remote: changes/told 1.2.0 is yanked: leaks", "use instead: 1.2.1")
                .doesNotContain("\u001b[31m");
        assertThat(git("told").with("-c", "protocol.version=0").run("fetch", "--depth=1"))
                .doesNotContain("yanked");
        assertThat(git().run("clone", "--depth=1", "--branch=1.2.0", url("changes/told"), "told-old"))
                .contains("remote: changes/told 1.2.0 is yanked: leaks");
        clone("changes/told", "told-new");
        publish("changes/told", "1.2.2", Map.of("SKILL.md", "five"));
        assertThat(git("told").run("fetch")).doesNotContain("yanked");
        whole("told");
    }

    @Test
    void whenAllAreYankedTheTagsAreLeft() {
        publish("changes/none", "1.0.0", Map.of("SKILL.md", "one"));
        act("POST", "changes/none", "/versions/1.0.0:yank", "{\"reason\": \"broken\"}");

        assertThat(git().run("ls-remote", url("changes/none")))
                .contains("refs/tags/1.0.0")
                .doesNotContain("HEAD");
        clone("changes/none", "none");
        git("none").run("checkout", "1.0.0");
    }

    @Test
    void aDeletedVersionIsGoneAndThoseAfterItComeAnew() {
        three("changes/delete");
        clone("changes/delete", "delete");
        git().run("clone", "--depth=1", url("changes/delete"), "delete-shallow");
        String before = git("delete").run("rev-parse", "origin/main", "1.0.0");
        act("DELETE", "changes/delete", "/versions/1.1.0?reason=mistake", "");

        assertThat(git("delete").run("fetch")).contains("forced update");

        assertThat(subjects("delete", "origin/main")).isEqualTo("1.2.0 1.0.0");
        assertThat(git("delete").run("rev-parse", "origin/main", "1.0.0")).isNotEqualTo(before);
        assertThat(git().run("ls-remote", url("changes/delete")))
                .doesNotContain("refs/tags/1.1.0")
                .contains(git("delete").run("rev-parse", "1.0.0").strip() + "\trefs/tags/1.0.0");
        whole("delete");
        git("delete-shallow").run("fetch", "--depth=2");
        assertThat(subjects("delete-shallow", "origin/main")).isEqualTo("1.2.0 1.0.0");
        whole("delete-shallow");
        git("delete").run("fetch", "--tags", "--force", "--prune", "--prune-tags");
        assertThat(git("delete").run("tag")).isEqualTo("1.0.0\n1.2.0\nplugin/1.0.0\nplugin/1.2.0\n");
    }

    @Test
    void aRecalledVersionIsGoneAndItsEndBringsTheOldIdsBack() {
        three("changes/recall");
        clone("changes/recall", "recall");
        String before = git().run("ls-remote", url("changes/recall"));
        String gone = git("recall").run("rev-parse", "1.1.0:SKILL.md").strip();
        act("POST", "changes/recall", ":recall", """
                {"versions": ["1.1.0"], "severity": "high", "reason": "sends keys"}""");

        assertThat(git("recall").run("fetch")).contains("forced update");

        assertThat(subjects("recall", "origin/main")).isEqualTo("1.2.0 1.0.0");
        assertThat(git().run("ls-remote", url("changes/recall"))).doesNotContain("refs/tags/1.1.0");
        clone("changes/recall", "recall-new");
        assertThat(git("recall-new").end("", "fetch", "origin", gone).output())
                .as("its file, by its id")
                .contains("not valid");
        whole("recall");
        act("POST", "changes/recall", ":unrecall", "{\"versions\": [\"1.1.0\"]}");
        assertThat(git().run("ls-remote", url("changes/recall"))).isEqualTo(before);
        git("recall").run("fetch");
        assertThat(subjects("recall", "origin/main")).isEqualTo("1.2.0 1.1.0 1.0.0");
        whole("recall");
    }

    @Test
    void aPurgeOfTheFirstTakesItsContentAlong() throws IOException {
        three("changes/purge");
        clone("changes/purge", "purge");
        git().run("clone", "--filter=blob:none", url("changes/purge"), "purge-lazy");
        String first = git("purge").run("rev-parse", "1.0.0:notes/first.md").strip();
        String commit = git("purge").run("rev-parse", "1.0.0").strip();
        act("DELETE", "changes/purge", "/versions/1.0.0?purge=true&reason=secret", "");

        git("purge").run("fetch");
        git("purge-lazy").run("fetch");

        assertThat(subjects("purge", "origin/main")).isEqualTo("1.2.0 1.1.0");
        assertThat(subjects("purge-lazy", "origin/main")).isEqualTo("1.2.0 1.1.0");
        whole("purge");
        whole("purge-lazy");
        git("purge").run("reset", "--hard", "origin/main");
        assertThat(read("purge/SKILL.md")).isEqualTo("three");
        clone("changes/purge", "purge-new");
        assertThat(read("purge-new/notes/kept.md")).isEqualTo("kept");
        whole("purge-new");
        for (String gone : List.of(first, commit)) {
            var asked = git("purge-new").end("", "fetch", "origin", gone);
            assertThat(asked.exit()).as(asked.output()).isNotZero();
            assertThat(asked.output()).contains("want " + gone + " not valid");
        }
        assertThat(isOnDisk(first)).isFalse();
        assertThat(isOnDisk(commit)).isFalse();
        assertThat(isOnDisk(git("purge-new").run("rev-parse", "origin/main").strip()))
                .isTrue();
    }

    /// Returns whether a repository in the cache has the object.
    private boolean isOnDisk(String id) throws IOException {
        String raw = new String(HexFormat.of().parseHex(id), StandardCharsets.ISO_8859_1);
        try (var files = Files.walk(app().dataDir().resolve("cache/git"))) {
            for (Path file :
                    files.filter(any -> any.toString().endsWith(".idx")).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(raw)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void aDeletedBundleIsGoneAndComesBackAsItWas() {
        three("changes/bundle");
        clone("changes/bundle", "bundle");
        String before = git().run("ls-remote", url("changes/bundle"));
        act("DELETE", "changes/bundle", "?reason=mistake", "");
        assertThat(git("bundle")
                        .with("-c", "core.askPass=true")
                        .end("", "fetch")
                        .exit())
                .isNotZero();

        act("POST", "changes/bundle", ":restore", "");

        assertThat(git().run("ls-remote", url("changes/bundle"))).isEqualTo(before);
    }

    @Test
    void aTagIsABranchWhereGitHasSuchNames() {
        publish("changes/tags", "1.0.0", Map.of("SKILL.md", "one"));
        publish("changes/tags", "1.0.1+build.5", Map.of("SKILL.md", "two"));
        for (String tag : List.of("stable", "main", "a..b", "x.lock", "HEAD")) {
            act("PUT", "changes/tags", "/tags/" + tag, "{\"version\": \"1.0.0\"}");
        }

        var names = git().run("ls-remote", url("changes/tags"));

        assertThat(names.lines().map(line -> line.substring(41)))
                .containsExactly(
                        "HEAD",
                        "refs/heads/latest",
                        "refs/heads/main",
                        "refs/heads/stable",
                        "refs/tags/1.0.0",
                        "refs/tags/1.0.1+build.5",
                        "refs/tags/plugin/1.0.0",
                        "refs/tags/plugin/1.0.1+build.5");
        git().run("clone", "--branch", "stable", url("changes/tags"), "branch");
        assertThat(git("branch").run("log", "-1", "--format=%s")).startsWith("1.0.0");
        act("PUT", "changes/tags", "/tags/stable", "{\"version\": \"1.0.1+build.5\"}");
        git("branch").run("pull");
        assertThat(git("branch").run("log", "-1", "--format=%s")).startsWith("1.0.1+build.5");
        assertThat(git().run("ls-remote", url("changes/tags"), "stable"))
                .startsWith(git().run("ls-remote", url("changes/tags"), "main").substring(0, 40));
    }

    @Test
    void anOlderVersionThatComesLaterLeavesMainWhereItIs() {
        publish("changes/backport", "2.0.0", Map.of("SKILL.md", "two"));
        publish("changes/backport", "1.0.1", Map.of("SKILL.md", "one"));
        clone("changes/backport", "backport");

        assertThat(subjects("backport", "main")).isEqualTo("2.0.0");
        assertThat(subjects("backport", "1.0.1")).isEqualTo("1.0.1 2.0.0");
    }

    @Test
    void aBundleWithoutVersionsIsAnEmptyRepository() {
        app().post("/v1/namespaces/changes/bundles", app().admin(), """
                {"slug": "empty", "name": "Empty", "visibility": "public"}""");

        assertThat(git().run("clone", url("changes/empty"), "empty")).contains("empty repository");
        assertThat(git().with("-c", "protocol.version=0").run("clone", url("changes/empty"), "empty-zero"))
                .contains("empty repository");
    }

    @Test
    void theMessageOfAVersionIsThatOfItsCommit() {
        publish("changes/said", "1.0.0", Map.of("SKILL.md", "one"));
        act("PUT", "changes/said", "/assets/SKILL.md", "{\"contentText\": \"two\"}");
        act("POST", "changes/said", ":publish", """
                {"version": "1.1.0", "message": "Shorter introduction\\n\\nAnd \\u0007 more."}""");
        clone("changes/said", "said");

        assertThat(git("said").run("log", "-1", "--format=%B"))
                .startsWith("1.1.0: Shorter introduction\n\nAnd  more.\n\nManifest: changes/said@sha256:");
        assertThat(git("said").run("log", "-1", "-p")).contains("-one", "+two");
        whole("said");
    }

    private static void deleteTree(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void nodesDeriveTheSame() throws IOException {
        three("changes/nodes");
        String here = git().run("ls-remote", url("changes/nodes"));

        deleteTree(app().dataDir().resolve("cache/git")); // as on a node that has none yet
        publish("changes/nodes", "1.3.0", Map.of("SKILL.md", "four"));

        assertThat(git().run("ls-remote", url("changes/nodes"), "refs/tags/1.2.0"))
                .isEqualTo(here.lines()
                                .filter(line -> line.endsWith("tags/1.2.0"))
                                .findFirst()
                                .orElseThrow()
                        + "\n");
        clone("changes/nodes", "nodes");
        whole("nodes");
    }
}
