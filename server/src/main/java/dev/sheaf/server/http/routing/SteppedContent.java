package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.HttpExchange;
import dev.sheaf.engine.http.ResponseStream;
import dev.sheaf.server.http.message.Answer;
import java.io.IOException;

/// Content that is produced in steps, and its destination. Bound to its request.
final class SteppedContent {
    private final Answer.Steps steps;
    private final HttpExchange exchange;
    private final ResponseStream out;

    SteppedContent(Answer.Steps steps, HttpExchange exchange) {
        this.steps = steps;
        this.exchange = exchange;
        this.out = exchange.stream(Answer.Body.Content.UNKNOWN, () -> {});
    }

    /// Writes the next step.
    ///
    /// @return false if it was the last one
    /// @throws AnswerBodies.UnsentException if the first step fails and nothing was sent
    boolean goOn() {
        try {
            boolean more = steps.writeTo(out);
            if (more) {
                out.flush();
                out.rest();
            } else {
                out.close();
            }
            return more;
        } catch (IOException | RuntimeException | Error e) {
            throw AnswerBodies.failure(e, exchange.hasBegun());
        }
    }
}
