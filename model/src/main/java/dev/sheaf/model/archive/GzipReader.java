package dev.sheaf.model.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Unpacks the gzip data (RFC 1952) that is written to it, and writes the content to another stream. The data
/// must have exactly one member. The unpacked size is limited.
final class GzipReader extends OutputStream {
    private static final int FIXED = 10;
    private static final int TRAILER = 8;
    private static final int LONGEST_NAME = 4 << 10;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int HEADER_SUM = 2;

    private enum State {
        FIXED,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEADER_SUM,
        CONTENT,
        TRAILER,
        END
    }

    private final OutputStream out;
    private final long most;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 sum = new CRC32();
    private final byte[] unpacked = new byte[64 << 10];
    private final byte[] field = new byte[FIXED];
    private State state = State.FIXED;
    private int flags;
    private int filled;
    private int toSkip;
    private long length;

    /// @param most the limit of the unpacked size, in bytes
    GzipReader(OutputStream out, long most) {
        this.out = out;
        this.most = most;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        int at = offset;
        while (at < offset + count) {
            if (state == State.CONTENT) {
                at = offset + count - inflate(bytes, at, offset + count - at);
            } else {
                header(bytes[at++] & 0xff);
            }
        }
    }

    private void header(int value) throws IOException {
        switch (state) {
            case FIXED -> fixed(value);
            case EXTRA_LENGTH -> {
                toSkip |= value << (8 * filled++);
                if (filled == 2) {
                    next(toSkip == 0 ? after(EXTRA) : State.EXTRA);
                }
            }
            case EXTRA -> {
                if (--toSkip == 0) {
                    next(after(EXTRA));
                }
            }
            case NAME, COMMENT -> {
                if (++filled > LONGEST_NAME) {
                    throw new UnfitArchive("has a gzip header that is too long");
                }
                if (value == 0) {
                    next(after(state == State.NAME ? NAME : COMMENT));
                }
            }
            case HEADER_SUM -> {
                if (++filled == 2) {
                    next(State.CONTENT);
                }
            }
            case TRAILER -> trailer(value);
            case CONTENT, END -> throw new UnfitArchive("continues after its end");
        }
    }

    private void next(State next) {
        state = next;
        filled = 0;
    }

    private void fixed(int value) throws IOException {
        field[filled++] = (byte) value;
        if (filled < FIXED) {
            return;
        }
        flags = field[3] & 0xff;
        if (field[0] != 0x1f || field[1] != (byte) 0x8b || field[2] != 8 || (flags & 0xe0) != 0) {
            throw new UnfitArchive("is not gzip");
        }
        next(after(0));
    }

    /// Returns the state that follows a part of the header.
    private State after(int part) {
        if (part < EXTRA && (flags & EXTRA) != 0) {
            return State.EXTRA_LENGTH;
        }
        if (part < NAME && (flags & NAME) != 0) {
            return State.NAME;
        }
        if (part < COMMENT && (flags & COMMENT) != 0) {
            return State.COMMENT;
        }
        return (flags & HEADER_SUM) != 0 ? State.HEADER_SUM : State.CONTENT;
    }

    /// @return the number of bytes left after the content
    private int inflate(byte[] bytes, int offset, int count) throws IOException {
        inflater.setInput(bytes, offset, count);
        try {
            while (!inflater.finished() && !inflater.needsInput()) {
                int some = inflater.inflate(unpacked);
                if (some == 0 && inflater.needsDictionary()) {
                    throw new UnfitArchive("is broken: its gzip needs a dictionary");
                }
                length += some;
                if (length > most) {
                    throw new UnfitArchive("unpacks to more than " + most + " bytes");
                }
                sum.update(unpacked, 0, some);
                out.write(unpacked, 0, some);
            }
        } catch (DataFormatException e) {
            throw new UnfitArchive("is broken: its gzip cannot be read");
        }
        int left = inflater.getRemaining();
        if (inflater.finished()) {
            next(State.TRAILER);
        }
        return left;
    }

    private void trailer(int value) throws IOException {
        field[filled++] = (byte) value;
        if (filled < TRAILER) {
            return;
        }
        if (little(0) != sum.getValue() || little(4) != (length & 0xffff_ffffL)) {
            throw new UnfitArchive("is broken: the checksum of its gzip is wrong");
        }
        next(State.END);
    }

    private long little(int at) {
        long value = 0;
        for (int i = 0; i < 4; i++) {
            value |= (field[at + i] & 0xffL) << (8 * i);
        }
        return value;
    }

    void release() {
        inflater.end();
    }

    @Override
    public void close() throws IOException {
        if (state != State.END) {
            throw new UnfitArchive("is broken: it ends too early");
        }
        out.close();
    }
}
