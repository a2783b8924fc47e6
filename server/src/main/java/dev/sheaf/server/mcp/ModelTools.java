package dev.sheaf.server.mcp;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The tools for models: `tools/call`. A model's mistake is reported in a result, which the model can read, not
/// in an error, which only the client program sees. Thread-safe.
public final class ModelTools {
    private static final Set<String> NAMES = Set.of("search_bundles", "get_bundle", "list_versions", "read_file");
    private static final JsonNode NOTHING = Json.read(new byte[] {'{', '}'});

    private final BundleTools bundles;
    private final FileTool files;

    public ModelTools(BundleTools bundles, FileTool files) {
        this.bundles = bundles;
        this.files = files;
    }

    static MethodResult list(ProtocolGeneration era, RpcMessage message) {
        ListCursor.of("tools").key(message.cursor());
        return new MethodResult(
                CacheLifetime.FIXED.on(era, MethodResult.members("tools", ToolList.ALL), true),
                ToolList.ALL.json().length());
    }

    /// @throws RpcError if the tool does not exist
    MethodResult call(Call call, RpcMessage message) {
        String name = message.required("name");
        if (!NAMES.contains(name)) {
            throw RpcError.params("the tool " + Quoted.of(name) + " does not exist; tools/list lists the tools");
        }
        JsonNode arguments = message.params().get("arguments");
        if (arguments != null && !arguments.isObject()) {
            throw RpcError.params("\"arguments\" must be an object");
        }
        var fields = RequestFields.of(arguments == null ? NOTHING : arguments);
        try {
            return switch (name) {
                case "search_bundles" -> told(call, bundles.search(fields));
                case "get_bundle" -> told(call, bundles.bundle(call, fields));
                case "list_versions" -> told(call, bundles.versions(call, fields));
                default -> files.read(call, fields);
            };
        } catch (RpcError e) {
            return failed(e.words());
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Service || e.problem() instanceof Problem.PayloadTooLarge) {
                throw e;
            }
            return failed(words(e.problem()));
        }
    }

    private static String words(Problem problem) {
        return problem instanceof Problem.ValidationFailed failed
                ? failed.errors().stream().map(Problem.FieldError::detail).collect(Collectors.joining("; "))
                : JsonRpcReplies.words(problem);
    }

    static MethodResult failed(String words) {
        return MethodResult.of(MethodResult.members(
                "content", List.of(MethodResult.members("type", "text", "text", words)), "isError", true));
    }

    /// Returns data for programs, and the same as text for models.
    private static MethodResult told(Call call, Map<String, Object> data) {
        byte[] json = Json.write(data);
        call.borrow("the answer", json.length, 4);
        String text = shown(new String(json, StandardCharsets.UTF_8));
        call.borrow("the escaped characters", Math.max(0, text.length() - json.length), 4);
        var content = List.of(MethodResult.members("type", "text", "text", text));
        return new MethodResult(
                MethodResult.members(
                        "content", content, "structuredContent", new JsonRpcReplies.Raw(text), "isError", false),
                2L * text.length());
    }

    /// Escapes characters that are invisible or control a terminal. JSON allows escapes for any character.
    private static String shown(String json) {
        if (json.codePoints().noneMatch(ModelTools::isUnshowable)) {
            return json;
        }
        var escaped = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if (isUnshowable(c)) {
                Character.toString(c).chars().mapToObj("\\u%04x"::formatted).forEach(escaped::append);
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }

    private static boolean isUnshowable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    static int limit(RequestFields fields, int usual, int most) {
        Long limit = fields.count("limit");
        if (limit != null && limit < 1) {
            fields.error("limit", "range", "must be 1 to " + most);
        }
        return limit == null ? usual : (int) Math.min(limit, most);
    }
}
