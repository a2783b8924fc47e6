package dev.sheaf.server.skill.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32;

/// Wraps bytes as gzip without compressing them (RFC 1952; RFC 1951, section 3.2.4). Compressed bytes would
/// depend on the version of a library, but a digest that clients have stored must stay valid.
final class StoredGzip extends OutputStream {
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int BLOCK_HEADER = 5;
    private static final int MOST =
            (1 << 16) - BLOCK_HEADER; // of 65,535: two blocks with their headers fill a socket buffer
    private static final int BUFFER = 2 << 16;
    private static final int TRAILER = 8;

    private final OutputStream out;
    private final long length;
    private final long knownSum;
    private final CRC32 sum = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int at; // start of the current block
    private int filled;
    private long done;

    /// @param length the number of bytes that will be written, at least one
    /// @param knownSum their CRC-32, or -1 if not known yet
    StoredGzip(OutputStream out, long length, long knownSum) throws IOException {
        this.out = out;
        this.length = length;
        this.knownSum = knownSum;
        out.write(HEADER);
    }

    /// Returns the length after wrapping.
    static long length(long plain) {
        return HEADER.length + plain + (plain + MOST - 1) / MOST * BLOCK_HEADER + TRAILER;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (done + filled + count > length) {
            throw new IOException("more than the " + length + " bytes that were announced were written");
        }
        if (knownSum < 0) {
            sum.update(bytes, offset, count);
        }
        for (int taken = 0; taken < count; ) {
            int piece = Math.min(count - taken, MOST - filled);
            System.arraycopy(bytes, offset + taken, buffer, at + BLOCK_HEADER + filled, piece);
            filled += piece;
            taken += piece;
            if (filled == MOST || done + filled == length) {
                endBlock();
            }
        }
    }

    private void endBlock() throws IOException {
        done += filled;
        boolean last = done == length;
        buffer[at] = (byte) (last ? 1 : 0);
        little(buffer, at + 1, filled, 2);
        little(buffer, at + 3, ~filled, 2);
        at += BLOCK_HEADER + filled;
        filled = 0;
        if (at == BUFFER || last) {
            out.write(buffer, 0, at);
            at = 0;
        }
        if (last) {
            var trailer = new byte[TRAILER];
            little(trailer, 0, sum(), 4);
            little(trailer, 4, length, 4);
            out.write(trailer);
        }
    }

    /// Returns the CRC-32 of what was written.
    long sum() {
        return knownSum < 0 ? sum.getValue() : knownSum;
    }

    static void little(byte[] to, int at, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            to[at + i] = (byte) (value >>> (8 * i));
        }
    }

    /// @throws IOException if fewer bytes were written than announced
    @Override
    public void close() throws IOException {
        if (done != length) {
            throw new IOException(done + filled + " of the " + length + " bytes that were announced were written");
        }
    }
}
