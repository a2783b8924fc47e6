package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.V2Scenario;
import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Images as they are called elsewhere, mirrored and taken back by the programs that people have for it.
@Tag("programs")
class ForeignImagesTest extends V2Scenario {
    private static final List<String> TAGS = List.of("3.20", "v1.30.2", "20240501", "latest");

    @TempDir
    private Path home;

    private String at(String repository) {
        return app().host() + "/" + repository;
    }

    private static String[] words(String line) {
        return line.split(" ");
    }

    private Map<String, String> pushed(String repository, List<String> tags) {
        var digests = new TreeMap<String, String>();
        for (String tag : tags) {
            String json = image(repository, random(1_000 + tag.hashCode() % 100));
            assertThat(pushManifest(repository, tag, json).status()).isEqualTo(201);
            digests.put(tag, Digest.sha256(utf8(json)).toString());
        }
        return digests;
    }

    private Map<String, String> held(String repository) {
        var digests = new TreeMap<String, String>();
        call("GET", "/v2/" + repository + "/tags/list", null)
                .json()
                .get("tags")
                .forEach(tag -> digests.put(
                        tag.stringValue(),
                        call("HEAD", "/v2/" + repository + "/manifests/" + tag.stringValue(), null)
                                .header("Docker-Content-Digest")));
        return digests;
    }

    private Tool crane() {
        var crane = Tool.installed("crane", "crane", home);
        crane.run(app().admin(), words("auth login -u any --password-stdin " + app().host()));
        return crane;
    }

    private Tool skopeo() {
        return Tool.installed("skopeo", "skopeo", home);
    }

    private Tool oras() {
        var oras = Tool.installed("oras", "oras", home);
        oras.run(app().admin(), words("login --plain-http -u any --password-stdin " + app().host()));
        return oras;
    }

    @Test
    void skopeoCopiesUnderTheTagsThatImagesHave() {
        var skopeo = skopeo();
        var images = pushed("images/skopeo", TAGS);
        var copy = new ArrayList<>(List.of("copy", "--src-tls-verify=false", "--dest-tls-verify=false"));
        copy.addAll(List.of("--src-creds=any:" + app().admin(), "--dest-creds=any:" + app().admin()));
        for (String tag : TAGS) {
            var one = new ArrayList<>(copy);
            one.add("docker://" + at("images/skopeo:" + tag));
            one.add("docker://" + at("images/skopeo_copy:" + tag));
            skopeo.run(one.toArray(String[]::new));
        }

        assertThat(held("images/skopeo_copy")).isEqualTo(images);
    }

    /// As the base of an image for Windows, which its publisher alone hands out.
    @Test
    void skopeoCopiesImagesWhoseLayersStandElsewhere() {
        var skopeo = skopeo();
        String elsewhere = descriptor("application/vnd.oci.image.layer.nondistributable.v1.tar+gzip", random(50))
                .replace("}", ",\"urls\":[\"http://127.0.0.1:1/layer\"]}");
        String json = image("images/windows").replace("\"layers\":[]", "\"layers\":[" + elsewhere + "]");
        assertThat(pushManifest("images/windows", "ltsc2025", json).status()).isEqualTo(201);

        skopeo.run(
                "copy",
                "--src-tls-verify=false",
                "--dest-tls-verify=false",
                "--src-creds=any:" + app().admin(),
                "--dest-creds=any:" + app().admin(),
                "docker://" + at("images/windows:ltsc2025"),
                "docker://" + at("images/windows-copy:3.20"));

        assertThat(held("images/windows-copy"))
                .isEqualTo(Map.of("3.20", Digest.sha256(utf8(json)).toString()));
    }

    @Test
    void craneCopiesAllTagsTwice() {
        var crane = crane();
        var images = pushed("images/crane", TAGS);
        for (int i = 0; i < 2; i++) {
            crane.run(words("copy -a " + at("images/crane") + " " + at("images/crane.copy")));

            assertThat(held("images/crane.copy")).isEqualTo(images);
        }
        pushed("images/versions", List.of("1.0.0", "1.1.0"));
        var versions = held("images/versions");
        for (int i = 0; i < 2; i++) {
            crane.run(words("copy -a -j 1 " + at("images/versions") + " " + at("images/versions-copy")));

            assertThat(held("images/versions-copy")).isEqualTo(versions);
        }
    }

    /// Tags that are versions and parts of versions, and moved ones, between two repositories of three parts and of
    /// two.
    @Test
    void craneAndSkopeoCopyRepositoriesOfMoreParts() {
        var crane = crane();
        var images = pushed("images/team/app", List.of("1.0.0", "1.0", "1", "latest", "20240923", "word"));

        crane.run(words("copy -a " + at("images/team/app") + " " + at("images/flat")));
        crane.run(words("copy -a " + at("images/flat") + " " + at("images/team/deeper/app")));
        skopeo().run(
                        "copy",
                        "--all",
                        "--src-tls-verify=false",
                        "--dest-tls-verify=false",
                        "--src-creds=any:" + app().admin(),
                        "--dest-creds=any:" + app().admin(),
                        "docker://" + at("images/team/app:1.0.0"),
                        "docker://" + at("images/team/by-skopeo:1.0.0"));

        assertThat(held("images/flat")).isEqualTo(images);
        assertThat(held("images/team/deeper/app")).isEqualTo(images);
        assertThat(held("images/team/by-skopeo")).isEqualTo(Map.of("1.0.0", images.get("1.0.0")));
        assertThat(crane.run(words("ls " + at("images/team/app"))).lines()).hasSize(6);
        assertThat(crane.run(words("catalog " + app().host()))).contains("images/team/app");
    }

    /// Crane sends the tag, and skopeo and oras the digest that it has, which is the version's.
    @Test
    void aTagOfAVersionIsTakenBackByWhoSendsTheTag() {
        var crane = crane();
        var digest = pushed("images/alias", List.of("1.0.0")).get("1.0.0");
        for (String tag : List.of("one", "two")) {
            assertThat(app().send(
                                    "PUT",
                                    bundle("images/alias") + "/tags/" + tag,
                                    app().admin(),
                                    "{\"version\": \"1.0.0\"}")
                            .status())
                    .isIn(200, 201);
        }

        crane.run(words("delete " + at("images/alias:one")));
        var skopeo = skopeo().end(
                        "",
                        "delete",
                        "--tls-verify=false",
                        "--creds=any:" + app().admin(),
                        "docker://" + at("images/alias:two"));
        var oras = oras().end("", words("manifest delete --plain-http -f " + at("images/alias:two")));

        assertThat(skopeo.exit()).isNotZero();
        assertThat(skopeo.output()).contains("belongs to version 1.0.0", "name the tag instead of the digest");
        assertThat(oras.exit()).isNotZero();
        assertThat(held("images/alias")).isEqualTo(Map.of("1.0.0", digest, "latest", digest, "two", digest));
    }

    @Test
    void orasPushesAFolderAndUnpacksIt() throws Exception {
        var oras = oras();
        Files.createDirectories(home.resolve("dir/in"));
        Files.writeString(home.resolve("dir/SKILL.md"), "# A skill\n");
        Files.writeString(home.resolve("dir/in/run.sh"), "echo\n");

        oras.run(words("push --plain-http " + at("images/folder:1.1.0") + " dir"));
        oras.run(words("pull --plain-http " + at("images/folder:1.1.0") + " -o out"));

        assertThat(home.resolve("out/dir/SKILL.md")).hasContent("# A skill\n");
        assertThat(home.resolve("out/dir/in/run.sh")).hasContent("echo\n");
        var layers = app().get(bundle("images/folder") + ":resolve?version=1.1.0", app().admin())
                .json()
                .at("/manifest/layers");
        assertThat(layers.valueStream().map(layer -> layer.get("logicalPath").stringValue()))
                .as("one asset, the archive under its title")
                .containsExactly("dir");
    }
}
