package dev.sheaf.server.mcp;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
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

    private final ReadableBundles shelf;
    private final SkillMethods skills;
    private final ModelTools tools;

    public McpApi(ReadableBundles shelf, SkillMethods skills, ModelTools tools) {
        this.shelf = shelf;
        this.skills = skills;
        this.tools = tools;
    }

    /// Returns the surface. It also accepts keys as passwords, because some agent programs need that.
    public RouteSurface surface() {
        var routes = List.of(route(""), route("/{namespace}"), route("/{namespace}/{bundle}"));
        return new RouteSurface(
                ROOT, path -> PATH.matcher(path).matches(), true, false, JsonRpcReplies::problem, routes);
    }

    /// Creates a route. Each message counts as content, because clients read the files of skills one by one;
    /// messages that do more count as a read besides.
    private Route route(String rest) {
        return new Route(POST, ROOT + rest, RoutePermission.PUBLIC_READ, this::post).costing(RequestCost.CONTENT);
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
            return JsonRpcReplies.error(e, null);
        }
        try {
            return answered(call, scope, RpcMessage.of(read));
        } catch (RpcError e) {
            return JsonRpcReplies.error(e, read.id());
        } catch (ProblemException e) {
            call.refusedFor(e.problem());
            return JsonRpcReplies.problem(e.problem(), call, read.id());
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

    private Answer answered(Call call, AddressScope scope, RpcMessage message) {
        var era = ProtocolGeneration.of(call, message);
        if (message.isAnswer()) {
            if (era == ProtocolGeneration.STATELESS) {
                throw RpcError.noMessage(
                        "this is an answer to a request that the server never sent; send requests only");
            }
            return Answer.empty(202);
        }
        if (!message.isRequest()) {
            return Answer.empty(202);
        }
        var result = result(call, era, scope, message);
        return JsonRpcReplies.result(call, message, era, result.members(), result.size());
    }

    private MethodResult result(Call call, ProtocolGeneration era, AddressScope scope, RpcMessage message) {
        boolean stateless = era == ProtocolGeneration.STATELESS;
        if (!OF_ONE_FILE.contains(message.method())) {
            call.count(RequestCost.READ);
        }
        return switch (message.method()) {
            case "initialize" -> ServerDescription.initialized(scope, message);
            case "server/discover" -> {
                if (!stateless) {
                    throw message.unknown(200); // clients recognize the revision by this error
                }
                yield ServerDescription.discovered(era, scope);
            }
            case "ping" -> MethodResult.of(Map.of());
            case "tools/list" ->
                scope instanceof AddressScope.All ? ModelTools.list(era, message) : none(era, message, "tools");
            case "tools/call" -> {
                if (!(scope instanceof AddressScope.All)) {
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
    private static MethodResult none(ProtocolGeneration era, RpcMessage message, String name) {
        ListCursor.of(name).key(message.cursor());
        return MethodResult.of(CacheLifetime.FIXED.on(era, MethodResult.members(name, List.of()), true));
    }
}
