package dev.sheaf.server.http.routing;

import dev.sheaf.server.cpu.HandOver;
import dev.sheaf.server.http.server.Timeouts;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Splits writes. The first piece is short, because Helidon copies it twice to send it together with the
/// headers. Later pieces are larger than Helidon's buffer and go to the socket directly, but are limited so
/// that progress can be measured.
final class Pieces extends FilterOutputStream {
    private static final int START = 8 << 10;
    private final Timeouts.Work work;
    private final Runnable atItsEnd;
    private final int most;
    private long left;
    private boolean started;

    /// @param length the length in bytes, or [Answer.Body.Content#UNKNOWN]
    /// @param atItsEnd runs before the last piece, after all others were sent
    Pieces(OutputStream out, Timeouts.Work work, long length, Runnable atItsEnd) {
        super(out);
        this.work = work;
        this.most = work.piece();
        this.left = length;
        this.atItsEnd = atItsEnd;
    }

    /// Fails if bytes of a known length are missing: the client would take the next answer for them.
    void requireEnd() {
        if (left > 0) {
            throw new IllegalStateException(left + " bytes of the content are missing");
        }
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
                HandOver.giveWay();
                Thread.yield(); // lets short answers pass
            }
        }
    }
}
