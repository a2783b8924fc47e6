package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The requests of docker's daemon, one after another, as it sends them: no test can have a daemon.
class V2DockerTest extends V2Scenario {
    private static final String AGENT = "docker/28.0.1 go/go1.23.6 git-commit/bbd0a17 kernel/6.1.0 os/linux arch/amd64";
    private static final String LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip";
    private static final String CONFIG = "application/vnd.docker.container.image.v1+json";
    private static final List<String> ACCEPTED = List.of(
            MediaType.DOCKER_MANIFEST,
            MediaType.DOCKER_LIST,
            MediaType.IMAGE_INDEX,
            MediaType.IMAGE_MANIFEST,
            "application/vnd.docker.distribution.manifest.v1+prettyjws",
            "application/json");

    private @Nullable String token;

    private Reply daemon(String method, String path, HttpRequest.BodyPublisher body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(app().url() + path))
                .method(method, body)
                .header("User-Agent", AGENT)
                .header("Accept-Encoding", "gzip");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return app().send(request);
    }

    private Reply daemon(String method, String path, String... headers) {
        return daemon(method, path, BodyPublishers.noBody(), headers);
    }

    /// As the command does, and the daemon before each push and pull: the challenge of `/v2/`, then a token.
    private void logIn(String scope) {
        token = null;
        var asked = daemon("GET", "/v2/");
        assertThat(asked.status()).isEqualTo(401);
        assertThat(asked.header("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"" + app().url() + "/v2/token\",service=\"" + app().host() + "\"");
        var pair = Base64.getEncoder().encodeToString(("any:" + app().admin()).getBytes(StandardCharsets.UTF_8));
        var given = daemon(
                "GET",
                "/v2/token?account=any" + (scope.isEmpty() ? "&client_id=docker&offline_token=true" : "&scope=" + scope)
                        + "&service=" + app().host(),
                "Authorization",
                "Basic " + pair);
        assertThat(given.status()).as(given.text()).isEqualTo(200);
        token = given.json().get("token").stringValue();
        assertThat(daemon("GET", "/v2/").status()).isEqualTo(200);
    }

    /// One layer, or the config: looked for, begun, streamed in one PATCH, ended, and looked for again.
    private void upload(String repository, byte[] bytes) {
        String blob = "/v2/" + repository + "/blobs/" + Digest.sha256(bytes);
        assertThat(daemon("HEAD", blob).status()).isEqualTo(404);
        var begun = daemon("POST", "/v2/" + repository + "/blobs/uploads/");
        assertThat(begun.status()).as(begun.text()).isEqualTo(202);
        assertThat(begun.header("Docker-Upload-UUID")).isNotEmpty();
        var streamed = daemon(
                "PATCH", begun.header("Location"), BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
        assertThat(streamed.status()).isEqualTo(202);
        assertThat(streamed.header("Range")).isEqualTo("0-" + (bytes.length - 1));
        var ended = daemon(
                "PUT",
                streamed.header("Location") + "?digest="
                        + Digest.sha256(bytes).toString().replace(":", "%3A"));
        assertThat(ended.status()).as(ended.text()).isEqualTo(201);
        assertThat(daemon("HEAD", blob).status()).isEqualTo(200);
    }

    private String manifest(byte[] config, List<byte[]> layers) {
        return """
                {"schemaVersion":2,"mediaType":"%s","config":%s,"layers":[%s]}""".formatted(
                MediaType.DOCKER_MANIFEST,
                descriptor(CONFIG, config),
                String.join(
                        ",",
                        layers.stream().map(layer -> descriptor(LAYER, layer)).toList()));
    }

    private void push(String repository, String tag, byte[] config, List<byte[]> layers) {
        logIn("repository%3A" + repository.replace("/", "%2F") + "%3Apush%2Cpull");
        layers.forEach(layer -> upload(repository, layer));
        upload(repository, config);
        String path = "/v2/" + repository + "/manifests/" + tag;
        assertThat(daemon("HEAD", path).status()).isEqualTo(404);
        var put = daemon(
                "PUT",
                path,
                BodyPublishers.ofString(manifest(config, layers)),
                "Content-Type",
                MediaType.DOCKER_MANIFEST);
        assertThat(put.status()).as(put.text()).isEqualTo(201);
        assertThat(put.header("Docker-Content-Digest"))
                .isEqualTo(Digest.sha256(utf8(manifest(config, layers))).toString());
    }

    private void pull(String repository, String tag, byte[] config, List<byte[]> layers) {
        logIn("repository%3A" + repository.replace("/", "%2F") + "%3Apull");
        var accept = new ArrayList<String>();
        ACCEPTED.forEach(type -> accept.addAll(List.of("Accept", type)));
        String[] headers = accept.toArray(String[]::new);
        var head = daemon("HEAD", "/v2/" + repository + "/manifests/" + tag, headers);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).isEqualTo(MediaType.DOCKER_MANIFEST);
        var got = daemon("GET", "/v2/" + repository + "/manifests/" + head.header("Docker-Content-Digest"), headers);
        assertThat(got.text()).isEqualTo(manifest(config, layers));
        var blobs = new ArrayList<>(layers);
        blobs.add(config);
        for (byte[] blob : blobs) {
            var read = daemon("GET", "/v2/" + repository + "/blobs/" + Digest.sha256(blob));
            assertThat(read.response().body()).isEqualTo(blob);
            assertThat(read.header("Content-Encoding")).isEmpty();
        }
    }

    @Test
    void logsInPushesAndPulls() {
        logIn("");
        var config = utf8("{\"architecture\":\"amd64\",\"os\":\"linux\"}");
        var layers = List.of(random(70_000), random(300));
        for (String tag : List.of("latest", "3.20", "v1.30.2", "20240501")) {
            String repository = "docker/image-" + tag.replace(".", "_");
            push(repository, tag, config, layers);
            pull(repository, tag, config, layers);
        }
        push("docker/version", "1.0.0", config, layers);
        pull("docker/version", "1.0.0", config, layers);
    }

    /// It first tries to mount what it has pushed or pulled elsewhere, with a token for both.
    @Test
    void mountsWhatItKnowsElsewhere() {
        byte[] layer = random(80_000);
        push("docker/base", "1.0.0", utf8("{\"os\":\"linux\"}"), List.of(layer));
        logIn("repository%3Adocker%2Fother%3Apush%2Cpull&scope=repository%3Adocker%2Fbase%3Apull");

        var mounted =
                daemon("POST", "/v2/docker/other/blobs/uploads/?from=docker%2Fbase&mount=" + Digest.sha256(layer));

        assertThat(mounted.status()).isEqualTo(201);
        assertThat(mounted.header("Location")).isEqualTo("/v2/docker/other/blobs/" + Digest.sha256(layer));
    }
}
