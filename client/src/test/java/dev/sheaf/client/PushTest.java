package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.LocalAsset;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");
    private static final byte[] BINARY = {(byte) 0x89, 'P', 'N', 'G', 0, (byte) 0xFF};

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private final List<String> notices = new ArrayList<>();
    private Path kit = Path.of("");

    @BeforeEach
    void write() throws IOException {
        kit = Files.createDirectory(folder.resolve("kit"));
        Files.createDirectories(kit.resolve("skills/a"));
        Files.createDirectories(kit.resolve(".git"));
        Files.writeString(kit.resolve(".git/config"), "secret");
        Files.writeString(kit.resolve("skills/a/SKILL.md"), "# Grüße\n");
        Files.writeString(kit.resolve("README.md"), "read me");
        Files.write(kit.resolve("logo.png"), BINARY);
        Files.writeString(kit.resolve("empty.txt"), "");
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private SheafClient client() {
        var listener = new Progress() {
            @Override
            public Transfer begin(Activity activity, String name, long totalBytes) {
                return NONE.begin(activity, name, totalBytes);
            }

            @Override
            public void notice(String message) {
                notices.add(message);
            }
        };
        return SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .progress(listener)
                .pause(wait -> {})
                .open();
    }

    private Pushed push(PushOptions options) {
        try (var client = client()) {
            return client.push(kit, KIT, options);
        }
    }

    @Test
    void bothWaysGiveTheSameDigestAndTheSameBytes() throws IOException {
        var json = push(PushOptions.DEFAULT);
        var oci = push(PushOptions.DEFAULT.throughOci(true));

        assertThat(json.route()).isEqualTo(Pushed.Route.JSON);
        assertThat(oci.route()).isEqualTo(Pushed.Route.OCI);
        assertThat(oci.manifestDigest()).isEqualTo(json.manifestDigest());
        try (var client = client()) {
            client.pull(KIT, folder.resolve("out"));
        }
        assertThat(PullTest.contentOf(folder.resolve("out")))
                .containsOnlyKeys("skills/a/SKILL.md", "README.md", "logo.png", "empty.txt")
                .hasEntrySatisfying("logo.png", b -> assertThat(b).isEqualTo(BINARY))
                .hasEntrySatisfying(
                        "skills/a/SKILL.md",
                        b -> assertThat(b).isEqualTo("# Grüße\n".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void uploadsOnlyWhatTheRegistryLacks() {
        push(PushOptions.DEFAULT);
        push(PushOptions.DEFAULT.throughOci(true));

        var uploads = registry.requests("/blobs/uploads/").stream()
                .filter(request -> request.method().equals("PUT"))
                .toList();
        assertThat(uploads).hasSize(1); // the config
    }

    @Test
    void putsTheManifestAtEachTag() {
        push(PushOptions.DEFAULT.throughOci(true).withTags(List.of(new Tag("stable"))));

        assertThat(registry.requests("/manifests/").stream().map(TinyRegistry.Seen::path))
                .containsExactly("/v2/acme/kit/manifests/1.0.0", "/v2/acme/kit/manifests/stable");
    }

    @Test
    void goesBlobByBlobWhereAFileIsLarge() throws IOException {
        Files.write(kit.resolve("large.bin"), new byte[(4 << 20) + 1]);

        assertThat(push(PushOptions.DEFAULT).route()).isEqualTo(Pushed.Route.OCI);
    }

    /// An OCI push cannot say that a bundle is public.
    @Test
    void makesAPublicBundleBeforeItGoesBlobByBlob() {
        var options = PushOptions.DEFAULT
                .throughOci(true)
                .withVisibility(Visibility.PUBLIC)
                .withDescription("Tools.");
        var asked = new ArrayList<String>();
        registry.replace("/v1/namespaces/acme/bundles", exchange -> {
            if (exchange.getRequestMethod().equals("GET")) {
                TinyRegistry.problem(exchange, 404, "bundle-not-found", "the bundle does not exist");
                return;
            }
            asked.add(exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            TinyRegistry.send(exchange, 201, "{\"visibility\": \"public\"}".getBytes(StandardCharsets.UTF_8));
        });

        assertThat(push(options).route()).isEqualTo(Pushed.Route.OCI);

        assertThat(asked)
                .containsExactly("/v1/namespaces/acme/bundles {\"slug\":\"kit\",\"name\":\"kit\","
                        + "\"description\":\"Tools.\",\"visibility\":\"public\"}");
        assertThat(notices).contains("created the public bundle acme/kit; its version follows file by file, as asked");
    }

    @ParameterizedTest
    @CsvSource({"false, private, true", "true, private, true", "false, public, false", "true, public, false"})
    void saysThatAPrivateBundleStaysPrivate(boolean oci, String now, boolean told) {
        push(PushOptions.DEFAULT);
        registry.content.descriptions.put("acme/kit", "{\"ref\": \"acme/kit\", \"visibility\": \"%s\"}".formatted(now));

        push(PushOptions.DEFAULT.throughOci(oci).withVisibility(Visibility.PUBLIC));

        assertThat(notices).hasSize(told ? 1 : 0).allMatch(notice -> notice.startsWith("acme/kit stays private"));
    }

    @Test
    void leavesLinksOutAndSaysSo() throws IOException {
        Files.createSymbolicLink(kit.resolve("link.md"), kit.resolve("README.md"));
        Files.createSymbolicLink(kit.resolve("folder"), folder);

        assertThat(push(PushOptions.DEFAULT).assets()).isEqualTo(4);
        assertThat(notices).containsExactlyInAnyOrder("left out link.md: a link", "left out folder: a link");
    }

    @Test
    void namesEveryFileThatABundleCannotHold() throws IOException {
        Files.writeString(kit.resolve("50%.txt"), "x");
        Files.writeString(kit.resolve("readme.MD"), "x");

        assertThatThrownBy(() -> push(PushOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        SheafException.InvalidRequest.class,
                        e -> assertThat(e.errors()).hasSize(2));
    }

    @Test
    void otherContentIsAConflict() throws IOException {
        push(PushOptions.DEFAULT);
        Files.writeString(kit.resolve("README.md"), "changed");

        assertThatThrownBy(() -> push(PushOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        SheafException.Conflict.class, e -> assertThat(e.code()).contains("version-exists"));
    }

    @Test
    void noUploadLeavesForAnotherAddress() {
        try (var elsewhere = TinyRegistry.start()) {
            registry.replace("/uploads/", exchange -> {
                exchange.getResponseHeaders().set("Location", elsewhere.url() + "/v2/acme/kit/blobs/uploads/1");
                exchange.sendResponseHeaders(202, -1);
            });

            assertThatThrownBy(() -> push(PushOptions.DEFAULT.throughOci(true)))
                    .isInstanceOf(SheafException.Server.class)
                    .hasMessageContaining("which is another address");
            assertThat(elsewhere.requests("")).isEmpty();
        }
    }

    @Test
    void needsAnExactVersion() {
        try (var client = client()) {
            assertThatThrownBy(() -> client.push(kit, Reference.parse("acme/kit:stable"), PushOptions.DEFAULT))
                    .isInstanceOf(SheafException.InvalidRequest.class)
                    .hasMessageContaining("acme/kit:1.2.3");
        }
    }

    @Test
    void doesNotTryAgainWhereThereIsNoRoom() {
        registry.replace(":push", e -> TinyRegistry.problem(e, 507, "quota-exceeded", "there is no room"));

        assertThatThrownBy(() -> push(PushOptions.DEFAULT))
                .isInstanceOf(SheafException.Server.class)
                .hasMessage("there is no room");

        assertThat(registry.requests(":push")).hasSize(1);
    }

    @Test
    void triesAgainAfterAFailureOfTheServer() {
        registry.replaceOnce(":push", e -> TinyRegistry.problem(e, 503, "service-unavailable", "later"));

        push(PushOptions.DEFAULT);

        assertThat(registry.requests(":push")).hasSize(2);
    }

    private static final String TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

    private static List<LocalAsset> secret(Path kit) throws IOException {
        Files.writeString(kit.resolve("env.txt"), "A=1\nTOKEN=" + TOKEN + "\n");
        Files.writeString(kit.resolve(".DS_Store"), "Bud1");
        return BundleSource.assetsOf(kit, Progress.NONE);
    }

    @Test
    void aSecretStopsThePushBeforeAnythingIsSent() throws IOException {
        secret(kit);

        try (var client = client()) {
            assertThatThrownBy(() -> client.push(kit, KIT, PushOptions.DEFAULT))
                    .isInstanceOfSatisfying(SheafException.InvalidRequest.class, refused -> {
                        assertThat(refused).hasMessage("nothing was sent, because a line looks like a secret");
                        assertThat(refused.code()).contains("probable-secret");
                        assertThat(refused.errors())
                                .singleElement()
                                .extracting(error -> error.detail())
                                .asString()
                                .contains("env.txt:2: this looks like a GitHub personal access token (ghp_a1B2…)")
                                .doesNotContain(TOKEN);
                    });
        }

        assertThat(registry.requests("/")).isEmpty();
    }

    @Test
    void secretsThatAreAllowedAreToldBeforeAnythingIsSent() throws IOException {
        registry.replace(":push", exchange -> {
            assertThat(notices).hasSize(1);
            TinyRegistry.problem(exchange, 403, "forbidden", "no");
        });
        var assets = secret(kit);
        assertThat(assets).noneMatch(asset -> asset.path().value().equals(".DS_Store"));

        try (var client = client()) {
            assertThatThrownBy(() -> client.push(kit, KIT, PushOptions.DEFAULT.allowSecrets(true)))
                    .isInstanceOf(SheafException.Forbidden.class);
        }

        assertThat(registry.requests(":push")).hasSize(1);
        assertThat(notices)
                .singleElement()
                .asString()
                .contains("env.txt:2: this looks like a GitHub personal access token (ghp_a1B2…)", ".sheafignore")
                .doesNotContain(TOKEN);
    }

    /// Files above the registry's limits are not sent.
    @Test
    void whatIsTooLargeIsRefusedBeforeItIsSent() throws IOException {
        registry.replace(
                "/v1/limits", exchange -> TinyRegistry.send(exchange, 200, """
                {"maxAssetBytes": 5242880, "maxBundleBytes": 8388608, "maxAssets": 4}""".getBytes(StandardCharsets.UTF_8)));
        Files.write(kit.resolve("a.bin"), new byte[6 << 20]);

        try (var client = client()) {
            assertThatThrownBy(() -> client.push(kit, KIT, PushOptions.DEFAULT))
                    .isInstanceOfSatisfying(
                            SheafException.InvalidRequest.class,
                            refused -> assertThat(refused.errors())
                                    .extracting(error -> error.detail())
                                    .containsExactly(
                                            "a.bin has 6.0 MiB; this registry takes 5.0 MiB per file (max-asset-bytes)",
                                            "there are 5 files; this registry takes 4 per version (max-assets)"));
        }

        assertThat(registry.requests("/v2/")).isEmpty();
        assertThat(registry.requests(":push")).isEmpty();
    }

    /// A node with a small heap takes less in one request than the limits of a version allow, as does a proxy.
    @Test
    void goesBlobByBlobIfOneRequestIsTooLarge() {
        registry.replace(
                "/v1/namespaces/acme/bundles/kit:push",
                exchange -> TinyRegistry.send(exchange, 413, "too large".getBytes(StandardCharsets.UTF_8)));

        assertThat(push(PushOptions.DEFAULT).route()).isEqualTo(Pushed.Route.OCI);
        assertThat(registry.requests(":push")).hasSize(1);
        assertThat(notices)
                .singleElement()
                .asString()
                .matches("the registry, or a proxy before it, refused .* in one request as too large; the files follow"
                        + " one by one");
    }

    /// Without known limits the push itself finds out.
    @Test
    void aRegistryWithoutLimitsIsAskedByThePush() throws IOException {
        Files.write(kit.resolve("a.bin"), new byte[6 << 20]);

        try (var client = client()) {
            assertThat(client.push(kit, KIT, PushOptions.DEFAULT).assets()).isEqualTo(5);
        }

        assertThat(registry.requests("/v1/limits")).hasSize(1);
    }
}
