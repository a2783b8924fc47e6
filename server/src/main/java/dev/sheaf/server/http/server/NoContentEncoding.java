package dev.sheaf.server.http.server;

import io.helidon.http.Headers;
import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;

/// Disables the content codings of the HTTP library in both directions. An encoded request reaches
/// [Dispatcher], which refuses it with a body. [Coding] encodes answers.
final class NoContentEncoding implements ContentEncodingContext {
    @Override
    public boolean contentEncodingEnabled() {
        return false;
    }

    @Override
    public boolean contentDecodingEnabled() {
        return true;
    }

    @Override
    public boolean contentEncodingSupported(String encoding) {
        return false;
    }

    @Override
    public boolean contentDecodingSupported(String encoding) {
        return true;
    }

    @Override
    public ContentEncoder encoder(String encoding) {
        return ContentEncoder.NO_OP;
    }

    @Override
    public ContentDecoder decoder(String encoding) {
        return ContentDecoder.NO_OP;
    }

    @Override
    public ContentEncoder encoder(Headers headers) {
        return ContentEncoder.NO_OP;
    }

    @Override
    public ContentEncodingContextConfig prototype() {
        return ContentEncodingContextConfig.create();
    }
}
