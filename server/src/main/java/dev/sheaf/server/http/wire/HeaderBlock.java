package dev.sheaf.server.http.wire;

import io.helidon.webserver.CloseConnectionException;

/// Counts the fields of an HTTP/2 header block as its bytes arrive (HPACK, RFC 7541, section 6), without
/// decoding them. One byte may refer to an earlier field of 4,000 bytes, and the HTTP library needs quadratic
/// time for fields of the same name. Bound to its connection's thread.
final class HeaderBlock {
    static final int MOST = 200; // as over HTTP/1
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 32;
    private static final int PRIORITY_BYTES = 5;
    private static final int MAX_SHIFT = 21; // limits lengths, far above the length of any block

    private int padLength; // bytes of the padding's length: 0 or 1
    private int before; // bytes until the fields begin
    private int left; // bytes of fields
    private int count;

    private Part part = Part.FIELD;
    private int texts; // number of strings that follow
    private int length;
    private int shift;

    private enum Part {
        FIELD,
        INDEX,
        LENGTH,
        REST_OF_LENGTH,
        TEXT
    }

    /// Begins a block with a HEADERS frame.
    void begin(int payload, int flags) {
        padLength = (flags & PADDED) == 0 ? 0 : 1;
        if (padLength > 0 && (flags & END_HEADERS) == 0) {
            // the library would read it as headers
            throw new CloseConnectionException("padding in the middle of headers");
        }
        before = padLength + ((flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES);
        left = payload - before;
        count = 0;
        part = Part.FIELD;
    }

    /// Continues the block with a CONTINUATION frame.
    void goOn(int payload) {
        padLength = 0;
        before = 0;
        left = payload;
    }

    /// Reads bytes of the payload of such a frame.
    void take(byte[] piece, int from, int to) {
        for (int i = from; i < to; i++) {
            if (before > 0) {
                left -= padLength * (piece[i] & 0xff);
                padLength = 0;
                before--;
            } else if (left-- > 0) {
                take(piece[i] & 0xff);
            }
        }
    }

    private void take(int octet) {
        switch (part) {
            case FIELD -> field(octet);
            case INDEX -> {
                if (octet < 0x80) {
                    next();
                }
            }
            case LENGTH -> {
                length = octet & 0x7f;
                shift = 0;
                part = Part.REST_OF_LENGTH;
                if (length < 0x7f) {
                    text();
                }
            }
            case REST_OF_LENGTH -> {
                if (shift > MAX_SHIFT) {
                    throw new CloseConnectionException("a header is too long");
                }
                length += (octet & 0x7f) << shift;
                shift += 7;
                if (octet < 0x80) {
                    text();
                }
            }
            case TEXT -> {
                length--;
                text();
            }
        }
    }

    private void field(int octet) {
        if (++count > MOST) {
            throw new CloseConnectionException("more than " + MOST + " headers");
        }
        boolean isIndexed = octet >= 0x80;
        boolean isSize = octet >> 5 == 1;
        int most = isIndexed ? 0x7f : octet >= 0x40 ? 0x3f : isSize ? 0x1f : 0x0f;
        int index = octet & most;
        texts = isIndexed || isSize ? 0 : index == 0 ? 2 : 1;
        if (index == most) {
            part = Part.INDEX;
        } else {
            next();
        }
    }

    private void next() {
        part = texts-- > 0 ? Part.LENGTH : Part.FIELD;
    }

    private void text() {
        part = Part.TEXT;
        if (length == 0) {
            next();
        }
    }
}
