package dev.sheaf.server.client.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.client.ClientFiles;
import dev.sheaf.server.testing.RawHttp;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The client is there for anybody, always with the same bytes, and its page and script name them.
@Tag("programs")
class ClientPagesTest {
    private static final String ARCHIVE = "/client/sheaf-1.2.3.tar.gz";
    private static final String FOR_NPM = "/client/sheaf-1.2.3.tgz";

    @TempDir
    private Path folder;

    private ClientTree tree;
    private TestApp app;

    @BeforeEach
    void start() throws Exception {
        tree = new ClientTree(folder.resolve("tree"));
        app = TestApp.start(folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        app.close();
        tree.close();
    }

    private Reply get(String path, String... headers) {
        var request = app.request("GET", path, null, null);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return app.send(request);
    }

    private byte[] bytes(String path) {
        var reply = get(path);
        assertThat(reply.status()).as(path).isEqualTo(200);
        return reply.response().body();
    }

    @Test
    void thePageHasTheCommandsOfThisRegistryAndTheDigestsOfWhatItSends() {
        String page = get("/client").text();

        assertThat(page)
                .contains("curl -fsSL " + app.url() + "/client/install.sh | sh")
                .contains("npx --registry " + app.url() + "/client/npm sheaf add NAMESPACE/BUNDLE --url " + app.url())
                .contains("npm install -g --registry " + app.url() + "/client/npm sheaf")
                .contains("sheaf login --url " + app.url());
        for (String path : new String[] {ARCHIVE, FOR_NPM}) {
            String digest = Digest.sha256(bytes(path)).hex();
            assertThat(page).contains(digest);
            assertThat(get(path + ".sha256").text()).isEqualTo(digest + "  " + path.substring(8) + "\n");
        }
    }

    @Test
    void theArchivesHaveTheClientAndItsLibraries() throws Exception {
        var tar = Tool.installed("tar", "tar", folder.resolve("tar"));
        Path archive = Files.write(folder.resolve("a.tar.gz"), bytes(ARCHIVE));
        Path forNpm = Files.write(folder.resolve("a.tgz"), bytes(FOR_NPM));

        assertThat(tar.run("-tzf", archive.toString()).lines())
                .containsExactly(
                        "sheaf-1.2.3/lib/lib/library-1.0.jar",
                        "sheaf-1.2.3/lib/sheaf-cli-1.2.3.jar",
                        "sheaf-1.2.3/packaging/cli.options",
                        "sheaf-1.2.3/sheaf");
        assertThat(tar.run("-xzOf", forNpm.toString(), "package/package.json"))
                .contains("\"version\": \"1.2.3\"", "\"bin\": {\"sheaf\": \"sheaf\"}");
        assertThat(tar.run("-tvzf", forNpm.toString(), "package/sheaf")).startsWith("-rwxr-xr-x");
        assertThat(tar.run("-xzOf", archive.toString(), "sheaf-1.2.3/lib/lib/library-1.0.jar"))
                .hasSize(200_000);
    }

    @Test
    void javaAndDebianPackagesThatStandThereAreHandedOutToo() throws Exception {
        tree.java("linux-x64");
        tree.java("other");
        tree.other("sheaf-client_1.2.3_amd64.deb", "a package");
        tree.other("sheaf-client_1.2.2_amd64.deb", "an older one");
        tree.other("secret.txt", "not for everybody");
        var tar = Tool.installed("tar", "tar", folder.resolve("tar"));
        Path withJava = Files.write(folder.resolve("a.tar.gz"), bytes("/client/sheaf-1.2.3-java-linux-x64.tar.gz"));
        Path forNpm = Files.write(folder.resolve("a.tgz"), bytes(FOR_NPM));

        assertThat(tar.run("-tvzf", withJava.toString()).lines())
                .anyMatch(line ->
                        line.startsWith("-rwxr-xr-x") && line.endsWith("sheaf-1.2.3/runtime-linux-x64/bin/java"))
                .anyMatch(line -> line.startsWith("-rw-r--r--") && line.endsWith("/runtime-linux-x64/release"));
        assertThat(tar.run("-tzf", forNpm.toString())).contains("package/runtime-linux-x64/bin/java");
        assertThat(tar.run(
                        "-tzf",
                        Files.write(folder.resolve("b.tar.gz"), bytes(ARCHIVE)).toString()))
                .doesNotContain("runtime");
        assertThat(bytes("/client/sheaf-client_1.2.3_amd64.deb")).asString().isEqualTo("a package");
        assertThat(get("/client").text())
                .contains("On linux-x64, Java comes with it")
                .contains("Debian and Ubuntu on amd64")
                .doesNotContain("1.2.2", "secret.txt", "java-other");
        for (String name : new String[] {"sheaf-client_1.2.2_amd64.deb", "secret.txt", "linux-x64"}) {
            assertThat(get("/client/" + name).status()).as(name).isEqualTo(404);
        }
    }

    @Test
    void npmFindsThePackageAndItsChecksum() {
        var json = get("/client/npm/sheaf").json();

        assertThat(json.at("/dist-tags/latest").asString()).isEqualTo("1.2.3");
        assertThat(json.at("/versions/1.2.3/bin/sheaf").asString()).isEqualTo("sheaf");
        assertThat(json.at("/versions/1.2.3/dist/tarball").asString()).isEqualTo(app.url() + FOR_NPM);
        byte[] sum = HexFormat.of().parseHex(Digest.sha256(bytes(FOR_NPM)).hex());
        assertThat(json.at("/versions/1.2.3/dist/integrity").asString())
                .isEqualTo("sha256-" + Base64.getEncoder().encodeToString(sum));
        assertThat(get("/client/npm/left-pad").status()).isEqualTo(404);
    }

    @Test
    void aDownloadNeedNotBeRepeated() {
        String etag = get(ARCHIVE).header("ETag");

        assertThat(get(ARCHIVE, "If-None-Match", etag).status()).isEqualTo(304);
        assertThat(get(ARCHIVE).header("Cache-Control")).isEqualTo("public, no-cache");
    }

    /// A part would cost as much as everything before it.
    @Test
    void aPartOfAnArchiveIsAnsweredWithTheWhole() {
        var part = get(ARCHIVE, "Range", "bytes=70000-");

        assertThat(part.status()).isEqualTo(200);
        assertThat(part.response().body()).isEqualTo(bytes(ARCHIVE));
    }

    @Test
    void aNodeWithTheSameFilesSendsTheSameBytes() throws Exception {
        byte[] first = bytes(ARCHIVE);
        try (var other = TestApp.start(folder.resolve("other"))) {
            assertThat(other.get(ARCHIVE, null).response().body()).isEqualTo(first);
        }
    }

    @Test
    void theFilesAreLookedForOnce() {
        String etag = get(ARCHIVE).header("ETag");

        System.setProperty(ClientFiles.PROPERTY, folder.resolve("nothing").toString());

        assertThat(get("/client").text()).contains("1.2.3").doesNotContain("This server has no client");
        assertThat(get(ARCHIVE).header("ETag")).isEqualTo(etag).isEqualTo("\"" + Digest.sha256(bytes(ARCHIVE)) + "\"");
    }

    @Test
    void anotherVersionIsNotThere() {
        assertThat(get("/client/sheaf-1.2.2.tar.gz").status()).isEqualTo(404);
        assertThat(get("/client/sheaf-1.2.2.tar.gz.sha256").status()).isEqualTo(404);
        assertThat(get("/client/..%2Fsheaf").status()).isIn(400, 404);
    }

    @Test
    void aServerWithoutAClientSaysSo() {
        System.setProperty(ClientFiles.PROPERTY, folder.resolve("nothing").toString());

        assertThat(get("/client").text()).contains("This server has no client to hand out");
        assertThat(get("/client/install.sh").status()).isEqualTo(404);
    }

    /// Otherwise a page of somebody else could make a cache hand out a script that downloads from him.
    @Test
    void theScriptNamesTheAddressThatTheOperatorHasSet() throws Exception {
        try (var named = TestApp.start(folder.resolve("named"), Map.of("public-url", "https://bundles.example.org"))) {
            String script = new RawHttp(named.host())
                    .send(RawHttp.bytes(
                            "GET /client/install.sh HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"));

            assertThat(script).contains("url=https://bundles.example.org\n").doesNotContain("evil.example");
        }
    }

    @Test
    void withoutTlsThePageSaysWhatThatMeans() {
        try (var open = TestApp.start(folder.resolve("open"), Map.of("public-url", "http://bundles.example.org"))) {
            assertThat(open.get("/client", null).text()).contains("reached without TLS");
        }
        assertThat(get("/client").text()).doesNotContain("reached without TLS");
    }

    @Test
    void theFooterAndThePageOfABundleLeadThere() {
        app.push("acme/kit", "1.0.0", "public", "# Kit");

        assertThat(get("/acme/kit").text())
                .contains("<a class=\"small\" href=\"/client\">Get the client</a>")
                .contains("<a href=\"/client\">Client</a>");
    }
}
