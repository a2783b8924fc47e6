package dev.sheaf.server.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Gen;
import dev.sheaf.model.Problem;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Http1BytesTest {
    private static final String LOCAL = "127.0.0.1:8080";

    /// Pieces as large as they are, whatever is asked for.
    private static Http1Bytes.Wire wire(Supplier<byte @Nullable []> pieces) {
        return most -> pieces.get();
    }

    /// Whatever the pieces in which they come, requests are handed on one by one.
    @Test
    void headsBodiesAndChunksAreToldApartInPiecesOfAnySize() {
        String get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
        String post = "POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n";
        String chunked = "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        String sent = get + post + "hello" + chunked + "3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nT: v\r\n\r\n" + get;
        Gen.forAll(200, gen -> {
            var bytes = new Http1Bytes(wire(pieces(gen, sent)), LOCAL);

            assertThat(text(bytes.get())).isEqualTo(get);
            assertThat(text(bytes.get())).isEqualTo(post);
            var body = new StringBuilder();
            while (body.length() < 5) {
                body.append(text(bytes.get()));
            }
            assertThat(body).hasToString("hello");
            assertThat(text(bytes.get())).isEqualTo(chunked);
            assertThat(unchunked(bytes)).isEqualTo("abc0123456789");
            assertThat(text(bytes.get())).isEqualTo(get);
            assertThat(bytes.get()).isNull();
        });
    }

    /// A first line just within its limit and fields without an end: there must be no length between the two limits at
    /// which nothing is a fault and nothing more is taken.
    @ParameterizedTest
    @ValueSource(ints = {-3, -2, -1, 0, 1, 2, 3})
    void aHeadWithoutAnEndIsRefusedWhateverItsFirstLine(int more) {
        String line = "GET /" + "a".repeat(Http1Head.MAX_LINE + more - "GET / HTTP/1.1".length()) + " HTTP/1.1\r\n";
        String endless = "X: " + "a".repeat(Http1Head.MAX_FIELDS - 3);
        var bytes = new Http1Bytes(
                wire(new ArrayDeque<>(
                        List.of(bytes(line + endless), bytes("a"), bytes("aaa"), bytes("a".repeat(9_000))))::poll),
                LOCAL);

        bytes.get();

        assertThat(bytes.refusal()).isInstanceOf(Problem.HeadUnfit.class);
    }

    /// The HTTP library takes a whole chunk into memory.
    @Test
    void aLargeChunkIsHandedOnInSmallPieces() {
        String head = "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        var wire = new ArrayDeque<>(List.of(bytes(head + "fffffffffff\r\n"), new byte[1 << 20]));
        var bytes = new Http1Bytes(wire(wire::poll), LOCAL);
        bytes.get();

        for (int i = 0; i < 64; i++) {
            assertThat(bytes.get()).hasSizeLessThan(17 << 10);
        }
        assertThat(bytes.get()).as("the rest of it has not come").isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n",
                "-1\r\n",
                "+1\r\n",
                "\r\n",
                "1\na\n0\n\n",
                "1\r\nab\r\n",
                "1\r\naXX0\r\n\r\n",
                "0\r\nno trailer\r\n\r\n",
                "ffffffffffffffff\r\n",
                "1;\u0001\r\n",
                "1"
            })
    void aChunkThatIsNoneIsMalformed(String chunks) {
        String head = "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        var bytes = new Http1Bytes(wire(new ArrayDeque<>(List.of(bytes(head + chunks)))::poll), LOCAL);
        bytes.get();

        assertThatThrownBy(() -> unchunked(bytes)).isInstanceOf(Http1Bytes.MalformedException.class);
        assertThat(bytes.isOver()).isTrue();
    }

    @Test
    void aLineOfChunksAndTrailersHasAnEnd() {
        String head = "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (String endless : List.of("1;" + "x".repeat(2_000), "0\r\n" + "a: b\r\n".repeat(2_000))) {
            var bytes = new Http1Bytes(wire(new ArrayDeque<>(List.of(bytes(head + endless)))::poll), LOCAL);
            bytes.get();

            assertThatThrownBy(() -> unchunked(bytes)).isInstanceOf(Http1Bytes.MalformedException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /a?v=^1.2 HTTP/1.1    | GET /a?v=%5E1.2 HTTP/1.1",
                "GET /gr\u00c3\u00bcn HTTP/1.1 | GET /gr%C3%BCn HTTP/1.1",
                "GET /{a}<b> HTTP/1.1      | GET /%7Ba%7D%3Cb%3E HTTP/1.1",
                "GET /a%2Fb HTTP/1.1       | GET /a%2Fb HTTP/1.1"
            })
    void whatStandsRawInATargetIsEncoded(String line, String normal) {
        var bytes = new Http1Bytes(
                wire(new ArrayDeque<>(List.of(bytes(line.strip() + "\r\nHost: h\r\n\r\n")))::poll), LOCAL);

        assertThat(text(bytes.get())).isEqualTo(normal.strip() + "\r\nHost: h\r\n\r\n");
    }

    @Test
    void aRequestOfHttp10BecomesOneThatIsTheLast() {
        String sent = "GET /a HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 100-continue\r\nX: y\r\n\r\n";
        var bytes = new Http1Bytes(wire(new ArrayDeque<>(List.of(bytes(sent)))::poll), LOCAL);

        assertThat(text(bytes.get()))
                .isEqualTo("GET /a HTTP/1.1\r\nHost: " + LOCAL + "\r\nConnection: close\r\nX: y\r\n\r\n");
        assertThat(bytes.isOld()).isTrue();
    }

    @Test
    void aHeadWithoutEndIsRefusedWithinItsLimits() {
        for (String endless : List.of("GET /" + "a".repeat(9_000), "GET / HTTP/1.1\r\nX: " + "a".repeat(40_000))) {
            var bytes = new Http1Bytes(wire(new ArrayDeque<>(List.of(bytes(endless), bytes(endless)))::poll), LOCAL);

            assertThat(text(bytes.get())).startsWith("GET /").endsWith("\r\nConnection: close\r\n\r\n");
            assertThat(bytes.refusal()).isInstanceOf(Problem.HeadUnfit.class);
            assertThat(bytes.get()).isNull();
        }
    }

    private static String unchunked(Http1Bytes bytes) {
        var body = new StringBuilder();
        while (true) {
            byte[] next = bytes.get();
            String chunk = text(next);
            if (chunk.equals("0\r\n\r\n")) {
                return body.toString();
            }
            int size = Integer.parseInt(chunk.substring(0, chunk.indexOf('\r')), 16);
            body.append(chunk, chunk.indexOf('\n') + 1, chunk.indexOf('\n') + 1 + size);
        }
    }

    private static java.util.function.Supplier<byte @org.jspecify.annotations.Nullable []> pieces(
            Gen gen, String text) {
        Queue<byte[]> pieces = new ArrayDeque<>();
        byte[] all = bytes(text);
        for (int i = 0; i < all.length; ) {
            int end = Math.min(all.length, i + gen.number(1, 40));
            pieces.add(Arrays.copyOfRange(all, i, end));
            i = end;
        }
        return pieces::poll;
    }

    private static byte[] bytes(String text) {
        var out = new ByteArrayOutputStream();
        text.chars().forEach(out::write);
        return out.toByteArray();
    }

    private static String text(byte @org.jspecify.annotations.Nullable [] bytes) {
        return bytes == null ? "end" : new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
