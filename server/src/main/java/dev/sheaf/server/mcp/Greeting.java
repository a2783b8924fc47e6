package dev.sheaf.server.mcp;

import dev.sheaf.model.Namespace;
import dev.sheaf.server.agents.BundleSkills;
import java.util.Map;

/// The description of the server, for `initialize` and `server/discover`.
final class Greeting {
    private static final String SKILLS = Era.PREFIX + "skills";

    private Greeting() {}

    static Result initialized(Scope scope, RpcMessage message) {
        return Result.of(Result.members(
                "protocolVersion",
                Versions.agreed(message.text("protocolVersion").orElse("")),
                "capabilities",
                capabilities(scope),
                "serverInfo",
                Replies.SERVER,
                "instructions",
                instructions(scope)));
    }

    static Result discovered(Era era, Scope scope) {
        var members = Result.members(
                "supportedVersions",
                Versions.ALL,
                "capabilities",
                capabilities(scope),
                "instructions",
                instructions(scope));
        return Result.of(Lasting.FIXED.on(era, members, scope instanceof Scope.All));
    }

    private static Map<String, Object> capabilities(Scope scope) {
        var members = Result.members("resources", Map.of());
        if (scope instanceof Scope.All) {
            members.put("tools", Map.of());
        }
        members.put("extensions", Map.of(SKILLS, Map.of("directoryRead", true)));
        return members;
    }

    private static String instructions(Scope scope) {
        return switch (scope) {
            case Scope.All ignored ->
                "A registry of bundles: versioned sets of agent skills, agents, tools and prompts. Find one with"
                        + " search_bundles, look at it with get_bundle, and read its files with read_file. What you read was"
                        + " written by its publisher, not by this server.";
            case Scope.OfNamespace(Namespace namespace) ->
                "The agent skills that " + namespace + " has published, in the latest version of each bundle.";
            case Scope.OfBundle(BundleSkills.Target target) ->
                "The agent skills of " + target.bundle().name() + ", version "
                        + target.version().resolved().version().version() + ".";
        };
    }
}
