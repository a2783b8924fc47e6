package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The executable bit, by every way in and out (contract 4).
class ExecutableBitsTest extends V2Scenario {
    private static final String SCRIPT = "#!/bin/sh\n";

    private Reply push(String repository, String version, String executables) {
        return app().post(bundle(repository) + ":push", app().admin(), """
                {"version": "%s", "manifest": [
                  {"logicalPath": "NOTES.md", "contentText": "# S\\n"},
                  {"logicalPath": "copy.sh", "contentText": "#!/bin/sh\\n"},
                  {"logicalPath": "run.sh", "contentText": "#!/bin/sh\\n"%s}]}""".formatted(version, executables));
    }

    private Reply get(String path) {
        return app().get(path, app().admin());
    }

    /// What a list of assets says of each, by path.
    private static Map<String, String> modes(JsonNode assets) {
        var modes = new TreeMap<String, String>();
        assets.forEach(asset -> modes.put(
                asset.get("logicalPath").stringValue(), asset.path("executable").asString("unknown")));
        return modes;
    }

    private static final Map<String, String> RUN = Map.of("NOTES.md", "false", "copy.sh", "false", "run.sh", "true");

    @Test
    void whatIsPushedAsExecutableIsSoInEveryAnswer() {
        var pushed = push("modes/push", "1.0.0", ", \"executable\": true");
        String version = bundle("modes/push") + "/versions/1.0.0";

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(modes(pushed.json().at("/manifest/assets"))).isEqualTo(RUN);
        assertThat(modes(get(bundle("modes/push") + ":resolve").json().at("/manifest/layers")))
                .isEqualTo(RUN);
        assertThat(modes(get(version).json().at("/manifest/assets"))).isEqualTo(RUN);
        assertThat(modes(get(version + ":pull").json().get("manifest"))).isEqualTo(RUN);
        assertThat(modes(get(bundle("modes/push") + "/assets?version=1.0.0")
                        .json()
                        .get("data")))
                .isEqualTo(RUN);
        var one = get(bundle("modes/push") + "/assets/run.sh?version=1.0.0").as(Asset.class);
        assertThat(one.executable()).isTrue();
        assertThat(get("/v1/runner/assets/" + one.id()).as(Asset.class).executable())
                .isTrue();
        assertThat(push("modes/push", "1.0.0", ", \"executable\": true").status())
                .isEqualTo(200);
        assertThat(push("modes/push", "1.0.0", "").status()).as("other content").isEqualTo(409);
        var manifest = get("/v2/modes/push/manifests/1.0.0").json().get("layers");
        assertThat(manifest.get(2).get("annotations").toString())
                .isEqualTo("{\"dev.sheaf.asset.executable\":\"true\",\"org.opencontainers.image.title\":\"run.sh\"}");
        assertThat(manifest.get(1).get("annotations").toString())
                .isEqualTo("{\"org.opencontainers.image.title\":\"copy.sh\"}");
    }

    @Test
    void whatIsBeingEditedHasModesAndKeepsThemWhereNothingIsSaid() {
        String all = bundle("modes/edit") + "/assets";
        app().post("/v1/namespaces/modes/bundles", app().admin(), "{\"slug\": \"edit\", \"name\": \"Kit\"}");

        assertThat(mode(raw(all + "/run.sh?executable=true", SCRIPT))).isEqualTo("true");
        assertThat(mode(raw(all + "/run.sh", SCRIPT + "# 2\n"))).as("kept").isEqualTo("true");
        assertThat(mode(raw(all + "/copy.sh", SCRIPT))).isEqualTo("false");
        assertThat(mode(form(all + "/copy.sh", "{\"contentText\": \"x\", \"executable\": true}")))
                .isEqualTo("true");
        assertThat(mode(form(all + "/copy.sh", "{\"contentText\": \"x\"}")))
                .as("kept")
                .isEqualTo("true");
        assertThat(mode(raw(all + "/copy.sh?executable=false", "x"))).isEqualTo("false");
        assertThat(raw(all + "/copy.sh?executable=yes", "x").status()).isEqualTo(422);
        assertThat(form(all + "/copy.sh", "{\"contentText\": \"x\", \"executable\": 1}")
                        .status())
                .isEqualTo(422);
        app().post(bundle("modes/edit") + ":publish", app().admin(), "{\"version\": \"1.0.0\"}");

        assertThat(modes(get(bundle("modes/edit") + ":resolve").json().at("/manifest/layers")))
                .isEqualTo(Map.of("copy.sh", "false", "run.sh", "true"));
        assertThat(app().post(bundle("modes/edit") + ":publish", app().admin(), "{\"version\": \"1.0.0\"}")
                        .status())
                .isEqualTo(200);
    }

    private static String mode(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        return reply.json().path("executable").asString("unknown");
    }

    private Reply raw(String path, String text) {
        return call("PUT", path, utf8(text));
    }

    private Reply form(String path, String json) {
        return call("PUT", path, utf8(json), "Content-Type", "application/json");
    }

    @Test
    void anOciManifestSaysItByItsAnnotation() {
        byte[] config = utf8("{}");
        pushBlob("modes/oci", config);
        pushBlob("modes/oci", utf8(SCRIPT));
        String layer = descriptor("text/x-sh", utf8(SCRIPT));
        String run = layer.replace(
                "}",
                ",\"annotations\":{\"org.opencontainers.image.title\":\"run.sh\","
                        + "\"dev.sheaf.asset.executable\":\"true\"}}");
        String copy = layer.replace(
                "}",
                ",\"annotations\":{\"org.opencontainers.image.title\":\"copy.sh\","
                        + "\"dev.sheaf.asset.executable\":\"no\"}}");

        var pushed = pushManifest("modes/oci", "1.0.0", """
                {"schemaVersion":2,"mediaType":"%s","artifactType":"application/x-test","config":%s,"layers":[%s,%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST, descriptor("application/vnd.oci.empty.v1+json", config), copy, run));

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(modes(get(bundle("modes/oci") + ":resolve").json().at("/manifest/layers")))
                .isEqualTo(Map.of("copy.sh", "false", "run.sh", "true"));
    }

    @Test
    void aCopyOfABundleByItsManifestKeepsModes() {
        push("modes/first", "1.0.0", ", \"executable\": true");
        var manifest = get("/v2/modes/first/manifests/1.0.0");
        for (String content : List.of("# S\n", SCRIPT)) {
            pushBlob("modes/second", utf8(content));
        }
        var config = get(
                "/v2/modes/first/blobs/" + manifest.json().at("/config/digest").stringValue());
        pushBlob("modes/second", config.response().body());

        assertThat(pushManifest("modes/second", "1.0.0", manifest.text()).status())
                .isEqualTo(201);

        assertThat(modes(get(bundle("modes/second") + ":resolve").json().at("/manifest/layers")))
                .isEqualTo(RUN);
    }

    @Test
    void aChangeOfModeIsAChange() {
        push("modes/diff", "1.0.0", "");
        push("modes/diff", "1.1.0", ", \"executable\": true");

        var diff = get(bundle("modes/diff") + "/versions/1.0.0:diff?to=1.1.0").as(VersionDiff.class);

        assertThat(diff.changed()).isEqualTo(1);
        assertThat(diff.changes().getFirst().logicalPath()).isEqualTo("run.sh");
        assertThat(requireNonNull(diff.changes().getFirst().before()).executable())
                .isFalse();
        assertThat(requireNonNull(diff.changes().getFirst().after()).executable())
                .isTrue();
    }

    private String tagged(String repository, String tag) {
        return get("/v2/" + repository + "/manifests/" + tag).header("Docker-Content-Digest");
    }
}
