package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What OCI clients are told of versions that should not be used any more (distribution-spec, "Warnings").
class V2WarningsTest extends V2Scenario {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String BUNDLE = "/v1/namespaces/warned/bundles/";

    private void verb(String of, String verb, String json) {
        var reply = app().post(BUNDLE + of + ":" + verb, app().admin(), json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    private Reply ask(String method, String bundle, String reference, String... headers) {
        return callAs(null, method, "/v2/warned/" + bundle + "/manifests/" + reference, null, headers);
    }

    /// The same by GET and by HEAD, whether the client has the manifest already or not.
    private List<String> warnings(String bundle, String reference) {
        var got = ask("GET", bundle, reference);
        assertThat(got.status()).as(got.text()).isEqualTo(200);
        var lines = got.response().headers().allValues("Warning");
        assertThat(ask("HEAD", bundle, reference).response().headers().allValues("Warning"))
                .isEqualTo(lines);
        var known = ask("GET", bundle, reference, "If-None-Match", got.header("ETag"));
        assertThat(known.status()).isEqualTo(304);
        assertThat(known.response().headers().allValues("Warning")).isEqualTo(lines);
        return lines;
    }

    private String digest(String bundle, String reference) {
        return ask("HEAD", bundle, reference).header("Docker-Content-Digest");
    }

    @Test
    void aYankedVersionIsWarnedOfUntilItIsUnyanked() {
        app().push("warned/yank", "1.0.0", "public", "one");
        app().push("warned/yank", "1.1.0", "public", "two");
        String digest = digest("yank", "1.1.0");
        assertThat(warnings("yank", "1.1.0")).isEmpty();
        assertThat(warnings("yank", digest)).isEmpty();

        verb("yank/versions/1.1.0", "yank", """
                {"reason": "Loses data", "reasonCode": "broken", "replacement": "1.0.0"}""");

        for (String reference : List.of("1.1.0", digest)) {
            assertThat(warnings("yank", reference))
                    .containsExactly("299 - \"warned/yank 1.1.0 is yanked (broken): Loses data; use instead: 1.0.0\"");
        }
        assertThat(warnings("yank", "1.0.0")).isEmpty();
        assertThat(warnings("yank", "latest")).isEmpty();

        verb("yank/versions/1.1.0", "unyank", "{}");

        assertThat(warnings("yank", "1.1.0")).isEmpty();
        assertThat(warnings("yank", digest)).isEmpty();
    }

    @Test
    void aDeprecatedVersionAndBundleAreWarnedOf() {
        app().push("warned/old", "1.0.0", "public", "one");
        app().push("warned/old", "1.1.0", "public", "two");

        verb("old/versions/1.0.0", "deprecate", """
                {"message": "Slow"}""");
        assertThat(warnings("old", "1.0.0")).containsExactly("299 - \"warned/old 1.0.0 is deprecated: Slow\"");
        assertThat(warnings("old", "latest")).isEmpty();

        verb("old", "deprecate", """
                {"message": "No longer kept up", "replacement": "warned/new"}""");
        String bundle = "299 - \"warned/old is deprecated: No longer kept up; use instead: warned/new\"";
        assertThat(warnings("old", "1.0.0")).containsExactly("299 - \"warned/old 1.0.0 is deprecated: Slow\"", bundle);
        assertThat(warnings("old", "latest")).containsExactly(bundle);

        verb("old/versions/1.0.0", "undeprecate", "{}");
        verb("old", "undeprecate", "{}");
        assertThat(warnings("old", "1.0.0")).isEmpty();
        assertThat(warnings("old", "latest")).isEmpty();
    }

    /// One manifest under two versions: each tag tells of its own version, the digest of the one that is good.
    @Test
    void aTagTellsOfItsOwnVersion() {
        String json = image("warned/twins", random(20));
        pushManifest("warned/twins", "1.0.0", json);
        pushManifest("warned/twins", "2.0.0", json);
        app().send("PATCH", BUNDLE + "twins", app().admin(), """
                {"visibility": "public"}""");

        verb("twins/versions/1.0.0", "yank", "{}");

        assertThat(warnings("twins", "1.0.0")).containsExactly("299 - \"warned/twins 1.0.0 is yanked\"");
        assertThat(warnings("twins", "2.0.0")).isEmpty();
        assertThat(warnings("twins", digest("twins", "2.0.0"))).isEmpty();
    }

    @Test
    void whatAPublisherWroteNeitherEndsTheHeaderNorFillsIt() {
        app().push("warned/hostile", "1.0.0", "public", "one");

        verb("hostile/versions/1.0.0", "deprecate", """
                {"message": "say \\"no\\", C:\\\\ \\tpr\\u00e9s \\ud83d\\ude00", "replacement": "%s"}""".formatted("\\\"".repeat(90)));
        verb("hostile/versions/1.0.0", "yank", """
                {"reason": "%s"}""".formatted("\\\\".repeat(900)));

        var lines = warnings("hostile", "1.0.0");
        assertThat(lines).hasSize(2).allMatch(line -> line.matches("299 - \"([ !#-\\[\\]-~]|\\\\[\"\\\\])*\""));
        assertThat(lines.getLast())
                .startsWith(
                        "299 - \"warned/hostile 1.0.0 is deprecated: say \\\"no\\\", C:\\\\  pr?s ?; use instead: ");
        assertThat(lines.getFirst()).endsWith("\\\\...\"");
        assertThat(lines.stream().mapToInt(String::length).sum()).isLessThan(4_096 * 2 / 3);
    }

    /// What the publisher says costs no question to the database while nothing changes.
    @Test
    void warningsAreRemembered() {
        app().push("warned/kept", "1.0.0", "public", "one");
        verb("kept/versions/1.0.0", "yank", "{}");
        var told = warnings("kept", "1.0.0");
        var changes = new AtomicInteger();

        // On PostgreSQL the node's own news of the yank may come late, and have it ask once more.
        Eventually.within(SOON, () -> {
            String before = ask("HEAD", "kept", "1.0.0").header("Warning");
            changeBehindItsBack("changed " + changes.incrementAndGet());
            return ask("HEAD", "kept", "1.0.0").header("Warning").equals(before);
        });
        assertThat(told).hasSize(1);
    }

    private void changeBehindItsBack(String reason) {
        app().database()
                .write(tx -> tx.handle()
                        .createUpdate("UPDATE version SET yank_reason = :reason WHERE state = 'yanked'")
                        .bind("reason", reason)
                        .execute());
    }
}
