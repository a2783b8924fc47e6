package dev.sheaf.server.http.message;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.entity.EntityTag;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The answer of a handler. Immutable; nothing is sent before the handler has returned.
public final class Answer {
    /// A header line.
    public record Header(String name, String value) {}

    /// Writes a body. Runs at most once, on the request's thread. For HEAD it runs only if the content may be
    /// compressed.
    public interface Writer {
        void writeTo(OutputStream out) throws IOException;
    }

    /// Writes bytes that are in memory until they are sent.
    ///
    /// @param bytes not copied; must not be modified
    public record Held(byte[] bytes) implements Writer {
        @Override
        public void writeTo(OutputStream out) throws IOException {
            out.write(bytes);
        }
    }

    /// A wait for something, such as an event. Bound to its request.
    public interface Waiting extends AutoCloseable {
        /// Waits until it is worth continuing. The stack should be shallow during the wait, because many
        /// requests may wait.
        void await();

        @Override
        void close();
    }

    /// Content that is produced in steps with waits between them, and whose end is unknown.
    public interface Steps extends Waiting {
        /// Writes what is available. Called when the answer begins and after each wait.
        ///
        /// @return false at the end of the content
        boolean writeTo(OutputStream out) throws IOException;
    }

    /// The body of an answer.
    public sealed interface Body {
        record None() implements Body {}

        /// A record to be written as JSON. Gets a strong ETag if the status is 200.
        ///
        /// @param repeated the answer to a repetition of the request; contains no secrets
        record Json(Object value, String mediaType, Object repeated) implements Body {
            public boolean isSecret() {
                return repeated != value;
            }
        }

        /// Content that is written piece by piece.
        ///
        /// @param length the length in bytes, or [#UNKNOWN]
        /// @param packs whether it may be compressed, such as with gzip, if the client accepts that
        record Content(String mediaType, long length, Writer writer, boolean packs) implements Body {
            public static final long UNKNOWN = -1;

            public Content(String mediaType, long length, Writer writer) {
                this(mediaType, length, writer, false);
            }
        }

        /// Content that is written as events happen.
        record Live(String mediaType, Steps steps) implements Body {}

        /// A body that is not known yet.
        ///
        /// @param then returns the answer after the wait; it may be another wait
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

    /// Actions besides sending.
    ///
    /// @param atItsEnd runs just before the last piece is sent
    /// @param undo runs if the answer cannot be sent
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

    /// Returns 201 with the address of the created resource.
    public static Answer created(String location, Object json) {
        return json(201, json).with("Location", location);
    }

    public static Answer json(int status, Object value) {
        return new Answer(status, List.of(), new Body.Json(value, "application/json", value));
    }

    public static Answer json(int status, Object value, String mediaType) {
        return new Answer(status, List.of(), new Body.Json(value, mediaType, value));
    }

    /// Returns the answer of a request that may have waited. nginx passes it on at once.
    public Answer unbuffered() {
        return with("X-Accel-Buffering", "no");
    }

    /// Returns 201 with the address of the created resource and with a secret that is shown only once.
    ///
    /// @param repeated the same record without the secret, for a repetition of the request
    public static Answer createdSecret(String location, Object json, Object repeated) {
        return new Answer(201, List.of(), new Body.Json(json, "application/json", repeated))
                .with("Location", location)
                .with("Cache-Control", "no-store");
    }

    /// Returns 200 with a secret that is shown only once.
    ///
    /// @param repeated the same record without the secret, for a repetition of the request
    public static Answer secret(Object json, Object repeated) {
        return new Answer(200, List.of(), new Body.Json(json, "application/json", repeated))
                .with("Cache-Control", "no-store");
    }

    /// Returns an answer without a body.
    public static Answer empty(int status) {
        return new Answer(status, List.of(), NONE);
    }

    public static Answer bytes(int status, String mediaType, byte[] bytes) {
        return content(status, mediaType, bytes.length, new Held(bytes));
    }

    /// Returns 200 with a whole document and its ETag.
    public static Answer document(String mediaType, byte[] bytes) {
        return document(mediaType, bytes, Digest.sha256(bytes));
    }

    /// Returns 200 with a whole document whose digest is known.
    public static Answer document(String mediaType, byte[] bytes, Digest digest) {
        return bytes(200, mediaType, bytes).with("ETag", EntityTag.of(digest));
    }

    /// Returns 200 with content of unknown length.
    public static Answer stream(String mediaType, Writer writer) {
        return new Answer(200, List.of(), new Body.Content(mediaType, Body.Content.UNKNOWN, writer));
    }

    /// Returns 200 with content that is written as events happen.
    public static Answer live(String mediaType, Steps steps) {
        return new Answer(200, List.of(), new Body.Live(mediaType, steps));
    }

    /// Returns an answer that is known after a wait.
    public static Answer later(Waiting waiting, Supplier<Answer> then) {
        return new Answer(0, List.of(), new Body.Later(waiting, then));
    }

    public static Answer content(int status, String mediaType, long length, Writer writer) {
        return new Answer(status, List.of(), new Body.Content(mediaType, length, writer));
    }

    /// Returns how many bytes of the body are in memory until they are sent. For JSON, that is known once it is
    /// written.
    public long held() {
        return body instanceof Body.Content content && content.writer() instanceof Held held ? held.bytes.length : 0;
    }

    /// Returns the same answer with one more header line.
    public Answer with(String name, String value) {
        return with(List.of(new Header(name, value)));
    }

    /// Returns the same answer with more header lines; cheaper than adding them one by one.
    public Answer with(List<Header> lines) {
        var more = new ArrayList<Header>(headers.size() + lines.size());
        more.addAll(headers);
        more.addAll(lines);
        return new Answer(status, reason, List.copyOf(more), body, place, sending);
    }

    /// Returns the same answer, marked as having the body of a GET of `path`. A repeated request then reads that
    /// path instead of a stored copy.
    ///
    /// @param path a path of this API, encoded
    public Answer readAt(String path) {
        return new Answer(status, reason, headers, body, path, sending);
    }

    /// Returns the same answer with its JSON already written; for answers without secrets.
    public Answer written(Json.Written json) {
        var body = this.body instanceof Body.Json its ? new Body.Json(json, its.mediaType(), json) : this.body;
        return new Answer(status, reason, headers, body, place, sending);
    }

    /// Returns the same answer, compressed if the client accepts that. Only for texts that fit into memory. Not
    /// for an answer that contains both a secret and input from others: its compressed length would reveal the
    /// secret.
    public Answer packed() {
        var packed = body instanceof Body.Content its && its.length() != Body.Content.UNKNOWN
                ? new Body.Content(its.mediaType(), its.length(), its.writer(), true)
                : body;
        return new Answer(status, reason, headers, packed, place, sending);
    }

    /// Returns the same answer with its own reason phrase (RFC 9112, section 4), which some clients show
    /// instead of the body.
    public Answer saying(String words) {
        return new Answer(status, words, headers, body, place, sending);
    }

    /// Returns the same answer with an action that runs once, just before the last piece of the body is sent.
    /// It does not run for HEAD, for 304, or if the caller is refused. Only for content of known length.
    public Answer sending(Runnable done) {
        return new Answer(status, reason, headers, body, place, new Sending(done, sending.undo()));
    }

    /// Returns the same answer with an action that undoes the handler's work if the answer cannot be sent. It
    /// runs only if the connection breaks before or during the sending.
    public Answer undoneBy(Runnable undo) {
        return new Answer(status, reason, headers, body, place, new Sending(sending.atItsEnd(), undo));
    }

    /// Returns whether the handler's work is undone if the answer cannot be sent.
    public boolean mustArrive() {
        return sending.undo() != NOTHING;
    }

    /// Returns the action that undoes the handler's work.
    public Runnable undone() {
        return sending.undo();
    }

    public Runnable atItsEnd() {
        return sending.atItsEnd();
    }

    /// Returns the reason phrase; empty for the usual one.
    public String reason() {
        return reason;
    }

    /// Returns the path whose GET has the same body; empty if there is none.
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
