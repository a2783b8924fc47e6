package dev.sheaf.server.skill.archive;

import dev.sheaf.engine.cpu.CpuPool;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;

/// Passes written bytes to the threads for computation, in pieces that are large enough to be worth it.
final class PieceWriter extends OutputStream {
    private static final int PIECE = 512 << 10;
    private static final int FIRST = 8 << 10;
    private static final int SMALL = 32 << 10; // is processed at once
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final OutputStream work;
    private final CpuPool cpu;
    private byte[] piece = new byte[FIRST];
    private int filled;

    /// @param work processes the bytes; must not block
    PieceWriter(OutputStream work, CpuPool cpu) {
        this.work = work;
        this.cpu = cpu;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        for (int taken = 0; taken < count; ) {
            if (filled == piece.length) {
                grow();
            }
            int some = Math.min(count - taken, piece.length - filled);
            System.arraycopy(bytes, offset + taken, piece, filled, some);
            filled += some;
            taken += some;
        }
    }

    private void grow() throws IOException {
        if (piece.length < PIECE) {
            piece = Arrays.copyOf(piece, piece.length * 2);
        } else {
            handOver();
        }
    }

    private void handOver() throws IOException {
        int count = filled;
        filled = 0;
        if (count <= SMALL) {
            work.write(piece, 0, count);
            return;
        }
        try {
            cpu.run(LIMIT, budget -> {
                try {
                    work.write(piece, 0, count);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return count;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() throws IOException {
        handOver();
        work.close();
    }
}
