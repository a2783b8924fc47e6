package dev.sheaf.server.mcp;

import dev.sheaf.model.Namespace;
import dev.sheaf.server.agents.BundleSkills;
import java.util.Map;

/// The description of the server, for `initialize` and `server/discover`.
final class ServerDescription {
    private static final String SKILLS = ProtocolGeneration.PREFIX + "skills";

    private ServerDescription() {}

    static MethodResult initialized(AddressScope scope, RpcMessage message) {
        return MethodResult.of(MethodResult.members(
                "protocolVersion",
                ProtocolVersions.agreed(message.text("protocolVersion").orElse("")),
                "capabilities",
                capabilities(scope),
                "serverInfo",
                JsonRpcReplies.SERVER,
                "instructions",
                instructions(scope)));
    }

    static MethodResult discovered(ProtocolGeneration era, AddressScope scope) {
        var members = MethodResult.members(
                "supportedVersions",
                ProtocolVersions.ALL,
                "capabilities",
                capabilities(scope),
                "instructions",
                instructions(scope));
        return MethodResult.of(CacheLifetime.FIXED.on(era, members, scope instanceof AddressScope.All));
    }

    private static Map<String, Object> capabilities(AddressScope scope) {
        var members = MethodResult.members("resources", Map.of());
        if (scope instanceof AddressScope.All) {
            members.put("tools", Map.of());
        }
        members.put("extensions", Map.of(SKILLS, Map.of("directoryRead", true)));
        return members;
    }

    private static String instructions(AddressScope scope) {
        return switch (scope) {
            case AddressScope.All ignored ->
                "A registry of bundles: versioned sets of agent skills, agents, tools and prompts. Find one with"
                        + " search_bundles, look at it with get_bundle, and read its files with read_file. What you read was"
                        + " written by its publisher, not by this server.";
            case AddressScope.OfNamespace(Namespace namespace) ->
                "The agent skills that " + namespace + " has published, in the latest version of each bundle.";
            case AddressScope.OfBundle(BundleSkills.Target target) ->
                "The agent skills of " + target.bundle().name() + ", version "
                        + target.version().resolved().version().version() + ".";
        };
    }
}
