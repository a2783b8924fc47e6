package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What is made of bundles, taken by the programs that people have for images and artifacts.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class DerivedImageProgramsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path home;

    private TestApp app;

    @BeforeEach
    void start() {
        app = TestApp.start(home.resolve("data"));
        assertThat(PublishedSkills.pushOne(app, "acme/forms", "1.0.0", "private", "pdf-forms")
                        .status())
                .isEqualTo(201);
        assertThat(PublishedSkills.push(app, "acme/ten", "1.0.0", "private").status())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private String at(String repository) {
        return app.host() + "/" + repository;
    }

    private Tool loggedIn(String program, String... login) {
        var tool = Tool.installed(program, program, home);
        tool.run(app.admin(), login);
        return tool;
    }

    private Tool crane() {
        return loggedIn("crane", "auth", "login", "-u", "any", "--password-stdin", app.host());
    }

    @Test
    void skopeoAndUmociUnpackAnImage() throws Exception {
        Tool.assumeInstalled("umoci", "umoci");
        var skopeo = Tool.installed("skopeo", "skopeo", home);
        for (String repository : List.of("image/acme/forms", "image/acme/ten/pdf-forms")) {
            String name = repository.replace('/', '-');

            skopeo.run(
                    "copy",
                    "--src-tls-verify=false",
                    "--src-creds=any:" + app.admin(),
                    "docker://" + at(repository + ":1.0.0"),
                    "oci:" + home.resolve(name) + ":1.0.0");
            Tool.installed("umoci", "umoci", home)
                    .run(
                            "unpack",
                            "--rootless",
                            "--image",
                            home.resolve(name) + ":1.0.0",
                            home.resolve(name + "-out") + "");

            assertThat(PublishedSkills.in(home.resolve(name + "-out/rootfs")))
                    .isEqualTo(PublishedSkills.of("pdf-forms"));
        }
        assertThat(skopeo.run(
                        "inspect",
                        "--tls-verify=false",
                        "--creds=any:" + app.admin(),
                        "docker://" + at("image/acme/forms:latest")))
                .contains("\"Architecture\": \"amd64\"", "\"Os\": \"linux\"");
    }

    /// A volume that is an image, in a container whose own files are those of this machine: there is nothing to fetch.
    @Test
    void podmanMountsAnImageAsAVolume() throws Exception {
        var podman = Tool.installed("podman", "podman", home)
                .with("--root", home.resolve("storage") + "", "--runroot", home.resolve("run") + "");
        var container = container(podman);
        String image = at("image/acme/ten/pdf-forms:1.0.0");
        podman.run("pull", "--tls-verify=false", "--creds=any:" + app.admin(), "docker://" + image);
        String volume = "type=image,source=" + image + ",destination=/mnt";
        try {
            String packed = container
                    .with("--mount", volume, "--rootfs", "/:O")
                    .run("/bin/sh", "-c", "tar c -C /mnt . | base64 -w0");

            Files.write(home.resolve("volume.tar"), Base64.getDecoder().decode(packed.strip()));
            Path out = Files.createDirectories(home.resolve("volume"));
            Tool.installed("tar", "tar", home).run("-xpf", home.resolve("volume.tar") + "", "-C", out + "");
            assertThat(PublishedSkills.in(out)).isEqualTo(PublishedSkills.of("pdf-forms"));
        } finally {
            podman.end("", "image", "umount", "--all");
            podman.end("", "rmi", "--all", "--force");
        }
    }

    /// How a container is run here, by what there is for it; skips the test where none of it works, as inside of most
    /// containers.
    private static Tool container(Tool podman) {
        String said = "";
        for (String runtime : List.of("crun", "runc")) {
            var container = podman.with("--runtime", runtime)
                    .with("run", "--rm", "--network=none", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1000:1000");
            var run = container.end("", "--rootfs", "/:O", "/bin/true");
            if (run.exit() == 0) {
                return container;
            }
            said += run.output();
        }
        return abort("podman runs no container here: " + said);
    }

    @Test
    void craneReadsAnArtifactFieldByField() throws Exception {
        var crane = crane();
        String repository = "agentskill/acme/ten/pdf-forms";

        JsonNode manifest = JSON.readTree(crane.run("manifest", at(repository + ":1.0.0")));
        assertThat(manifest.propertyNames())
                .containsExactly("schemaVersion", "mediaType", "artifactType", "config", "layers", "annotations");
        assertThat(manifest.get("artifactType").stringValue()).isEqualTo("application/vnd.agentskills.skill.v1");
        String digest = crane.run("digest", at(repository + ":1.0.0")).strip();
        assertThat(crane.run("manifest", at(repository + "@" + digest)))
                .isEqualTo(crane.run("manifest", at(repository + ":1.0.0")));
        JsonNode config = JSON.readTree(crane.run(
                "blob", at(repository + "@" + manifest.at("/config/digest").stringValue())));
        assertThat(config.propertyNames())
                .containsSequence("schemaVersion", "name", "version", "description")
                .contains("allowedTools", "metadata");
        assertThat(config.get("schemaVersion").stringValue()).isEqualTo("1");
        assertThat(config.get("name").stringValue()).isEqualTo("pdf-forms");
        assertThat(config.get("version").stringValue()).isEqualTo("1.0.0");
        assertThat(config.get("description").stringValue()).startsWith("Fill in, flatten and read PDF forms.");
        assertThat(crane.run("ls", at(repository)).lines()).containsExactly("1.0.0", "latest");
    }

    @Test
    void orasPullsASkillAsItsArchive() throws Exception {
        var oras = loggedIn("oras", "login", "--plain-http", "-u", "any", "--password-stdin", app.host());

        oras.run("pull", "--plain-http", at("agentskill/acme/ten/pdf-forms:1.0.0"), "-o", home.resolve("pulled") + "");

        Tool.installed("tar", "tar", home)
                .run("-xzpf", home.resolve("pulled/pdf-forms.tar.gz") + "", "-C", home.resolve("pulled") + "");
        assertThat(PublishedSkills.in(home.resolve("pulled/pdf-forms"))).isEqualTo(PublishedSkills.of("pdf-forms"));
    }

    /// The tar archive of an image by what the system has: nothing but the files, of nobody and no time.
    @Test
    void theLayerIsPlain() throws Exception {
        var crane = crane();
        Tool.assumeInstalled("tar", "tar");
        var manifest = JSON.readTree(crane.run("manifest", at("agentskill/acme/ten/pdf-forms:1.0.0")));
        var layer = app.get(
                "/v2/agentskill/acme/ten/pdf-forms/blobs/"
                        + manifest.at("/layers/0/digest").stringValue(),
                app.admin());
        try (var packed =
                new GZIPInputStream(new ByteArrayInputStream(layer.response().body()))) {
            Files.write(home.resolve("layer.tar"), packed.readAllBytes());
        }

        String listed = Tool.installed("tar", "tar", home)
                .run("--utc", "-tvf", home.resolve("layer.tar").toString());

        assertThat(listed.lines())
                .hasSize(5)
                .allMatch(line -> line.contains(" 0/0 ") && line.contains("1970-01-01 00:00 pdf-forms/"));
    }
}
