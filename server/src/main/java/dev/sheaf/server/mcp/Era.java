package dev.sheaf.server.mcp;

import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.http.message.Call;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// By which of the two sorts of revisions a message is answered.
enum Era {
    /// Each request stands for itself, and repeats in its headers what proxies are to see (2026-07-28).
    STATELESS,
    /// A client begins with `initialize`, and then says nothing of itself.
    OLDER;

    static final String PREFIX = "io.modelcontextprotocol/";

    private static final String VERSION = "MCP-Protocol-Version";
    private static final String METHOD = "Mcp-Method";
    private static final String NAME = "Mcp-Name";
    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    /// Which parameter the header of the name repeats.
    private static final Map<String, String> NAMED =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    /// @throws RpcError where headers and message do not agree, or the revision is not spoken
    static Era of(Call call, RpcMessage message) {
        if (message.method().equals("initialize")) {
            return OLDER; // which agrees on a revision by itself
        }
        var header = single(call, VERSION);
        JsonNode said = message.meta(PREFIX + "protocolVersion");
        if (said == null && header.map(Versions.OLDER::contains).orElse(true)) {
            return OLDER;
        }
        if (!message.isRequest()) {
            return STATELESS; // the revision asks nothing of the headers of notifications
        }
        if (said == null && header.filter(Versions.STATELESS::equals).isEmpty()) {
            throw RpcError.version(shown(header.orElse("")));
        }
        if (said == null || !said.isString()) {
            throw RpcError.incomplete(
                    "\"_meta\" of the parameters must have \"" + PREFIX + "protocolVersion\", a text");
        }
        agree(VERSION, header, said.stringValue());
        if (Versions.OLDER.contains(said.stringValue())) {
            return OLDER;
        }
        if (!said.stringValue().equals(Versions.STATELESS)) {
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
            agree(NAME, single(call, NAME).map(Era::plain), message.required(parameter));
        }
    }

    /// The value of a header that may stand there once.
    private static Optional<String> single(Call call, String name) {
        List<String> values = call.headers(name);
        if (values.size() > 1) {
            throw RpcError.headers("the header " + name + " is there more than once");
        }
        return values.stream().findFirst().map(String::strip);
    }

    private static void agree(String name, Optional<String> header, String said) {
        if (header.isEmpty()) {
            throw RpcError.headers("the header " + name + " is missing; it repeats what the message says");
        }
        if (!header.get().equals(said)) {
            throw RpcError.headers(
                    "the header " + name + " says " + Quoted.of(header.get()) + ", and the message " + Quoted.of(said));
        }
    }

    /// What no header can hold stands there in base64.
    private static String plain(String value) {
        if (!value.startsWith(BEGIN) || !value.endsWith(END) || value.length() < BEGIN.length() + END.length()) {
            return value;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(value.substring(BEGIN.length(), value.length() - END.length()));
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw RpcError.headers("the header " + NAME + " is no text in base64");
        }
    }

    /// A stranger's word as it may be sent back.
    private static String shown(String word) {
        String quoted = Quoted.of(word);
        return quoted.substring(1, quoted.length() - 1);
    }
}
