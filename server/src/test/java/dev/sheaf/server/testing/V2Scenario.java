package dev.sheaf.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Scenarios over /v2, with the words of an OCI client.
public abstract class V2Scenario extends OnEveryStack {
    public final long seed = System.nanoTime();

    public final byte[] random(int size) {
        var bytes = new byte[size];
        new Random(seed + size).nextBytes(bytes);
        return bytes;
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// A request of somebody who may do everything; headers are pairs of name and value.
    public final Reply call(String method, String path, byte @Nullable [] body, String... headers) {
        return exchange(method, path, body, headers);
    }

    /// What the client of this scenario does for one request: it may take several.
    public Reply exchange(String method, String path, byte @Nullable [] body, String... headers) {
        return callAs(credential(), method, path, body, headers);
    }

    /// What the requests of [#call] are made with.
    public String credential() {
        return app().admin();
    }

    public final Reply callAs(
            @Nullable String key, String method, String path, byte @Nullable [] body, String... headers) {
        return callWith(key == null ? null : "Bearer " + key, method, path, body, headers);
    }

    /// @param authorization the header; null: none
    public final Reply callWith(
            @Nullable String authorization, String method, String path, byte @Nullable [] body, String... headers) {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        var request = HttpRequest.newBuilder(URI.create(app().url() + path)).method(method, publisher);
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return app().send(request);
    }

    /// The place of a new upload.
    public final String begin(String repository) {
        var reply = call("POST", "/v2/" + repository + "/blobs/uploads/", null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        assertThat(reply.header("Location")).startsWith("/v2/" + repository + "/blobs/uploads/");
        assertThat(reply.header("Range")).isEqualTo("0-0");
        return reply.header("Location");
    }

    public final Digest pushBlob(String repository, byte[] bytes) {
        var digest = Digest.sha256(bytes);
        var reply = call("PUT", begin(repository) + "?digest=" + digest, bytes);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return digest;
    }

    public final Reply pushManifest(String repository, String reference, String json) {
        return call(
                "PUT",
                "/v2/" + repository + "/manifests/" + reference,
                utf8(json),
                "Content-Type",
                MediaType.IMAGE_MANIFEST);
    }

    public static String descriptor(String mediaType, byte[] bytes) {
        return """
                {"mediaType":"%s","digest":"%s","size":%d}""".formatted(mediaType, Digest.sha256(bytes), bytes.length);
    }

    /// An image manifest over these blobs, which the repository then holds.
    public final String image(String repository, byte[]... layers) {
        var config = utf8("{}");
        pushBlob(repository, config);
        var descriptors = new StringBuilder();
        for (byte[] layer : layers) {
            pushBlob(repository, layer);
            descriptors.append(descriptors.isEmpty() ? "" : ",").append(descriptor("text/plain", layer));
        }
        return """
                {"schemaVersion":2,"mediaType":"%s","artifactType":"application/x-test","config":%s,"layers":[%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST, descriptor("application/vnd.oci.empty.v1+json", config), descriptors);
    }

    public static void assertRefused(Reply reply, int status, String code) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.json().at("/errors/0/code").stringValue()).isEqualTo(code);
        assertThat(reply.json().at("/errors/0/message").stringValue()).isNotBlank();
    }
}
