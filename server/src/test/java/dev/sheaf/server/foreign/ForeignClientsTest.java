package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.RegistryImage;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The registry as the programs find it that people have: each logs in with an API key and does what it is for.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before the first test
@Tag("programs")
class ForeignClientsTest {
    private static final String SBOM = "application/vnd.example.sbom.v1";
    /// Without it this client sends no credential but over TLS.
    private static final String OVER_HTTP = "sendCredentialsOverHttp";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private TestApp app;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        app = TestApp.start(Files.createDirectories(folder.resolve("data")));
    }

    @AfterAll
    void stop() {
        app.close();
    }

    private Tool tool(String program, String debian) {
        return Tool.installed(program, debian, folder.resolve(program));
    }

    private Path file(String program, String name, String text) throws Exception {
        return Files.writeString(
                Files.createDirectories(folder.resolve(program)).resolve(name), text);
    }

    private JsonNode manifest(String repository, String reference) {
        var reply = app.get("/v2/" + repository + "/manifests/" + reference, app.admin());
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json();
    }

    private String digest(String repository, String reference) {
        return app.send("HEAD", "/v2/" + repository + "/manifests/" + reference, app.admin(), null)
                .header("Docker-Content-Digest");
    }

    private JsonNode referrers(String repository, String digest) {
        return app.get("/v2/" + repository + "/referrers/" + digest, app.admin())
                .json()
                .get("manifests");
    }

    private String at(String repository) {
        return app.host() + "/" + repository;
    }

    private static String[] words(String line) {
        return line.split(" ");
    }

    // --- oras ---

    private Tool oras() {
        var oras = tool("oras", "oras");
        String[] login = words("login --plain-http -u any --password-stdin " + app.host());
        assertThat(oras.end("shf_wrong", login).exit()).isNotZero();
        oras.run(app.admin(), login);
        return oras;
    }

    @Test
    void orasPushesAndPulls() throws Exception {
        var oras = oras();
        file("oras", "prompt.md", "# By oras\n");
        file("oras", "data.txt", "data\n");

        oras.run(words("push --plain-http " + at("oras/kit:1.0.0")
                + " --artifact-type application/vnd.example.prompt prompt.md:text/markdown data.txt"));
        oras.run(words("tag --plain-http " + at("oras/kit:1.0.0") + " stable"));
        oras.run(words("pull --plain-http " + at("oras/kit:stable") + " -o pulled"));

        assertThat(folder.resolve("oras/pulled/prompt.md")).hasContent("# By oras\n");
        oras.run(words(
                "cp --from-plain-http --to-plain-http " + at("oras/kit:1.0.0") + " " + at("oras/team/app/kit:1")));
        oras.run(words("push --plain-http " + at("oras/team/kit:1.0.0") + " prompt.md:text/markdown"));
        oras.run(words("pull --plain-http " + at("oras/team/kit:1.0.0") + " -o deep"));
        assertThat(folder.resolve("oras/deep/prompt.md")).hasContent("# By oras\n");
        assertThat(digest("oras/team/app/kit", "1")).isEqualTo(digest("oras/kit", "1.0.0"));
        assertThat(oras.run(words("resolve --plain-http " + at("oras/kit:1.0.0")))
                        .strip())
                .isEqualTo(digest("oras/kit", "stable"));
        assertThat(oras.run(words("repo tags --plain-http " + at("oras/kit"))).lines())
                .containsExactly("1.0.0", "latest", "stable");
        assertThat(oras.run(words("repo ls --plain-http " + app.host())).lines())
                .contains("oras/kit");
        assertThat(app.get("/v1/namespaces/oras/bundles/kit:resolve?version=1.0.0", app.admin())
                        .json()
                        .at("/manifest/layers"))
                .as("a push to a version's tag publishes it")
                .hasSize(2);
    }

    @Test
    void orasAttachesDiscoversAndCopies() throws Exception {
        var oras = oras();
        file("oras", "kit.txt", "content\n");
        file("oras", "sbom.json", "{}\n");
        oras.run(words("push --plain-http " + at("oras/subject:1.0.0") + " kit.txt"));
        String subject = digest("oras/subject", "1.0.0");

        oras.run(words("attach --plain-http " + at("oras/subject:1.0.0") + " --artifact-type " + SBOM + " sbom.json"));

        var discovered =
                JSON.readTree(oras.run(words("discover --plain-http --format json " + at("oras/subject:1.0.0"))));
        assertThat(discovered.at("/referrers/0/artifactType").stringValue()).isEqualTo(SBOM);
        oras.run(words(
                "cp -r --from-plain-http --to-plain-http " + at("oras/subject:1.0.0") + " " + at("oras/copy:2.0.0")));
        assertThat(digest("oras/copy", "2.0.0")).isEqualTo(subject);
        assertThat(referrers("oras/copy", subject))
                .isEqualTo(referrers("oras/subject", subject))
                .hasSize(1);
        assertThat(oras.end("", words("manifest delete -f --plain-http " + at("oras/copy:2.0.0")))
                        .output())
                .contains("belongs to version 2.0.0");
        oras.run(words("logout " + app.host()));
        assertThat(oras.end("", words("pull --plain-http " + at("oras/subject:1.0.0")))
                        .exit())
                .isNotZero();
    }

    /// What `helm push` makes of a chart: a config and an archive with types of their own.
    @Test
    void aHelmChartIsAnArtifactLikeOthers() throws Exception {
        var oras = oras();
        file("oras", "chart.json", "{\"name\":\"chart\",\"version\":\"0.1.0\"}");
        file("oras", "chart-0.1.0.tgz", "not really an archive");

        oras.run(words("push --plain-http " + at("charts/chart:0.1.0")
                + " --config chart.json:application/vnd.cncf.helm.config.v1+json"
                + " chart-0.1.0.tgz:application/vnd.cncf.helm.chart.content.v1.tar+gzip"));

        var manifest = manifest("charts/chart", "0.1.0");
        assertThat(manifest.at("/config/mediaType").stringValue())
                .isEqualTo("application/vnd.cncf.helm.config.v1+json");
        oras.run(words("pull --plain-http " + at("charts/chart:0.1.0") + " -o chart"));
        assertThat(folder.resolve("oras/chart/chart-0.1.0.tgz")).hasContent("not really an archive");
    }

    // --- images ---

    private Tool buildah() {
        var store = folder.resolve("buildah-store");
        return tool("buildah", "buildah")
                .with("--storage-driver", "vfs", "--root", store + "/root", "--runroot", store + "/run");
    }

    /// Builds an image of one file from scratch, without running anything in it; its id.
    private String build(Tool buildah, String name) throws Exception {
        file("buildah", "hello", "hello\n");
        String container = last(buildah.run("from", "scratch"));
        buildah.run("copy", container, "hello", "/hello");
        buildah.run("config", "--label", "org.opencontainers.image.title=" + name, container);
        String image = last(buildah.run("commit", "-q", "--rm", container, name));
        return image;
    }

    private static String last(String output) {
        return List.of(output.strip().split("\n")).getLast().strip();
    }

    @Test
    void buildahPushesAndPullsAnImage() throws Exception {
        var buildah = buildah();
        String image = build(buildah, "small");
        buildah.run(app.admin(), words("login --tls-verify=false -u any --password-stdin " + app.host()));

        buildah.run("push", "--tls-verify=false", image, "docker://" + at("images/small:1.0.0"));
        buildah.run(words("push --tls-verify=false --format v2s2 " + image + " docker://" + at("images/small:docker")));
        buildah.run("rmi", "--all", "--force");
        String pulled = last(buildah.run("pull", "--tls-verify=false", "docker://" + at("images/small:1.0.0")));
        buildah.run("push", "--tls-verify=false", image, "docker://" + at("images/team/app/small:1.0.0"));
        assertThat(podmanCopies("images/team/app/small:1.0.0", "images/team/app/by-podman:1.0.0"))
                .isEqualTo(image);
        assertThat(manifest("images/team/app/by-podman", "1.0.0").at("/config/digest"))
                .isEqualTo(manifest("images/small", "1.0.0").at("/config/digest"));

        assertThat(pulled).isEqualTo(image);
        assertThat(manifest("images/small", "1.0.0").get("mediaType").stringValue())
                .isEqualTo("application/vnd.oci.image.manifest.v1+json");
        assertThat(manifest("images/small", "docker").get("mediaType").stringValue())
                .isEqualTo("application/vnd.docker.distribution.manifest.v2+json");
        buildah.run("rmi", "--all", "--force");
    }

    /// Pulls an image, pushes it under another name, and returns its id.
    private String podmanCopies(String from, String to) {
        var store = folder.resolve("podman-store");
        var podman = tool("podman", "podman")
                .with("--storage-driver", "vfs", "--root", store + "/root", "--runroot", store + "/run");
        String creds = "--creds=any:" + app.admin();
        String image = last(podman.run("pull", "--tls-verify=false", creds, "docker://" + at(from)));
        podman.run("push", "--tls-verify=false", creds, image, "docker://" + at(to));
        podman.run("rmi", "--all", "--force");
        return image;
    }

    @Test
    void skopeoCopiesInspectsAndDeletes() throws Exception {
        var skopeo = tool("skopeo", "skopeo");
        String layout = layout();
        skopeo.run(app.admin(), words("login --tls-verify=false -u any --password-stdin " + app.host()));

        skopeo.run(words("copy --dest-tls-verify=false oci:" + layout + " docker://" + at("skopeo/image:1.0.0")));
        skopeo.run(words("copy --src-tls-verify=false --dest-tls-verify=false docker://" + at("skopeo/image:1.0.0")
                + " docker://" + at("skopeo/copy:word")));
        skopeo.run(words("copy --src-tls-verify=false docker://" + at("skopeo/copy:word") + " oci:back:1"));

        skopeo.run(words("copy --dest-tls-verify=false oci:" + layout + " docker://" + at("skopeo/team/app/image:1")));
        skopeo.run(words("copy --src-tls-verify=false docker://" + at("skopeo/team/app/image:1") + " oci:deep:1"));
        tool("umoci", "umoci").run("unpack", "--rootless", "--image", folder + "/skopeo/deep:1", folder + "/unpacked");
        assertThat(folder.resolve("unpacked/rootfs/hello")).hasContent("hello\n");

        String digest = digest("skopeo/image", "1.0.0");
        assertThat(digest("skopeo/copy", "word")).isEqualTo(digest);
        String raw = skopeo.run(words("inspect --raw --tls-verify=false docker://" + at("skopeo/copy:word")));
        assertThat(JSON.readTree(raw)).isEqualTo(manifest("skopeo/image", "1.0.0"));
        var inspected =
                JSON.readTree(skopeo.run(words("inspect --tls-verify=false docker://" + at("skopeo/copy:word"))));
        assertThat(inspected.get("Digest").stringValue()).isEqualTo(digest);
        assertThat(inspected.get("RepoTags")).hasSize(1);
        assertThat(JSON.readTree(skopeo.run(words("list-tags --tls-verify=false docker://" + at("skopeo/image"))))
                        .get("Tags"))
                .hasSize(2);
        skopeo.run(words("delete --tls-verify=false docker://" + at("skopeo/copy:word")));
        assertThat(app.get("/v2/skopeo/copy/manifests/word", app.admin()).status())
                .isEqualTo(404);
    }

    /// An image in a folder, as `umoci init` and its kin make it.
    private String layout() throws Exception {
        var umoci = tool("umoci", "umoci");
        Path layout = folder.resolve("layout");
        umoci.run("init", "--layout", layout.toString());
        umoci.run("new", "--image", layout + ":1");
        file("umoci", "hello", "hello\n");
        umoci.run("insert", "--rootless", "--image", layout + ":1", "hello", "/hello");
        return layout + ":1";
    }

    @Test
    void jibBuildsAndPulls() throws Exception {
        Path data = file("jib", "data.txt", "data\n");
        String reference = at("jib/image:1.0.0");
        System.setProperty(OVER_HTTP, "true");
        JibContainer built;
        JibContainer copied;
        try {
            built = Jib.fromScratch().addLayer(List.of(data), "/").containerize(containerizer(reference));
            copied = Jib.from(registry(reference)).containerize(containerizer(at("jib/copy:word")));
        } finally {
            System.clearProperty(OVER_HTTP);
        }

        assertThat(digest("jib/image", "1.0.0")).isEqualTo(built.getDigest().toString());
        assertThat(manifest("jib/copy", "word").at("/layers/0/digest"))
                .isEqualTo(manifest("jib/image", "1.0.0").at("/layers/0/digest"));
        assertThat(digest("jib/copy", "word")).isEqualTo(copied.getDigest().toString());
    }

    private RegistryImage registry(String reference) throws Exception {
        return RegistryImage.named(reference).addCredential("any", app.admin());
    }

    private Containerizer containerizer(String reference) throws Exception {
        return Containerizer.to(registry(reference))
                .setAllowInsecureRegistries(true)
                .setBaseImageLayersCache(folder.resolve("jib-base"))
                .setApplicationLayersCache(folder.resolve("jib-layers"));
    }

    // --- crane, cosign, docker ---

    private Tool crane() {
        var crane = tool("crane", "crane");
        crane.run(app.admin(), words("auth login -u any --password-stdin " + app.host()));
        return crane;
    }

    @Test
    void craneReadsAndCopies() {
        app.push("crane/kit", "1.0.0", "private", "# By crane");
        var crane = crane();
        String digest = digest("crane/kit", "1.0.0");

        assertThat(crane.run(words("digest " + at("crane/kit:1.0.0"))).strip()).isEqualTo(digest);
        assertThat(JSON.readTree(crane.run(words("manifest " + at("crane/kit@" + digest)))))
                .isEqualTo(manifest("crane/kit", "latest"));
        assertThat(crane.run(words("ls " + at("crane/kit"))).lines()).containsExactly("1.0.0", "latest");
        assertThat(crane.run(words("catalog " + app.host())).lines()).contains("crane/kit");
        crane.run(words("cp " + at("crane/kit:1.0.0") + " " + at("crane/copy:word")));
        assertThat(digest("crane/copy", "word")).isEqualTo(digest);
        crane.run(words("tag " + at("crane/copy:word") + " other"));
        assertThat(digest("crane/copy", "other")).isEqualTo(digest);
    }

    @Test
    void cosignSignsAndVerifies() throws Exception {
        app.push("signed/kit", "1.0.0", "private", "# To be signed");
        String digest = digest("signed/kit", "1.0.0");
        var cosign = tool("cosign", "cosign");
        cosign.run(words("login -u any -p " + app.admin() + " " + app.host()));
        cosign.run("generate-key-pair");

        cosign.run(words("sign --yes --key cosign.key --tlog-upload=false --use-signing-config=false"
                + " --allow-http-registry " + at("signed/kit@" + digest)));

        var verified = cosign.run(words("verify --key cosign.pub --insecure-ignore-tlog=true --allow-http-registry "
                + at("signed/kit@" + digest)));
        assertThat(verified).contains("The signatures were verified against the specified public key");
        assertThat(referrers("signed/kit", digest)).hasSize(1);
        app.push("signed/other", "1.0.0", "private", "# Not signed");
        assertThat(cosign.end(
                                "",
                                words("verify --key cosign.pub --insecure-ignore-tlog=true --allow-http-registry "
                                        + at("signed/other:1.0.0")))
                        .exit())
                .isNotZero();
    }

    /// The command alone: without a daemon it logs in by itself.
    @Test
    void dockerLogsIn() throws Exception {
        var docker = tool("docker", "docker.io").with("--host", "unix://" + folder.resolve("no-daemon.sock"));
        String[] login = words("login -u any --password-stdin " + app.host());

        assertThat(docker.end("shf_wrong", login).exit()).isNotZero();
        assertThat(docker.run(app.admin(), login)).contains("Login Succeeded");

        String stored = Files.readString(folder.resolve("docker/.docker/config.json"));
        assertThat(JSON.readTree(stored).get("auths").propertyNames()).contains(app.host());
        docker.run(words("logout " + app.host()));
    }
}
