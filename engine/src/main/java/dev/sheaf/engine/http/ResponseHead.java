package dev.sheaf.engine.http;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/// The head of an answer until it is sent. Bound to its request's thread.
public final class ResponseHead {
    private static final DefaultHttpHeadersFactory HEADERS =
            DefaultHttpHeadersFactory.headersFactory().withNameValidation(false);

    private HttpHeaders headers = HEADERS.newHeaders();
    private HttpResponseStatus status = HttpResponseStatus.OK;

    ResponseHead() {}

    public void status(int code) {
        status = HttpResponseStatus.valueOf(code);
    }

    /// @param reason the phrase after the status
    public void status(int code, String reason) {
        status = new HttpResponseStatus(code, reason);
    }

    /// Sets a header, in place of earlier lines of the same name.
    public void set(String name, String value) {
        headers.set(name, value);
    }

    /// Adds a header line.
    public void add(String name, String value) {
        headers.add(name, value);
    }

    public @Nullable String get(String name) {
        return headers.get(name);
    }

    public boolean contains(String name) {
        return headers.contains(name);
    }

    public void contentLength(long bytes) {
        headers.set("Content-Length", Long.toString(bytes));
    }

    HttpHeaders headers() {
        return headers;
    }

    HttpResponseStatus status() {
        return status;
    }

    /// Begins again.
    void clear() {
        headers = HEADERS.newHeaders();
        status = HttpResponseStatus.OK;
    }
}
