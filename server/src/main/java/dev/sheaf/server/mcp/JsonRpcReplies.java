package dev.sheaf.server.mcp;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.ProblemJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Answers of JSON-RPC 2.0: results and errors.
final class JsonRpcReplies {
    private static final String HOW =
            "; have your client send the header \"Authorization: Bearer <API key>\" (docs/mcp.md says where each client has that setting)";

    /// The server's name in answers.
    static final Map<String, String> SERVER = Map.of(
            "name",
            "sheaf",
            "version",
            Objects.requireNonNullElse(JsonRpcReplies.class.getPackage().getImplementationVersion(), "development"));

    private JsonRpcReplies() {}

    /// JSON that is already serialized.
    record Raw(@JsonValue @JsonRawValue String json) {}

    /// @param size the approximate number of bytes; large answers wait for their turn to be written
    static Answer result(
            Call call, RpcMessage request, ProtocolGeneration era, Map<String, Object> members, long size) {
        var all = enveloped(request.id(), "result", completed(era, members));
        return Answer.ok(call.computed(size, budget -> new Json.Written(Json.write(all))));
    }

    /// Returns the result with the members that the stateless revision requires.
    private static Map<String, Object> completed(ProtocolGeneration era, Map<String, Object> members) {
        if (era == ProtocolGeneration.OLDER) {
            return members;
        }
        var all = new LinkedHashMap<String, Object>();
        all.put("resultType", "complete");
        all.putAll(members);
        all.put("_meta", Map.of(ProtocolGeneration.PREFIX + "serverInfo", SERVER));
        return all;
    }

    static Answer error(RpcError error, @Nullable JsonNode id) {
        var members = new LinkedHashMap<String, Object>();
        members.put("code", error.code());
        members.put("message", error.words());
        if (error.data() instanceof Object data) {
            members.put("data", data);
        }
        return Answer.json(error.status(), enveloped(id, "error", members));
    }

    private static Map<String, Object> enveloped(@Nullable JsonNode id, String name, Object content) {
        var all = new LinkedHashMap<String, Object>();
        all.put("jsonrpc", "2.0");
        if (id != null) {
            all.put("id", id);
        }
        all.put(name, content);
        return all;
    }

    /// Returns the answer to a request that failed as a whole: its status, and an error without an id.
    static Answer problem(Problem problem, Call call) {
        return problem(problem, call, null);
    }

    /// @param id the id of the request; null if it is not known
    static Answer problem(Problem problem, Call call, @Nullable JsonNode id) {
        int status = ProblemJson.status(problem);
        var error = new LinkedHashMap<String, Object>();
        error.put("code", code(problem, status));
        error.put("message", words(problem));
        error.put("data", data(problem, call));
        var answer = Answer.json(status, enveloped(id, "error", error))
                .with("Cache-Control", "private, no-store")
                .with("Vary", "Authorization");
        // the same headers as on other surfaces
        for (var header : ProblemJson.render(problem, call).headers()) {
            boolean isSet = answer.headers().stream().anyMatch(set -> set.name().equals(header.name()));
            answer = isSet ? answer : answer.with(header.name(), header.value());
        }
        return answer;
    }

    private static Map<String, Object> data(Problem problem, Call call) {
        return problem.throttle() instanceof Throttle throttle
                ? Map.of(
                        "problem",
                        ProblemJson.code(problem),
                        "throttle",
                        throttle.toString(),
                        "requestId",
                        call.requestId())
                : Map.of("problem", ProblemJson.code(problem), "requestId", call.requestId());
    }

    /// Returns the error code. The protocol reserves numbers around -32000; a problem without such a number
    /// gets its HTTP status.
    private static int code(Problem problem, int status) {
        return switch (problem) {
            case Problem.Internal ignored -> RpcError.INTERNAL;
            case Problem.Input ignored -> RpcError.NO_MESSAGE;
            default -> status;
        };
    }

    static String words(Problem problem) {
        return problem instanceof Problem.Unauthenticated refused
                ? refused.detail().replace(Authenticator.HOW, "") + HOW
                : problem.detail();
    }
}
