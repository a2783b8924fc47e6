package dev.sheaf.server.git.pack;

import dev.sheaf.server.cpu.CpuPool;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.Deflater;

/// Compresses content as a zlib stream. Short content is compressed immediately, longer content in pieces in
/// the pool. Content whose first piece hardly shrinks is stored uncompressed. Bound to its thread.
final class Packing extends OutputStream {
    private static final int PIECE = 256 << 10;
    private static final int SMALL = 32 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final OutputStream out;
    private final Deflater deflater;
    private final CpuPool cpu;
    private byte[] piece = new byte[SMALL];
    private int length;
    private boolean begun;

    Packing(OutputStream out, Deflater deflater, CpuPool cpu) {
        this.out = out;
        this.deflater = deflater;
        this.cpu = cpu;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        for (int done = 0; done < count; ) {
            if (length == piece.length) {
                if (length < PIECE) {
                    piece = Arrays.copyOf(piece, PIECE);
                } else {
                    pack(false);
                }
            }
            int more = Math.min(count - done, piece.length - length);
            System.arraycopy(bytes, offset + done, piece, length, more);
            length += more;
            done += more;
        }
    }

    /// Writes the rest.
    @Override
    public void close() throws IOException {
        pack(true);
    }

    private void pack(boolean last) throws IOException {
        byte[] packed = length <= SMALL
                ? packed(last)
                : cpu.offer(LIMIT, budget -> packed(last)).orElseGet(() -> packed(last));
        length = 0;
        out.write(packed);
    }

    private byte[] packed(boolean last) {
        if (!begun) {
            begun = true;
            if (length > SMALL && !shrinks()) {
                deflater.setLevel(Deflater.NO_COMPRESSION);
            }
        }
        deflater.setInput(piece, 0, length);
        if (last) {
            deflater.finish();
        }
        byte[] packed = new byte[length + (length >> 8) + 64];
        int filled = 0;
        while (last ? !deflater.finished() : !deflater.needsInput()) {
            if (filled == packed.length) {
                packed = Arrays.copyOf(packed, 2 * packed.length);
            }
            filled += deflater.deflate(packed, filled, packed.length - filled);
        }
        return filled == packed.length ? packed : Arrays.copyOf(packed, filled);
    }

    private boolean shrinks() {
        var trial = new Deflater(Deflater.BEST_SPEED);
        try {
            trial.setInput(piece, 0, SMALL);
            trial.finish();
            return trial.deflate(new byte[SMALL * 9 / 10]) < SMALL * 9 / 10;
        } finally {
            trial.end();
        }
    }
}
