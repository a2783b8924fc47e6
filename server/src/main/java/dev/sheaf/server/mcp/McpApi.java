package dev.sheaf.server.mcp;

import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Need;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The protocol over "Streamable HTTP": a POST for each message, answered with JSON; no streams, no sessions.
public final class McpApi {
    private static final String ROOT = "/mcp";
    private static final Pattern PATH = Pattern.compile("/mcp(?:/[^/]*){0,2}");
    private static final long LONGEST = 1 << 20;
    private static final Set<String> OF_ONE_FILE =
            Set.of("resources/read", "resources/directory/read", "skills/get", "ping");
    private static final String JSON = "application/json";

    private final Shelf shelf;
    private final SkillMethods skills;
    private final Tools tools;

    public McpApi(Shelf shelf, SkillMethods skills, Tools tools) {
        this.shelf = shelf;
        this.skills = skills;
        this.tools = tools;
    }

    /// Returns the surface. It also accepts keys as passwords, because some agent programs need that.
    public Surface surface() {
        var routes = List.of(route(""), route("/{namespace}"), route("/{namespace}/{bundle}"));
        return new Surface(ROOT, path -> PATH.matcher(path).matches(), true, false, Replies::problem, routes);
    }

    /// Creates a route. Each message counts as content, because clients read the files of skills one by one;
    /// messages that do more count as a read besides.
    private Route route(String rest) {
        return new Route(POST, ROOT + rest, Need.PUBLIC_READ, this::post).costing(Cost.CONTENT);
    }

    private Answer post(Call call) {
        call.exchange().limit();
        checkOrigin(call);
        checkType(call);
        var scope = shelf.scope(call);
        byte[] body = call.bytes("the message", LONGEST);
        RpcMessage.Read read;
        try {
            read = call.parsed("the message", body, RpcMessage::read);
        } catch (RpcError e) {
            return Replies.error(e, null);
        }
        try {
            return answered(call, scope, RpcMessage.of(read));
        } catch (RpcError e) {
            return Replies.error(e, read.id());
        } catch (ProblemException e) {
            call.refusedFor(e.problem());
            return Replies.problem(e.problem(), call, read.id());
        }
    }

    /// Prevents pages of other sites from using a browser to read its user's content.
    private static void checkOrigin(Call call) {
        var allowed = call.cors().origins();
        boolean isFine = call.headers("Origin").stream()
                .allMatch(origin -> origin.equals(call.baseUrl()) || allowed.contains(origin) || allowed.contains("*"));
        if (!isFine) {
            throw new Problem.Forbidden("pages of this origin may not send requests; the registry's operator can add"
                            + " the origin to the setting cors-origins")
                    .raise();
        }
    }

    private static void checkType(Call call) {
        String type = call.header("Content-Type").orElse(JSON);
        if (!type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON)) {
            throw new Problem.UnsupportedMediaType("Content-Type", type, JSON).raise();
        }
    }

    private Answer answered(Call call, Scope scope, RpcMessage message) {
        var era = Era.of(call, message);
        if (message.isAnswer()) {
            if (era == Era.STATELESS) {
                throw RpcError.noMessage(
                        "this is an answer to a request that the server never sent; send requests only");
            }
            return Answer.empty(202);
        }
        if (!message.isRequest()) {
            return Answer.empty(202);
        }
        var result = result(call, era, scope, message);
        return Replies.result(call, message, era, result.members(), result.size());
    }

    private Result result(Call call, Era era, Scope scope, RpcMessage message) {
        boolean stateless = era == Era.STATELESS;
        if (!OF_ONE_FILE.contains(message.method())) {
            call.count(Cost.READ);
        }
        return switch (message.method()) {
            case "initialize" -> Greeting.initialized(scope, message);
            case "server/discover" -> {
                if (!stateless) {
                    throw message.unknown(200); // clients recognize the revision by this error
                }
                yield Greeting.discovered(era, scope);
            }
            case "ping" -> Result.of(Map.of());
            case "tools/list" -> scope instanceof Scope.All ? Tools.list(era, message) : none(era, message, "tools");
            case "tools/call" -> {
                if (!(scope instanceof Scope.All)) {
                    throw RpcError.params("this address has no tools; the tools of the registry are at " + ROOT);
                }
                yield tools.call(call, message);
            }
            case "prompts/list" -> none(era, message, "prompts");
            case "resources/list" -> skills.resources(call, era, scope, message);
            case "resources/templates/list" -> SkillMethods.templates(era, message);
            case "resources/read" -> skills.read(call, era, scope, message);
            case "resources/directory/read" -> skills.folder(call, era, scope, message);
            case "skills/list" -> skills.list(call, era, scope, message);
            case "skills/get" -> skills.get(call, era, scope, message);
            default -> throw message.unknown(stateless ? 404 : 200);
        };
    }

    /// Returns an empty list, for clients that ask for lists of kinds that this server does not have.
    private static Result none(Era era, RpcMessage message, String name) {
        Cursor.of(name).key(message.cursor());
        return Result.of(Lasting.FIXED.on(era, Result.members(name, List.of()), true));
    }
}
