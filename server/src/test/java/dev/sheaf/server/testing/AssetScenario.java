package dev.sheaf.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Scenarios over assets, with the words of somebody who edits a bundle.
public abstract class AssetScenario extends OnEveryStack {
    public static String assets(String repository) {
        return bundle(repository) + "/assets";
    }

    public final void create(String repository, String visibility) {
        var parts = repository.split("/");
        var reply = app().post(
                        "/v1/namespaces/" + parts[0] + "/bundles", app().admin(), """
                {"slug": "%s", "name": "Kit", "visibility": "%s"}""".formatted(parts[1], visibility));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    public final Reply put(String path, byte[] body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(app().url() + path))
                .method("PUT", BodyPublishers.ofByteArray(body))
                .header("Authorization", "Bearer " + app().admin());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return app().send(request);
    }

    public final Reply put(String path, String text) {
        return put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    public final Reply get(String path, @Nullable String key, String... headers) {
        var request = app().request("GET", path, key, null);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return app().send(request);
    }

    public final List<String> paths(String path, @Nullable String key) {
        var reply = app().get(path, key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().get("data").findValuesAsString("logicalPath");
    }
}
