package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import land.oras.Annotations;
import land.oras.ArtifactType;
import land.oras.Config;
import land.oras.ContainerRef;
import land.oras.LocalPath;
import land.oras.Registry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// Real bundles all the way through, by our own client and by foreign OCI clients: every file comes back to the
/// byte, and the same content has the same digest whichever way it went.
@Tag("programs")
class CorpusTest extends OnEveryStack {
    @TempDir
    private Path folder;

    private SheafClient client(@Nullable String key, String cache) {
        return SheafClient.of(RegistryUrl.parse(app().url()))
                .key(key == null ? null : Secret.of(key))
                .cache(folder.resolve(cache))
                .open();
    }

    private Registry oras() {
        return Registry.builder()
                .insecure(app().host(), "anybody", app().admin())
                .build();
    }

    private static Map<String, String> contents(Path root) throws IOException {
        var contents = new TreeMap<String, String>();
        try (var files = Files.walk(root)) {
            for (Path file : files.filter(file -> Files.isRegularFile(file) && !file.startsWith(root.resolve(".sheaf")))
                    .toList()) {
                contents.put(
                        root.relativize(file).toString(),
                        Digest.sha256(Files.readAllBytes(file)).hex());
            }
        }
        return contents;
    }

    @Test
    void bothWaysOfPushingGiveOneDigest() throws IOException {
        try (var client = client(app().admin(), "push")) {
            for (Path bundle : TestApp.corpus()) {
                var slug = bundle.getFileName().toString();
                var json = client.push(bundle, Reference.parse("one/" + slug + ":1.0.0"), PushOptions.DEFAULT);
                var oci = client.push(
                        bundle, Reference.parse("one/" + slug + ":1.0.0"), PushOptions.DEFAULT.throughOci(true));
                var ociFirst = client.push(
                        bundle, Reference.parse("one/" + slug + ":2.0.0"), PushOptions.DEFAULT.throughOci(true));
                var jsonAgain = client.push(bundle, Reference.parse("one/" + slug + ":2.0.0"), PushOptions.DEFAULT);

                assertThat(json.route()).isEqualTo(Pushed.Route.JSON);
                assertThat(oci.route()).isEqualTo(Pushed.Route.OCI);
                assertThat(oci.manifestDigest()).as(slug).isEqualTo(json.manifestDigest());
                assertThat(jsonAgain.manifestDigest()).as(slug).isEqualTo(ociFirst.manifestDigest());
            }
        }
    }

    @Test
    void ourClientPullsWhatWasPushed() throws IOException {
        for (Path bundle : TestApp.corpus()) {
            var reference = Reference.parse("own/" + bundle.getFileName() + ":1.0.0");
            try (var publisher = client(app().admin(), "publisher")) {
                publisher.push(bundle, reference, PushOptions.DEFAULT.withVisibility(Visibility.PUBLIC));
            }
            Path target = folder.resolve("own").resolve(bundle.getFileName());
            try (var reader = client(null, "reader")) {
                reader.pull(reference, target);
            }

            assertThat(contents(target)).isEqualTo(contents(bundle));
        }
    }

    @Test
    void orasPullsWhatWasPushed() throws IOException {
        for (Path bundle : TestApp.corpus()) {
            var slug = bundle.getFileName().toString();
            Digest digest;
            try (var publisher = client(app().admin(), "publisher")) {
                digest = publisher
                        .push(bundle, Reference.parse("oras/" + slug + ":1.0.0"), PushOptions.DEFAULT)
                        .manifestDigest();
            }
            var reference = ContainerRef.parse(app().host() + "/oras/" + slug + ":1.0.0");
            Path target = folder.resolve("oras").resolve(slug);
            makeFolders(bundle, target);

            oras().pullArtifact(reference, target, true);

            assertThat(contents(target)).isEqualTo(contents(bundle));
            assertThat(oras().getManifest(reference).getDescriptor().getDigest())
                    .isEqualTo(digest.toString());
        }
    }

    /// The folders of the bundle, which this client does not make by itself.
    private static void makeFolders(Path bundle, Path target) throws IOException {
        for (String file : contents(bundle).keySet()) {
            Files.createDirectories(target.resolve(file).getParent());
        }
    }

    @Test
    void whatOrasPushesIsAVersionThatOurClientPulls() throws IOException {
        Path file = Files.writeString(folder.resolve("prompt.md"), "# By oras\n");
        var pushed = oras().pushArtifact(
                        ContainerRef.parse(app().host() + "/foreign/kit:1.4.0"),
                        ArtifactType.from("application/vnd.example.prompt"),
                        Annotations.empty(),
                        Config.empty(),
                        LocalPath.of(file, "text/markdown"));

        Path target = folder.resolve("pulled");
        try (var reader = client(app().admin(), "foreign")) {
            var resolved = reader.resolve(Reference.parse("foreign/kit:^1.4"));
            reader.pull(Reference.parse("foreign/kit:1.4.0"), target);

            assertThat(resolved.ociDigest()).isEqualTo(pushed.getDescriptor().getDigest());
        }
        assertThat(contents(target))
                .isEqualTo(Map.of(
                        "prompt.md", Digest.sha256(Files.readAllBytes(file)).hex()));
    }

    @Test
    void skopeoCopiesWhatWasPushedAndBack() throws Exception {
        var skopeo = Tool.installed("skopeo", "skopeo", folder.resolve("home"));
        for (Path bundle : TestApp.corpus()) {
            var slug = bundle.getFileName().toString();
            Digest digest;
            try (var publisher = client(app().admin(), "publisher")) {
                digest = publisher
                        .push(bundle, Reference.parse("skopeo/" + slug + ":1.0.0"), PushOptions.DEFAULT)
                        .manifestDigest();
            }
            Path copy = skopeoOut(skopeo, slug);
            byte[] manifest = Files.readAllBytes(copy.resolve("manifest.json"));

            assertThat(Digest.sha256(manifest)).isEqualTo(digest);
            for (var layer : JsonMapper.builder().build().readTree(manifest).get("layers")) {
                String title = layer.get("annotations")
                        .get("org.opencontainers.image.title")
                        .stringValue();
                String blob = layer.get("digest").stringValue().substring("sha256:".length());
                assertThat(copy.resolve(blob)).hasSameBinaryContentAs(bundle.resolve(title));
            }
            assertThat(skopeoIn(skopeo, copy, slug)).isEqualTo(digest.toString());
        }
    }

    private Path skopeoOut(Tool skopeo, String slug) throws Exception {
        Path copy = folder.resolve("skopeo").resolve(slug);
        Files.createDirectories(copy.getParent());
        String source = "docker://" + app().host() + "/skopeo/" + slug + ":1.0.0";
        skopeo.run("copy", "--src-tls-verify=false", "--src-creds", "me:" + app().admin(), source, "dir:" + copy);
        return copy;
    }

    /// The digest under which the registry then has it.
    private String skopeoIn(Tool skopeo, Path copy, String slug) throws Exception {
        String target = "docker://" + app().host() + "/skopeo/" + slug + ":copied";
        skopeo.run("copy", "--dest-tls-verify=false", "--dest-creds", "me:" + app().admin(), "dir:" + copy, target);
        return app().send(app().request("HEAD", "/v2/skopeo/" + slug + "/manifests/copied", app().admin(), null))
                .header("Docker-Content-Digest");
    }
}
