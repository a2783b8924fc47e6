package dev.sheaf.server.http.routing;

import dev.sheaf.server.http.server.Timeouts;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Helidon sends the first write together with the headers, and copies it twice for that. So the first one is
/// short, and the buffers of a bulk transfer, which are larger than Helidon's own, go to the socket as they
/// are; the largest in pieces, to see that they move.
final class Pieces extends FilterOutputStream {
    private static final int START = 8 << 10;
    private final Timeouts.Work work;
    private final Runnable atItsEnd;
    private final int most;
    private long left;
    private boolean started;

    /// @param length in bytes, or [Answer.Body.Content#UNKNOWN]
    /// @param atItsEnd runs before the last piece, once all others were taken
    Pieces(OutputStream out, Timeouts.Work work, long length, Runnable atItsEnd) {
        super(out);
        this.work = work;
        this.most = work.piece();
        this.left = length;
        this.atItsEnd = atItsEnd;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; ) {
            int piece = Math.min(length - done, started ? most : START);
            started = true;
            left -= piece;
            if (left == 0) {
                atItsEnd.run();
            }
            work.send(piece);
            out.write(bytes, offset + done, piece);
            work.sent(piece);
            done += piece;
            if (piece == most) {
                Thread.yield(); // whoever answers with little does not wait for all of it
            }
        }
    }
}
