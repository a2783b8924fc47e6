package dev.sheaf.server.http.routing;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.server.Timeouts;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;

/// Content that is produced in steps, and its destination. Holds no buffer between steps. Bound to its request.
final class Stepped {
    private final Answer.Steps steps;
    private final Timeouts.Work work;
    private final ServerResponse response;
    private final OutputStream to;
    private boolean begun;

    Stepped(Answer.Steps steps, Timeouts.Work work, ServerResponse response) {
        this.steps = steps;
        this.work = work;
        this.response = response;
        this.to = response.outputStream();
    }

    /// Writes the next step.
    ///
    /// @return false if it was the last one
    /// @throws Bodies.UnsentException if the first step fails and nothing was sent
    boolean goOn() {
        long since = work.move();
        var buffered = new Buffered(to);
        try {
            var out = new Pieces(buffered, work, Answer.Body.Content.UNKNOWN, () -> {});
            boolean more = steps.writeTo(out);
            if (more) {
                out.flush();
            } else {
                end(out);
            }
            return more;
        } catch (IOException | RuntimeException | Error e) {
            throw Bodies.failure(e, begun || buffered.hasBegun());
        } finally {
            begun = true;
            work.moved(since);
        }
    }

    private void end(OutputStream out) throws IOException {
        out.close();
        if (response instanceof RoutingResponse open) {
            open.commit(); // sends the last chunk
        }
    }
}
