package dev.sheaf.server.http.server;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.server.Payload.BrokenException;
import dev.sheaf.server.http.wire.Http1Bytes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A request's body. The HTTP library reports a broken connection, a short body and invalid chunks with various
/// exceptions. This class turns them into [Payload.BrokenException], or a bad-request problem for invalid chunks.
final class Body extends FilterInputStream {
    private final Timeouts.Work work;
    private final long announced;
    private long received;
    private boolean ended;

    /// @param announced its length; negative if it is unknown
    Body(InputStream in, Timeouts.Work work, long announced) {
        super(in);
        this.work = work;
        this.announced = announced;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        long since = work.receive();
        int read = 0;
        try {
            read = super.read(buffer, offset, length);
            if (work.isCut()) {
                throw new BrokenException("the body stopped", null); // over HTTP/2 it looks as if the body had ended
            }
            ended = read < 0;
            received += Math.max(0, read);
            return read;
        } catch (Http1Bytes.MalformedException e) {
            ended = true;
            throw new Problem.BadRequest(String.valueOf(e.getMessage())).raise();
        } catch (IOException | RuntimeException e) {
            ended = true;
            throw e instanceof BrokenException broken ? broken : new BrokenException("the body ended early", e);
        } finally {
            work.received(since, Math.max(0, read));
        }
    }

    /// Returns whether the end of the body was reached.
    boolean hasEnded() {
        return ended;
    }

    /// Reads the end of a complete body, so that the next request can follow. Of another one it reads nothing: the
    /// library would wait for its next piece without a limit, even after its connection has ended.
    @Override
    public void close() throws IOException {
        if (!ended && received == announced) {
            read();
        }
    }
}
