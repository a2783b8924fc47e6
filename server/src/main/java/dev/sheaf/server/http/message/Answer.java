package dev.sheaf.server.http.message;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.entity.EntityTag;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// What a handler answers. Immutable; nothing is sent before the handler has returned.
public final class Answer {
    /// A header line.
    public record Header(String name, String value) {}

    /// Writes a body. Runs once, on the request's thread, and for HEAD only where the content packs.
    public interface Writer {
        void writeTo(OutputStream out) throws IOException;
    }

    /// What an answer waits for, such as something to happen. Bound to its request.
    public interface Waiting extends AutoCloseable {
        /// Returns when it is worth going on. As little as possible is on the stack meanwhile, as many may
        /// wait.
        void await();

        @Override
        void close();
    }

    /// Content that comes in steps, with waits between them, and whose end is not known.
    public interface Steps extends Waiting {
        /// Writes what there is. It runs when the answer begins, and after each wait.
        ///
        /// @return false where it is over
        boolean writeTo(OutputStream out) throws IOException;
    }

    /// The content of an answer, if it has any.
    public sealed interface Body {
        record None() implements Body {}

        /// A record to be written as JSON; gets a strong ETag where the status is 200.
        ///
        /// @param repeated what is answered where the same request comes again: without secrets
        record Json(Object value, String mediaType, Object repeated) implements Body {
            public boolean isSecret() {
                return repeated != value;
            }
        }

        /// Content that is written piece by piece.
        ///
        /// @param length in bytes, or [#UNKNOWN]
        /// @param packs whether it is sent in a coding where the client takes one, such as gzip
        record Content(String mediaType, long length, Writer writer, boolean packs) implements Body {
            public static final long UNKNOWN = -1;

            public Content(String mediaType, long length, Writer writer) {
                this(mediaType, length, writer, false);
            }
        }

        /// Content as things happen.
        record Live(String mediaType, Steps steps) implements Body {}

        /// Nothing yet.
        ///
        /// @param then what is answered after the wait, which may be to wait again
        record Later(Waiting waiting, Supplier<Answer> then) implements Body {}
    }

    private static final Body NONE = new Body.None();
    private static final Runnable NOTHING = () -> {};

    private final int status;
    private final String reason;
    private final List<Header> headers;
    private final Body body;
    private final String place;
    private final Sending sending;

    /// What is done besides.
    ///
    /// @param atItsEnd when all but the last piece was taken
    /// @param undo where it cannot be sent
    private record Sending(Runnable atItsEnd, Runnable undo) {
        static final Sending PLAIN = new Sending(NOTHING, NOTHING);
    }

    private Answer(int status, List<Header> headers, Body body) {
        this(status, "", headers, body, "", Sending.PLAIN);
    }

    private Answer(int status, String reason, List<Header> headers, Body body, String place, Sending sending) {
        this.status = status;
        this.reason = reason;
        this.headers = headers;
        this.body = body;
        this.place = place;
        this.sending = sending;
    }

    public static Answer ok(Object json) {
        return json(200, json);
    }

    /// 201 with the place of what was created.
    public static Answer created(String location, Object json) {
        return json(201, json).with("Location", location);
    }

    public static Answer json(int status, Object value) {
        return new Answer(status, List.of(), new Body.Json(value, "application/json", value));
    }

    public static Answer json(int status, Object value, String mediaType) {
        return new Answer(status, List.of(), new Body.Json(value, mediaType, value));
    }

    /// 201 with the place of what was created, and with a secret that is answered this once.
    ///
    /// @param repeated the same without the secret
    public static Answer createdSecret(String location, Object json, Object repeated) {
        return new Answer(201, List.of(), new Body.Json(json, "application/json", repeated))
                .with("Location", location)
                .with("Cache-Control", "no-store");
    }

    /// 200 with a secret that is answered this once.
    ///
    /// @param repeated the same without the secret
    public static Answer secret(Object json, Object repeated) {
        return new Answer(200, List.of(), new Body.Json(json, "application/json", repeated))
                .with("Cache-Control", "no-store");
    }

    /// An answer without a body.
    public static Answer empty(int status) {
        return new Answer(status, List.of(), NONE);
    }

    public static Answer bytes(int status, String mediaType, byte[] bytes) {
        return content(status, mediaType, bytes.length, out -> out.write(bytes));
    }

    /// 200 with a whole document and its ETag.
    public static Answer document(String mediaType, byte[] bytes) {
        return document(mediaType, bytes, Digest.sha256(bytes));
    }

    /// The same where the digest of the bytes is known.
    public static Answer document(String mediaType, byte[] bytes, Digest digest) {
        return bytes(200, mediaType, bytes).with("ETag", EntityTag.of(digest));
    }

    /// 200 with content whose length shows only at its end.
    public static Answer stream(String mediaType, Writer writer) {
        return new Answer(200, List.of(), new Body.Content(mediaType, Body.Content.UNKNOWN, writer));
    }

    /// 200 with content as things happen.
    public static Answer live(String mediaType, Steps steps) {
        return new Answer(200, List.of(), new Body.Live(mediaType, steps));
    }

    /// An answer that is known after a wait.
    public static Answer later(Waiting waiting, Supplier<Answer> then) {
        return new Answer(0, List.of(), new Body.Later(waiting, then));
    }

    public static Answer content(int status, String mediaType, long length, Writer writer) {
        return new Answer(status, List.of(), new Body.Content(mediaType, length, writer));
    }

    /// The same answer with one more header line.
    public Answer with(String name, String value) {
        return with(List.of(new Header(name, value)));
    }

    /// The same answer with these header lines, too: where there are many, cheaper than one after the other.
    public Answer with(List<Header> lines) {
        var more = new ArrayList<Header>(headers.size() + lines.size());
        more.addAll(headers);
        more.addAll(lines);
        return new Answer(status, reason, List.copyOf(more), body, place, sending);
    }

    /// The same answer, whose body is what a GET of the path answers: where the request comes again, that is read
    /// instead of a copy that was kept.
    ///
    /// @param path of this API, encoded
    public Answer readAt(String path) {
        return new Answer(status, reason, headers, body, path, sending);
    }

    /// The same answer with its JSON as it was written; for one without a secret.
    public Answer written(Json.Written json) {
        var body = this.body instanceof Body.Json its ? new Body.Json(json, its.mediaType(), json) : this.body;
        return new Answer(status, reason, headers, body, place, sending);
    }

    /// Returns the same answer, compressed if the client takes that. For texts that fit into memory. Not for a secret
    /// beside words of a stranger: the length would give the secret away.
    public Answer packed() {
        var packed = body instanceof Body.Content its && its.length() != Body.Content.UNKNOWN
                ? new Body.Content(its.mediaType(), its.length(), its.writer(), true)
                : body;
        return new Answer(status, reason, headers, packed, place, sending);
    }

    /// The same answer with words of its own behind the status code (RFC 9112, section 4), which some clients show
    /// instead of the body.
    public Answer saying(String words) {
        return new Answer(status, words, headers, body, place, sending);
    }

    /// The same answer, with what is done once when its body is being sent, and all but the last piece was taken.
    /// It is not done for HEAD, for 304, or where the caller is refused. For content of a known length.
    public Answer sending(Runnable done) {
        return new Answer(status, reason, headers, body, place, new Sending(done, sending.undo()));
    }

    /// The same answer, with what undoes its work where it cannot be sent. That is known only where the connection
    /// breaks before or while it is.
    public Answer undoneBy(Runnable undo) {
        return new Answer(status, reason, headers, body, place, new Sending(sending.atItsEnd(), undo));
    }

    /// What undoes it.
    public Runnable undone() {
        return sending.undo();
    }

    public Runnable atItsEnd() {
        return sending.atItsEnd();
    }

    /// The words behind the status code; empty: the usual ones.
    public String reason() {
        return reason;
    }

    /// Where a GET answers the same body; empty where none does.
    public String place() {
        return place;
    }

    public int status() {
        return status;
    }

    public List<Header> headers() {
        return headers;
    }

    public Body body() {
        return body;
    }
}
