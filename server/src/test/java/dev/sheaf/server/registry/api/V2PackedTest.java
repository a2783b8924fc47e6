package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.V2Scenario;
import dev.sheaf.server.testing.program.Tool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Artifacts of one archive: listed file by file, unpacked by a pull, and as one file where they are hostile.
@Tag("programs")
class V2PackedTest extends V2Scenario {
    private static final String SKILL_LAYER = "application/vnd.agentskills.skill.content.v1.tar+gzip";

    @TempDir
    private Path folder;

    private byte[] packed(List<String> options, Path of, String... names) throws IOException {
        Path file = Files.createTempFile(folder, "packed", ".tar");
        var words = new ArrayList<>(List.of("-cf", file.toString()));
        words.addAll(options);
        words.addAll(List.of("-C", of.toString()));
        words.addAll(List.of(names));
        Tool.installed("tar", "tar", folder.resolve("home")).run(words.toArray(String[]::new));
        return gzip(Files.readAllBytes(file));
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private void push(String repository, String version, String type, byte[] layer) {
        String json = image(repository, layer).replace(descriptor("text/plain", layer), descriptor(type, layer));
        var reply = pushManifest(repository, version, json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private JsonNode assets(String repository, String version) {
        return app().get(bundle(repository) + "/assets?version=" + version, app().admin())
                .json()
                .get("data");
    }

    private JsonNode warnings(String repository, String version) {
        return app().get(bundle(repository) + "/versions/" + version, app().admin())
                .json()
                .get("warnings");
    }

    private Path skill(String name) throws IOException {
        Path root = folder.resolve(name);
        for (var file : PublishedSkills.of("pdf-forms")) {
            Path to = root.resolve(file.path());
            Files.createDirectories(to.getParent());
            Files.write(to, file.bytes());
            assertThat(to.toFile().setExecutable(file.executable())).isTrue();
        }
        return root;
    }

    private SheafClient client() {
        return SheafClient.of(RegistryUrl.parse(app().url()))
                .key(Secret.of(app().admin()))
                .cache(folder.resolve("cache"))
                .open();
    }

    @Test
    void anArchiveIsListedAndUnpacked() throws Exception {
        skill("pdf-forms");
        push("packed/forms", "1.0.0", SKILL_LAYER, packed(List.of(), folder, "pdf-forms"));

        var asset = assets("packed/forms", "1.0.0").get(0);

        assertThat(assets("packed/forms", "1.0.0")).hasSize(1);
        var files = asset.get("packed");
        var expected = PublishedSkills.of("pdf-forms");
        assertThat(files).hasSize(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            var file = expected.get(i);
            assertThat(files.get(i).get("path").stringValue()).isEqualTo("pdf-forms/" + file.path());
            assertThat(files.get(i).get("sizeBytes").asInt()).isEqualTo(file.bytes().length);
            assertThat(files.get(i).get("mode").stringValue()).startsWith(file.executable() ? "07" : "06");
            assertThat(files.get(i).get("contentSha256").stringValue())
                    .isEqualTo(Digest.sha256(file.bytes()).hex());
        }
        assertThat(warnings("packed/forms", "1.0.0").toString()).doesNotContain("not-unpacked");

        try (var client = client()) {
            var reference = Reference.parse("packed/forms:1.0.0");
            client.pull(reference, folder.resolve("pulled"));
            assertThat(client.verify(reference, folder.resolve("pulled")).isWhole())
                    .isTrue();
            Files.writeString(folder.resolve("pulled/pdf-forms/SKILL.md"), "changed");
            assertThat(client.verify(reference, folder.resolve("pulled")).isWhole())
                    .isFalse();
        }
        Files.write(
                folder.resolve("pulled/pdf-forms/SKILL.md"),
                expected.stream()
                        .filter(file -> file.path().equals("SKILL.md"))
                        .findFirst()
                        .orElseThrow()
                        .bytes());
        assertThat(PublishedSkills.in(folder.resolve("pulled/pdf-forms"))).isEqualTo(expected);
    }

    @Test
    void aFolderThatOrasPushedIsListedAndUnpacked() throws Exception {
        Tool.assumeInstalled("oras", "oras");
        skill("work/pdf-forms");
        var oras = Tool.at(Path.of("/bin/sh"), folder.resolve("work"));
        String host = app().host();

        oras.end(
                app().admin(),
                "-c",
                "oras login --plain-http -u any --password-stdin " + host + " && cd '" + folder.resolve("work")
                        + "' && oras push --plain-http " + host + "/packed/oras:1.0.0 pdf-forms");

        assertThat(assets("packed/oras", "1.0.0").get(0).get("packed"))
                .hasSize(PublishedSkills.of("pdf-forms").size());
        try (var client = client()) {
            client.pull(Reference.parse("packed/oras:1.0.0"), folder.resolve("oras"));
        }
        assertThat(PublishedSkills.in(folder.resolve("oras/pdf-forms"))).isEqualTo(PublishedSkills.of("pdf-forms"));
    }

    @Test
    void aHostileArchiveIsOneFileWithAWarning() throws Exception {
        Path evil = Files.createDirectories(folder.resolve("evil"));
        Files.createSymbolicLink(evil.resolve("link"), Path.of("/etc/passwd"));
        Files.writeString(evil.resolve("file"), "x");
        var archives = List.of(
                packed(List.of(), evil, "link"),
                packed(List.of("-P", "--transform=s|file|../../up|"), evil, "file"),
                packed(List.of("-P", "--transform=s|file|/abs|"), evil, "file"),
                gzip(new byte[80 << 20]),
                "no gzip".getBytes(StandardCharsets.UTF_8));
        int number = 0;
        for (byte[] archive : archives) {
            String version = "1." + number++ + ".0";
            push("packed/evil", version, SKILL_LAYER, archive);

            assertThat(assets("packed/evil", version)).hasSize(1);
            assertThat(assets("packed/evil", version).get(0).has("packed")).isFalse();
            assertThat(warnings("packed/evil", version).toString()).contains("not-unpacked");
            Path to = folder.resolve("evil-" + version);
            try (var client = client()) {
                client.pull(Reference.parse("packed/evil:" + version), to);
            }
            var written = PublishedSkills.in(to).stream()
                    .filter(file -> !file.path().startsWith(".sheaf/"))
                    .toList();
            assertThat(written).hasSize(1);
            assertThat(written.getFirst().bytes()).isEqualTo(archive);
        }
        assertThat(folder.resolve("up")).doesNotExist();
    }

    @Test
    void otherLayersAreFiles() throws Exception {
        skill("other");
        byte[] archive = packed(List.of(), folder, "other");
        push("packed/other", "1.0.0", "application/gzip", archive);

        assertThat(assets("packed/other", "1.0.0").get(0).has("packed")).isFalse();
        assertThat(warnings("packed/other", "1.0.0").toString()).doesNotContain("not-unpacked");
    }
}
