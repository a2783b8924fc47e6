package dev.sheaf.server.mcp;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.server.http.message.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A message of JSON-RPC 2.0 (sections 4 and 5) from a client.
///
/// @param id the id of a request: a string or a whole number; null for a notification or an answer
/// @param method empty if the message is an answer, although this server sends no requests
/// @param params an object; empty if there are no parameters
record RpcMessage(@Nullable JsonNode id, String method, JsonNode params) {
    private static final int LONGEST_ID = 256; // characters; it is sent back
    private static final int LONGEST_METHOD = 100;
    private static final JsonNode NOTHING = Json.read(new byte[] {'{', '}'});

    /// A JSON object that was read, but not yet checked.
    record Read(@Nullable JsonNode id, JsonNode object) {}

    /// @throws RpcError if it is not a single JSON object
    static Read read(byte[] bytes) {
        JsonNode document;
        try {
            document = Json.read(bytes);
        } catch (ProblemException e) {
            throw RpcError.noJson(e.problem().detail());
        }
        if (document.isArray()) {
            throw RpcError.noMessage("batches are not supported; send each message in a separate request");
        }
        if (!document.isObject()) {
            throw RpcError.noMessage(
                    "a message must be a JSON object with \"jsonrpc\", \"method\" and, if it is a request, \"id\"");
        }
        JsonNode id = document.get("id");
        return new Read(id != null && isId(id) ? id : null, document);
    }

    private static boolean isId(JsonNode id) {
        return id.isString()
                ? id.stringValue().length() <= LONGEST_ID && Unicode.isWellFormed(id.stringValue())
                : id.isIntegralNumber() && id.canConvertToLong();
    }

    /// @throws RpcError if the object is not a message
    static RpcMessage of(Read read) {
        var object = read.object();
        if (object.has("id") && read.id() == null) {
            throw RpcError.noMessage(
                    "\"id\" must be a string of at most " + LONGEST_ID + " characters, or a whole number");
        }
        if (!text(object, "jsonrpc").equals(Optional.of("2.0"))) {
            throw RpcError.noMessage("\"jsonrpc\" must be \"2.0\"");
        }
        if (!object.has("method") && (object.has("result") || object.has("error"))) {
            return new RpcMessage(null, "", NOTHING);
        }
        String method = text(object, "method")
                .filter(word -> !word.isEmpty() && word.length() <= LONGEST_METHOD)
                .orElseThrow(() -> RpcError.noMessage("\"method\" must be a string of 1 to " + LONGEST_METHOD
                        + " characters, such as \"tools/list\""));
        JsonNode params = object.get("params");
        if (params != null && !params.isObject()) {
            throw RpcError.noMessage("\"params\" must be an object");
        }
        return new RpcMessage(read.id(), method, params == null ? NOTHING : params);
    }

    private static Optional<String> text(JsonNode object, String name) {
        JsonNode value = object.get(name);
        return value != null && value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }

    boolean isRequest() {
        return id != null;
    }

    boolean isAnswer() {
        return method.isEmpty();
    }

    /// Returns a string of the parameters; empty if it is missing or not a string.
    Optional<String> text(String name) {
        return text(params, name);
    }

    /// Returns a required string of the parameters.
    ///
    /// @throws RpcError if it is missing or not a string
    String required(String name) {
        return text(name)
                .orElseThrow(() -> RpcError.params(
                        "the parameter \"" + name + "\" of " + method + " is missing, or is not a string"));
    }

    /// Returns the cursor of a list; null for its beginning.
    ///
    /// @throws RpcError if the member is not a string
    @Nullable
    String cursor() {
        JsonNode cursor = params.get("cursor");
        return cursor == null || cursor.isNull() ? null : required("cursor");
    }

    /// Returns a member of `_meta`, which requests contain in addition to their parameters; null if it is
    /// missing.
    @Nullable
    JsonNode meta(String name) {
        JsonNode meta = params.get("_meta");
        return meta == null ? null : meta.get(name);
    }

    RpcError unknown(int status) {
        return RpcError.noMethod(status, "the method " + Quoted.of(method) + " does not exist here");
    }
}
