package dev.sheaf.server.mcp;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.server.http.message.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A message of JSON-RPC 2.0 (sections 4 and 5) as a client sends it.
///
/// @param id of a request: a text or a whole number; null: it wants no answer
/// @param method empty: it is an answer, to a question that nobody asked here
/// @param params an object, empty where there are none
record RpcMessage(@Nullable JsonNode id, String method, JsonNode params) {
    private static final int LONGEST_ID = 256; // characters; it is sent back
    private static final int LONGEST_METHOD = 100;
    private static final JsonNode NOTHING = Json.read(new byte[] {'{', '}'});

    /// What the bytes hold, as far as that is one message.
    record Read(@Nullable JsonNode id, JsonNode object) {}

    /// @throws RpcError where it is no single JSON object
    static Read read(byte[] bytes) {
        JsonNode document;
        try {
            document = Json.read(bytes);
        } catch (ProblemException e) {
            throw RpcError.noJson(e.problem().detail());
        }
        if (document.isArray()) {
            throw RpcError.noMessage("messages come one by one here; send each in a request of its own");
        }
        if (!document.isObject()) {
            throw RpcError.noMessage(
                    "a message is a JSON object with \"jsonrpc\", \"method\" and, of a request, \"id\"");
        }
        JsonNode id = document.get("id");
        return new Read(id != null && isId(id) ? id : null, document);
    }

    private static boolean isId(JsonNode id) {
        return id.isString()
                ? id.stringValue().length() <= LONGEST_ID && Unicode.isWellFormed(id.stringValue())
                : id.isIntegralNumber() && id.canConvertToLong();
    }

    /// @throws RpcError where the object is no message
    static RpcMessage of(Read read) {
        var object = read.object();
        if (object.has("id") && read.id() == null) {
            throw RpcError.noMessage("\"id\" is a text of at most " + LONGEST_ID + " characters, or a whole number");
        }
        if (!text(object, "jsonrpc").equals(Optional.of("2.0"))) {
            throw RpcError.noMessage("\"jsonrpc\" must be \"2.0\"");
        }
        if (!object.has("method") && (object.has("result") || object.has("error"))) {
            return new RpcMessage(null, "", NOTHING);
        }
        String method = text(object, "method")
                .filter(word -> !word.isEmpty() && word.length() <= LONGEST_METHOD)
                .orElseThrow(() -> RpcError.noMessage(
                        "\"method\" must be a text of 1 to " + LONGEST_METHOD + " characters, such as \"tools/list\""));
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

    /// A text of the parameters; empty where it is missing or none.
    Optional<String> text(String name) {
        return text(params, name);
    }

    /// A text that must be there.
    ///
    /// @throws RpcError where it is not
    String required(String name) {
        return text(name)
                .orElseThrow(() ->
                        RpcError.params("the parameter \"" + name + "\" of " + method + " is missing, or is no text"));
    }

    /// Where a list is to go on; null: at its beginning.
    ///
    /// @throws RpcError where the member is no text
    @Nullable
    String cursor() {
        JsonNode cursor = params.get("cursor");
        return cursor == null || cursor.isNull() ? null : required("cursor");
    }

    /// A member of what comes with each request beside its parameters; null where it is missing.
    @Nullable
    JsonNode meta(String name) {
        JsonNode meta = params.get("_meta");
        return meta == null ? null : meta.get(name);
    }

    RpcError unknown(int status) {
        return RpcError.noMethod(status, "there is no method " + Quoted.of(method) + " here");
    }
}
