package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What no git sends. Nothing of it is an error of the service, and nothing takes long.
@Timeout(60)
class GitHostileTest extends OnEveryStack {
    private static final String FETCH = "/hostile/kit.git/git-upload-pack";
    private static final String NOBODY = "0123456789abcdef0123456789abcdef01234567";

    private String main = "";

    @Override
    public void prepare() {
        app().push("hostile/kit", "1.0.0", "public", "one");
        app().push("hostile/kit", "1.1.0", "public", "two");
        main = post("version=2", packets("command=ls-refs\n", null, "ref-prefix refs/heads/main\n"))
                .text()
                .substring(4, 44);
        assertThat(main).matches("[0-9a-f]{40}");
    }

    /// @param lines null: the delimiter of version 2
    private static String packets(@Nullable String... lines) {
        var body = new StringBuilder();
        for (String line : lines) {
            body.append(line == null ? "0001" : "%04x".formatted(line.length() + 4) + line);
        }
        return body + "0000";
    }

    private Reply post(String version, String body) {
        return post(version, body.getBytes(StandardCharsets.ISO_8859_1), "identity");
    }

    private Reply post(String version, byte[] body, String coding) {
        return app().send(app().request("POST", FETCH, null, null)
                .header("Content-Type", "application/x-git-upload-pack-request")
                .header("Git-Protocol", version)
                .header("Content-Encoding", coding)
                .POST(BodyPublishers.ofByteArray(body)));
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0000",
                "0001",
                "0002",
                "0003",
                "0004",
                "zzzz",
                "-001",
                "ffff",
                "0010",
                "0009done\n",
                "0032want 0123456789abcdef0123456789abcdef0123456\n0000",
                "0032want zzzz456789abcdef0123456789abcdef01234567\n0000",
                "0031have 0123456789abcdef0123456789abcdef01234567\n",
                "0014command=ls-refs\n",
                "0014command=ls-refs\n00010009peel\n",
                "0012command=fetch\n0000",
                "0012command=fetch\n00010015deepen 2147483648\n0000",
                "0012command=fetch\n0001000edeepen -1\n0000",
                "0012command=fetch\n00010018filter combine:x+y+z\n0000",
                "0012command=fetch\n00010011filter sparse\n0000",
                "0012command=nope!\n0000",
                "0018command=object-info\n0000",
                "GET / HTTP/1.1\r\n\r\n",
                "\u0000\u0000\u0000\u0000",
                "PACK\u0000\u0000\u0000\u0002",
            })
    void whatIsNoRequest(String body) {
        for (String version : List.of("version=2", "version=0", "version=1:version=2:x", "", "version=99")) {
            var reply = post(version, body);

            assertThat(reply.status()).as(version + " " + reply.text()).isIn(200, 400);
        }
    }

    @Test
    void noise() {
        var random = new Random(7);
        for (int i = 0; i < 200; i++) {
            var bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            for (String version : List.of("version=2", "version=0")) {
                assertThat(post(version, bytes, "identity").status()).isIn(200, 400);
            }
        }
    }

    /// A request of git with bytes of it changed.
    @Test
    void almostARequest() {
        var random = new Random(8);
        byte[] good = packets("command=fetch\n", null, "ofs-delta\n", "want " + main + "\n", "deepen 1\n", "done\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThat(post("version=2", good, "identity").text()).contains("packfile", "PACK");
        for (int i = 0; i < 300; i++) {
            byte[] bad = good.clone();
            for (int j = 0; j <= random.nextInt(3); j++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            assertThat(post("version=2", bad, "identity").status()).isIn(200, 400);
        }
    }

    @Test
    void whatIsNotThereIsNotSent() {
        assertThat(post("version=2", packets("command=fetch\n", null, "want " + NOBODY + "\n", "done\n"))
                        .text())
                .contains("ERR", NOBODY);
        assertThat(post("version=0", packets("want " + NOBODY + " side-band-64k\n") + "0009done\n")
                        .text())
                .contains("ERR", NOBODY);
    }

    @Test
    void aPackOfOldClientsHasNoBands() {
        for (String capability : List.of("", " side-band", " side-band-64k")) {
            var reply = post("version=0", packets("want " + main + capability + "\n") + "0009done\n");
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text()).as(capability).startsWith("0008NAK\n" + (capability.isEmpty() ? "PACK" : ""));
        }
    }

    @Test
    void thousandsOfNames() {
        var random = new Random(9);
        var haves = new StringBuilder("0012command=fetch\n0001" + "0032want " + main + "\n");
        var wants = new StringBuilder(haves);
        for (int i = 0; i < 40_000; i++) {
            String id = "%08x".formatted(random.nextInt()).repeat(5);
            haves.append("0032have ").append(id).append('\n');
            wants.append("0032want ").append(id).append('\n');
        }
        long begun = System.nanoTime();

        assertThat(post("version=2", haves + "0000").text()).contains("NAK");
        assertThat(post("version=2", haves + "0009done\n0000").text()).contains("PACK");
        assertThat(post("version=2", wants + "0009done\n0000").text()).contains("ERR");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    /// Their hashes are all the same, and none of them is of an object.
    @ParameterizedTest
    @ValueSource(strings = {"want", "have", "shallow"})
    void idsThatAreChosenToCostMuch(String word) {
        String many = IntStream.range(0, 80_000)
                .mapToObj(i -> "%04x%s %040x".formatted(word.length() + 45, word, i))
                .collect(Collectors.joining());
        String asks = "0032want " + main + "\n";
        long begun = System.nanoTime();

        assertThat(post("version=2", "0012command=fetch\n0001" + asks + many + "0009done\n0000")
                        .text())
                .contains("ERR", "too many ids that begin with the same digits");
        assertThat(post("version=0", asks + many + "00000009done\n").text())
                .contains("ERR", "too many ids that begin with the same digits");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    /// Those of a clone that has fetched from elsewhere, too.
    @Test
    void shallowCommitsOfOthersAreLeftOut() {
        var random = new Random(11);
        String many = IntStream.range(0, 75_000)
                .mapToObj(
                        i -> "0035shallow " + "%08x".formatted(random.nextInt()).repeat(5) + "\n")
                .collect(Collectors.joining());
        String asks = "0032want " + main + "\n";
        long begun = System.nanoTime();

        assertThat(post("version=2", "0012command=fetch\n0001" + asks + many + "0009done\n0000")
                        .text())
                .contains("PACK");
        assertThat(post("version=0", asks + many + "00000009done\n").text()).contains("PACK");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aPrefixThatIsSaidOftenIsLookedForOnce() {
        String many = "0010ref-prefix r".repeat(250_000);

        assertThat(post("version=2", "0014command=ls-refs\n0001" + many + "0000")
                        .text())
                .contains("refs/heads/main");
    }

    @Test
    void deepAndRelative() {
        for (String depth : List.of(
                "deepen 2147483647\n",
                "deepen 2147483648\n",
                "deepen 0\n",
                "deepen 99999999999\n",
                "deepen-since 99999999999\n",
                "deepen-not none\n",
                "deepen 1\n")) {
            for (String version : List.of("version=2", "version=0")) {
                String body = version.equals("version=2")
                        ? packets("command=fetch\n", null, "want " + main + "\n", depth, "deepen-relative\n", "done\n")
                        : packets("want " + main + " side-band-64k deepen-relative\n", depth) + "0009done\n";
                assertThat(post(version, body).status()).as(version + depth).isIn(200, 400);
            }
        }
    }

    @Test
    void bodiesThatAreTooLargeOrNotWhatTheySay() throws IOException {
        assertThat(post("version=2", "x".repeat((4 << 20) + 1)).status()).isEqualTo(413);
        assertThat(post("version=2", gzip(new byte[200 << 20]), "gzip").status())
                .isEqualTo(413);
        assertThat(post("version=2", "no gzip".getBytes(StandardCharsets.UTF_8), "gzip")
                        .status())
                .isEqualTo(400);
        assertThat(post("version=2", gzip(new byte[0]), "gzip").status()).isEqualTo(200);
        assertThat(post("version=2", new byte[0], "br").status()).isEqualTo(415);
        byte[] good = packets("command=ls-refs\n", null, "peel\n").getBytes(StandardCharsets.UTF_8);
        assertThat(post("version=2", gzip(good), "gzip").text()).contains("refs/tags/1.0.0");
        assertThat(app().post(FETCH, null, "{}").status()).isEqualTo(415);
        assertThat(app().send(app().request("POST", "/v1/sessions", null, "{}").header("Content-Encoding", "gzip"))
                        .status())
                .as("elsewhere bodies are not unpacked")
                .isEqualTo(415);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/..%2f..%2f.git/info/refs",
                "/a/b%2fc.git/info/refs",
                "/a/..git/info/refs",
                "/a/.git/info/refs",
                "/%00/b.git/info/refs",
                "/a/b.git%00/info/refs",
                "/a/b%2Egit/info/refs",
                "/a/b.git/info/refs?service=git-upload-pack%00",
                "/a/b.git/info/refs?service=../../x",
                "/a/b.git/info/refs?service=a&service=b",
                "/a/b.git/../../v1/me",
                "/a/b.git//info/refs",
                "/v1/b.git/info/refs",
                "/v2/b.git/info/refs",
                "/v1/namespaces.git/info/refs",
            })
    void pathsThatLeadNowhere(String path) {
        assertThat(app().get(path, app().admin()).status()).as(path).isIn(400, 403, 404, 422);
    }
}
