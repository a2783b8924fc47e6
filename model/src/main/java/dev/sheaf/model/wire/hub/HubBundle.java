package dev.sheaf.model.wire.hub;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A bundle in the hub (contract 3.8, HubDetail). In lists, the members from `description` to
/// `readmeFormat` and from `loadCommand` to `versions` are absent.
///
/// @param summary the beginning of the description; empty if there is no description
/// @param bundleType `plugin` for a plugin; else the kind of its assets if they have the same kind, `collection` if
/// they have several kinds, otherwise `mcp`, `config` or `other`
/// @param tags the bundle's keywords, without keywords that name a capability
/// @param isSigned whether the latest version has a signature; the registry has not verified it
/// @param findings the number of findings of the latest version: of its passport from medium on, and of the content
/// checks
/// @param findingCodes the passport's rules and the codes of the checks
/// @param worstFinding the severity of the worst: `medium` or `high`; null if there is none
/// @param skillsCount the number of skills that clients can install
/// @param tools the tools that the skills ask for, without arguments
/// @param replacement what to use instead of a deprecated bundle
/// @param yankedVersion the highest version above the latest one that is yanked; null if there is none
/// @param mcpServers the MCP servers of a plugin, at most 5
/// @param readExtent how much of the latest version was read for the findings: `whole`, `part` (a large file or an
/// archive was not read to its end), or `none` yet; null from an older registry
/// @param versions the published versions that are not yanked, newest first, at most 200
/// @param scripts whether the latest version has something that runs: `some` or `none`; null if it was not read
public record HubBundle(
        UUID id,
        HubPublisher publisher,
        String slug,
        String displayName,
        String summary,
        List<String> assetTypes,
        String bundleType,
        List<String> tags,
        List<String> capabilities,
        @Nullable String license,
        String latestVersion,
        long starsCount,
        long downloadsTotal,
        long downloads30d,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String description,
        @Nullable String repositoryUrl,
        @Nullable String homepageUrl,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        @Nullable Boolean isDeprecated,
        @Nullable String loadCommand,
        @Nullable String installCommand,
        @Nullable List<Version> versions,
        boolean isSigned,
        int findings,
        List<String> findingCodes,
        @Nullable String worstFinding,
        int skillsCount,
        List<String> tools,
        @Nullable String replacement,
        @Nullable String yankedVersion,
        List<Server> mcpServers,
        @Nullable String readExtent,
        @Nullable String scripts) {
    public HubBundle {
        findingCodes = findingCodes == null ? List.of() : List.copyOf(findingCodes); // an older registry has none
        tools = tools == null ? List.of() : List.copyOf(tools);
        mcpServers = mcpServers == null ? List.of() : List.copyOf(mcpServers);
    }

    /// An MCP server of a plugin.
    ///
    /// @param runs its command with arguments, or its address; untrusted, at most 120 characters
    public record Server(String name, String runs) {}

    /// A version in [#versions].
    public record Version(
            String version,
            Instant publishedAt,
            boolean isDeprecated,
            @Nullable String deprecatedMessage) {}
}
