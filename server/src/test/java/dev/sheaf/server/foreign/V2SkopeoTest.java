package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.V2Scenario;
import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists and deletes by a client that is not ours, through the token service.
@Tag("programs")
class V2SkopeoTest extends V2Scenario {
    @TempDir
    private Path home;

    private Tool.Run skopeo(String command, String reference) {
        return Tool.installed("skopeo", "skopeo", home)
                .end(
                        "",
                        command,
                        "--tls-verify=false",
                        "--creds",
                        "me:" + app().admin(),
                        "docker://" + app().host() + "/" + reference);
    }

    @BeforeEach
    void skopeoIsThere() {
        Tool.assumeInstalled("skopeo", "skopeo");
    }

    @Test
    void skopeoListsTagsAndDeletesWhatIsNoVersion() {
        String json = image("skopeo/kit", random(10));
        var digest = Digest.sha256(utf8(json));
        pushManifest("skopeo/kit", digest + "?tag=word&tag=other", json);
        pushManifest("skopeo/kit", "1.0.0", image("skopeo/kit", random(11)));

        var listed = skopeo("list-tags", "skopeo/kit");
        var deleted = skopeo("delete", "skopeo/kit:word");
        var refused = skopeo("delete", "skopeo/kit:1.0.0");

        assertThat(listed.output()).contains("\"word\"", "\"other\"", "\"1.0.0\"", "\"latest\"");
        assertThat(deleted.exit()).as(deleted.output()).isZero();
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("yank or delete the version");
        assertThat(call("GET", "/v2/skopeo/kit/tags/list", null)
                        .json()
                        .get("tags")
                        .toString())
                .isEqualTo("[\"1.0.0\",\"latest\"]");
    }

    /// As a mirror of common images does.
    @Test
    void skopeoCopiesImagesUnderTheTagsThatTheyHave() {
        pushManifest("skopeo-from/alpine", "1.0.0", image("skopeo-from/alpine", random(2_000)));

        for (String tag : List.of("3.20", "v1.30.2", "20240501", "latest")) {
            var copied = Tool.installed("skopeo", "skopeo", home)
                    .end(
                            "",
                            "copy",
                            "--src-tls-verify=false",
                            "--dest-tls-verify=false",
                            "--src-creds=me:" + app().admin(),
                            "--dest-creds=me:" + app().admin(),
                            "docker://" + app().host() + "/skopeo-from/alpine:1.0.0",
                            "docker://" + app().host() + "/skopeo-to/alpine:" + tag);
            assertThat(copied.exit()).as(tag + ": " + copied.output()).isZero();
        }

        assertThat(skopeo("list-tags", "skopeo-to/alpine").output())
                .contains("\"3.20\"", "\"v1.30.2\"", "\"20240501\"", "\"latest\"");
    }

    /// Such clients do not read the body of an answer from 500 on.
    @Test
    void skopeoShowsWhatTheQuotaHasNoRoomFor() {
        pushManifest("skopeo-quota/kit", "1.0.0", image("skopeo-quota/kit", random(30_000)));
        long used = call("GET", "/v1/organizations/default/usage", null)
                .json()
                .at("/used/bytes")
                .longValue();
        String quota = "/v1/admin/organizations/default/quota";
        assertThat(app().send("PATCH", quota, app().admin(), "{\"bytes\": " + (used + 1_000) + "}")
                        .status())
                .isEqualTo(200);

        var refused = Tool.installed("skopeo", "skopeo", home)
                .end(
                        "",
                        "copy",
                        "--src-tls-verify=false",
                        "--dest-tls-verify=false",
                        "--src-creds=me:" + app().admin(),
                        "--dest-creds=me:" + app().admin(),
                        "docker://" + app().host() + "/skopeo-quota/kit:1.0.0",
                        "docker://" + app().host() + "/skopeo-quota/copy:1.0.0");
        app().send("PATCH", quota, app().admin(), "{\"bytes\": null}");

        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("the organization default uses ", " of at most " + (used + 1_000));
    }
}
