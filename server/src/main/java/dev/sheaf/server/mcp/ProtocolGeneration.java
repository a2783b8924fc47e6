package dev.sheaf.server.mcp;

import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.server.http.message.Call;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The two kinds of revisions of the protocol.
enum ProtocolGeneration {
    /// Each request is independent, and repeats in its headers the values that proxies need (2026-07-28).
    STATELESS,
    /// A client begins with `initialize`, and its later requests rely on it.
    OLDER;

    static final String PREFIX = "io.modelcontextprotocol/";

    private static final String VERSION = "MCP-Protocol-Version";
    private static final String METHOD = "Mcp-Method";
    private static final String NAME = "Mcp-Name";
    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    /// The parameter that the header `Mcp-Name` repeats, by method.
    private static final Map<String, String> NAMED =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    /// @throws RpcError if headers and message differ, or the revision is not supported
    static ProtocolGeneration of(Call call, RpcMessage message) {
        if (message.method().equals("initialize")) {
            return OLDER; // this method negotiates the revision
        }
        var header = single(call, VERSION);
        JsonNode said = message.meta(PREFIX + "protocolVersion");
        if (said == null && header.map(ProtocolVersions.OLDER::contains).orElse(true)) {
            return OLDER;
        }
        if (!message.isRequest()) {
            return STATELESS; // the revision has no rules for the headers of notifications
        }
        if (said == null && header.filter(ProtocolVersions.STATELESS::equals).isEmpty()) {
            throw RpcError.version(shown(header.orElse("")));
        }
        if (said == null || !said.isString()) {
            throw RpcError.incomplete(
                    "\"_meta\" of the parameters must have \"" + PREFIX + "protocolVersion\", a string");
        }
        agree(VERSION, header, said.stringValue());
        if (ProtocolVersions.OLDER.contains(said.stringValue())) {
            return OLDER;
        }
        if (!said.stringValue().equals(ProtocolVersions.STATELESS)) {
            throw RpcError.version(shown(said.stringValue()));
        }
        check(call, message);
        return STATELESS;
    }

    private static void check(Call call, RpcMessage message) {
        JsonNode capabilities = message.meta(PREFIX + "clientCapabilities");
        if (capabilities == null || !capabilities.isObject()) {
            throw RpcError.incomplete(
                    "\"_meta\" of the parameters must have \"" + PREFIX + "clientCapabilities\", an object");
        }
        agree(METHOD, single(call, METHOD), message.method());
        String parameter = NAMED.get(message.method());
        if (parameter != null && message.text(parameter).isPresent()) {
            agree(NAME, single(call, NAME).map(ProtocolGeneration::plain), message.required(parameter));
        }
    }

    /// Returns the value of a header that may be sent only once.
    private static Optional<String> single(Call call, String name) {
        List<String> values = call.headers(name);
        if (values.size() > 1) {
            throw RpcError.headers("the header " + name + " was sent more than once");
        }
        return values.stream().findFirst().map(String::strip);
    }

    private static void agree(String name, Optional<String> header, String said) {
        if (header.isEmpty()) {
            throw RpcError.headers("the header " + name + " is missing; it must repeat the value in the message");
        }
        if (!header.get().equals(said)) {
            throw RpcError.headers("the header " + name + " says " + Quoted.of(header.get()) + ", but the message says "
                    + Quoted.of(said));
        }
    }

    /// Decodes a value in base64. Clients send values in base64 if a header cannot contain them.
    private static String plain(String value) {
        if (!value.startsWith(BEGIN) || !value.endsWith(END) || value.length() < BEGIN.length() + END.length()) {
            return value;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(value.substring(BEGIN.length(), value.length() - END.length()));
            return Utf8Text.of(bytes).orElseThrow(IllegalArgumentException::new);
        } catch (IllegalArgumentException e) {
            throw RpcError.headers("the header " + NAME + " is not UTF-8 in base64");
        }
    }

    /// Limits a client's text, so that it can be sent back safely.
    private static String shown(String word) {
        String quoted = Quoted.of(word);
        return quoted.substring(1, quoted.length() - 1);
    }
}
