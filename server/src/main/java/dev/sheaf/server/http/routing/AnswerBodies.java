package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.DisconnectedException;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// Sends the bodies of answers. If content cannot be read, it matters whether a part of the answer was sent already:
/// then the connection breaks; otherwise another answer can be sent.
final class AnswerBodies {
    private static final int WHOLE = 16 << 10;

    /// Thrown if content cannot be read and nothing of the answer was sent.
    static final class UnsentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private UnsentException(Throwable why) {
            super(why);
        }

        /// Returns why the content cannot be read. A store that does not answer refuses each read, and has logged that
        /// itself; other failures are those of this request.
        Throwable reason() {
            Throwable why = Objects.requireNonNull(getCause());
            return why.getCause() instanceof ProblemException refused
                            && refused.problem() instanceof Problem.Unavailable
                    ? refused
                    : why;
        }
    }

    private AnswerBodies() {}

    /// Returns how the failure of an answer is reported.
    ///
    /// @param begun whether a part of the answer may have been sent
    static RuntimeException failure(Throwable why, boolean begun) {
        if (!begun && !(why instanceof DisconnectedException)) {
            return new UnsentException(why);
        }
        return switch (why) {
            case RuntimeException failure -> failure;
            case IOException failure -> new UncheckedIOException(failure);
            default -> new IllegalStateException(why);
        };
    }

    /// @throws UnsentException if the content cannot be read, not even its beginning
    static void send(Answer.Body.Content content, Answer answer, Call call) {
        long length = content.length();
        if (length != Answer.Body.Content.UNKNOWN && length <= WHOLE) {
            whole(content, answer, call);
        } else {
            streamed(content, answer, call);
        }
    }

    /// Sends short content in one piece together with its head.
    private static void whole(Answer.Body.Content content, Answer answer, Call call) {
        byte[] bytes = collected(content);
        try {
            answer.atItsEnd().run();
        } catch (RuntimeException | Error e) {
            throw failure(e, false);
        }
        call.exchange().send(bytes, answer.mustArrive());
    }

    /// Returns content that fits into memory.
    ///
    /// @throws UnsentException if it cannot be read
    static byte[] collected(Answer.Body.Content content) {
        if (content.writer() instanceof Answer.Held held) {
            return held.bytes();
        }
        var bytes = new ByteArrayOutputStream((int) content.length());
        try {
            content.writer().writeTo(bytes);
            if (bytes.size() != content.length()) {
                throw new IllegalStateException(bytes.size() + " bytes were written of " + content.length());
            }
        } catch (IOException | RuntimeException | Error e) {
            throw failure(e, false);
        }
        return bytes.toByteArray();
    }

    private static void streamed(Answer.Body.Content content, Answer answer, Call call) {
        var out = call.exchange().stream(content.length(), answer.atItsEnd());
        try {
            content.writer().writeTo(out);
            out.requireEnd();
            out.close(); // not after a failure, which would send what was buffered
        } catch (IOException | RuntimeException | Error e) {
            throw failure(e, call.exchange().hasBegun());
        }
    }
}
