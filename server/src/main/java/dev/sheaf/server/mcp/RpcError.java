package dev.sheaf.server.mcp;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An error that answers a message (JSON-RPC 2.0, section 5.1).
final class RpcError extends RuntimeException {
    private static final long serialVersionUID = 1;

    static final int NO_JSON = -32700;
    static final int NO_MESSAGE = -32600;
    static final int NO_METHOD = -32601;
    static final int WRONG_PARAMS = -32602;
    static final int INTERNAL = -32603;
    static final int HEADERS = -32020;
    static final int VERSION = -32022;

    private final int status;
    private final int code;
    private final String words;
    private final transient @Nullable Object data;

    private RpcError(int status, int code, String words, @Nullable Object data) {
        super(words, null, false, false);
        this.status = status;
        this.code = code;
        this.words = words;
        this.data = data;
    }

    static RpcError noJson(String words) {
        return new RpcError(400, NO_JSON, words, null);
    }

    static RpcError noMessage(String words) {
        return new RpcError(400, NO_MESSAGE, words, null);
    }

    /// Returns an error of the stateless revision: headers and message differ.
    static RpcError headers(String words) {
        return new RpcError(400, HEADERS, words, null);
    }

    static RpcError version(String requested) {
        return new RpcError(
                400,
                VERSION,
                "this revision of the protocol is not supported; choose one of "
                        + String.join(", ", ProtocolVersions.ALL),
                Map.of("supported", List.copyOf(ProtocolVersions.ALL), "requested", requested));
    }

    /// Returns an error of the stateless revision: a required member is missing.
    static RpcError incomplete(String words) {
        return new RpcError(400, WRONG_PARAMS, words, null);
    }

    /// @param status the HTTP status: 404 in the stateless revision, 200 in older ones
    static RpcError noMethod(int status, String words) {
        return new RpcError(status, NO_METHOD, words, null);
    }

    static RpcError params(String words) {
        return new RpcError(200, WRONG_PARAMS, words, null);
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }

    String words() {
        return words;
    }

    @Nullable
    Object data() {
        return data;
    }
}
