package dev.sheaf.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Frames of HTTP/2 (RFC 9113, section 6) as a client may write them, well or not.
public final class Http2Frames {
    public static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    /// The fields of a GET of `/` (HPACK, static table).
    static final byte[] GET = {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x41, 1, 'h'};

    private Http2Frames() {}

    public static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /// A GET of `target`, whatever that holds.
    static byte[] get(String target) {
        var block = new ByteArrayOutputStream();
        block.write(GET, 0, 2);
        block.write(4); // ":path" of the static table, with a value that stands here
        block.write(target.length());
        block.writeBytes(target.getBytes(StandardCharsets.ISO_8859_1));
        block.write(GET, 3, 3);
        return frame(HEADERS, 5, 1, block.toByteArray());
    }

    /// The same on a stream whose body is yet to come.
    static byte[] open(String target, int stream) {
        byte[] whole = get(target);
        whole[4] = 4;
        whole[8] = (byte) stream;
        return whole;
    }
}
