package dev.sheaf.server.bundle.api.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Version;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One bundle over HTTP, with the words of the model tests; an answer is its status and the code of the problem.
public final class BundleClient {
    private final TestApp app;
    private final String name;
    private final String path;
    private final String key;

    public BundleClient(TestApp app, String name) {
        this(app, name, app.admin());
    }

    public BundleClient(TestApp app, String name, String key) {
        this.app = app;
        this.name = name;
        this.path = "/v1/namespaces/" + name.replace("/", "/bundles/");
        this.key = key;
    }

    static String said(Reply reply) {
        return reply.status() < 400
                ? String.valueOf(reply.status())
                : reply.status() + " " + reply.json().path("code").asString("");
    }

    private Reply send(String method, String rest, @Nullable String body) {
        return app.send(method, path + rest, key, body);
    }

    public Reply get(String rest) {
        return send("GET", rest, null);
    }

    // --- changes ---

    static String tags(List<String> tags) {
        return tags.stream().map(tag -> "\"" + tag + "\"").collect(Collectors.joining(",", "[", "]"));
    }

    public Reply push(Version version, Map<String, String> assets, List<String> tags, @Nullable Boolean isPrivate) {
        String visibility = isPrivate == null ? "" : "\"visibility\": \"" + (isPrivate ? "private" : "public") + "\", ";
        String manifest = assets.entrySet().stream()
                .map(asset -> "{\"logicalPath\": \"%s\", \"contentText\": \"%s\"}"
                        .formatted(asset.getKey(), asset.getValue()))
                .collect(Collectors.joining(",", "[", "]"));
        return send(
                "POST",
                ":push",
                "{\"name\": \"Kit\", %s\"version\": \"%s\", \"tags\": %s, \"manifest\": %s}"
                        .formatted(visibility, version, tags(tags), manifest));
    }

    Reply publish(Version version, List<String> tags) {
        return send("POST", ":publish", "{\"version\": \"%s\", \"tags\": %s}".formatted(version, tags(tags)));
    }

    /// @param text null: the asset goes
    public String edit(String asset, @Nullable String text) {
        return said(send(
                text == null ? "DELETE" : "PUT",
                "/assets/" + asset,
                text == null ? null : "{\"contentText\": \"" + text + "\"}"));
    }

    public String tag(String tag, Version version, @Nullable Boolean protect) {
        return said(send(
                "PUT",
                "/tags/" + tag,
                "{\"version\": \"" + version + "\"" + (protect == null ? "" : ", \"protected\": " + protect) + "}"));
    }

    String untag(String tag) {
        return said(send("DELETE", "/tags/" + tag, null));
    }

    String rollback(String tag) {
        return said(send("POST", "/tags/" + tag + ":rollback", "{}"));
    }

    public String verb(Version version, String verb, String body) {
        return said(send("POST", "/versions/" + encoded(version) + ":" + verb, body));
    }

    String delete(Version version) {
        return said(send("DELETE", "/versions/" + encoded(version) + "?reason=test", null));
    }

    String delete() {
        return said(send("DELETE", "?reason=test", null));
    }

    String restore() {
        return said(send("POST", ":restore", null));
    }

    String show(boolean show) {
        return said(send("PATCH", "", "{\"visibility\": \"" + (show ? "public" : "private") + "\"}"));
    }

    private static String encoded(Version version) {
        return URLEncoder.encode(version.toString(), StandardCharsets.UTF_8);
    }

    /// The bytes of a manifest, pushed under another reference by an OCI client.
    Reply putManifest(String reference, byte[] manifest) {
        return app.send(app.request("PUT", "/v2/" + name + "/manifests/" + reference.replace('+', '_'), key, "")
                .method("PUT", java.net.http.HttpRequest.BodyPublishers.ofByteArray(manifest))
                .setHeader("Content-Type", MediaType.IMAGE_MANIFEST));
    }

    byte[] manifest(String digest) {
        var reply = app.get("/v2/" + name + "/manifests/" + digest, key);
        assertThat(reply.status()).as(digest + " " + reply.text()).isEqualTo(200);
        return reply.response().body();
    }

    // --- what is seen ---

    /// The entries of a list, each as one text; where there is none, what was answered.
    List<String> list(String rest, String... members) {
        return list(get(rest), members);
    }

    private static List<String> list(Reply reply, String... members) {
        if (reply.status() != 200) {
            return List.of(said(reply));
        }
        var entries = new ArrayList<String>();
        for (JsonNode entry : reply.json().get("data")) {
            var values = new ArrayList<String>();
            for (String member : members) {
                values.add(entry.path(member).asString("null"));
            }
            entries.add(String.join(" ", values));
        }
        return entries;
    }

    /// Members of an object, as one text; where there is none, what was answered.
    public static String members(Reply reply, String... members) {
        if (reply.status() != 200) {
            return said(reply);
        }
        var values = new ArrayList<String>();
        for (String member : members) {
            values.add(reply.json().path(member).asString("null"));
        }
        return String.join(" ", values);
    }

    public Reply resolve(String selector) {
        return get(":resolve?version="
                + URLEncoder.encode(selector, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    Reply hub() {
        return app.get("/v1/hub/bundles/" + name, null);
    }

    /// The names of the registry's tags.
    List<String> registryTags() {
        var reply = app.get("/v2/" + name + "/tags/list", key);
        return reply.status() != 200
                ? List.of(String.valueOf(reply.status()))
                : reply.json()
                        .get("tags")
                        .valueStream()
                        .map(JsonNode::stringValue)
                        .toList();
    }
}
