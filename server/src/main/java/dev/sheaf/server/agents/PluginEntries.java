package dev.sheaf.server.agents;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sheaf.model.Problem;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.check.GitContent;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.skill.ClaudePlugin;
import dev.sheaf.server.skill.ClaudePlugins;
import dev.sheaf.server.skill.SkillArchives;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Serves versions as Claude Code plugins: their marketplace entries and their archives.
public final class PluginEntries {
    private final BundleSkills found;
    private final ClaudePlugins plugins;
    private final SkillArchives archives;
    private final AssetBytes contents;
    private final PullCounts downloads;

    public PluginEntries(
            BundleSkills found,
            ClaudePlugins plugins,
            SkillArchives archives,
            AssetBytes contents,
            PullCounts downloads) {
        this.found = found;
        this.plugins = plugins;
        this.archives = archives;
        this.contents = contents;
        this.downloads = downloads;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/{namespace}/{bundle}/plugin.zip", RoutePermission.PUBLIC_READ, this::archive));
    }

    /// @param strict true if the plugin has its own manifest, so that this entry does not list its components
    /// @param skills folders of skills that Claude Code would not find by itself
    record Entry(
            String name,
            @Nullable String description,
            String version,
            boolean strict,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> skills,
            Source source) {}

    /// The place that a plugin is installed from.
    sealed interface Source {
        String source();
    }

    /// An archive. Claude Code accepts it only over https, and not from a loopback address.
    record Archive(String source, String url, String sha256) implements Source {}

    record Git(String source, String url, String ref) implements Source {}

    /// Returns the entry of a version. Empty if it is not a plugin, or if the registry has no https address and
    /// the version contains files that git refuses.
    Optional<Entry> of(BundleSkills.Target target, Call call) {
        return plugins.of(target.bundle(), target.version().resolved())
                .flatMap(plugin -> source(target, plugin, call).map(source -> entry(target, plugin, source)));
    }

    private static Entry entry(BundleSkills.Target target, ClaudePlugin plugin, Source source) {
        var bundle = target.bundle();
        return new Entry(
                bundle.name().bundle().value(),
                bundle.bundle().profile().description(),
                target.number(),
                plugin.described(),
                plugin.skills(),
                source);
    }

    private Optional<Source> source(BundleSkills.Target target, ClaudePlugin plugin, Call call) {
        String bundle = call.baseUrl() + "/" + target.bundle().name();
        String version = target.number();
        if (!call.baseUrl().startsWith("https://")) {
            boolean refused = plugin.files().stream()
                    .anyMatch(
                            file -> GitContent.refused(file.path(), file.size()).isPresent());
            return refused ? Optional.empty() : Optional.of(new Git("url", bundle + ".git", version));
        }
        var digest =
                archives.facts(target.bundle().repository(), plugin.archive()).digest();
        return Optional.of(
                new Archive("archive", bundle + "@" + version.replace("+", "%2B") + "/plugin.zip", digest.hex()));
    }

    private Answer archive(Call call) {
        var target = found.target(call);
        var plugin = plugins.of(target.bundle(), target.version().resolved())
                .filter(known -> target.only() == null)
                .orElseThrow(() -> none(target).raise());
        var repository = target.bundle().repository();
        var facts = archives.facts(repository, plugin.archive());
        var answer =
                ConditionalRead.isUnmodified(call, facts.digest()) ? Answer.empty(304) : opened(call, target, plugin);
        return SkillFiles.harmless(
                SkillFiles.cached(call, target, answer.with("ETag", ConditionalRead.etag(facts.digest()))));
    }

    private static Problem none(BundleSkills.Target target) {
        return new Problem.NotFound("a plugin in version " + target.number() + " of "
                + target.bundle().name()
                + " (a plugin has a skill, agents, commands, hooks/hooks.json or .mcp.json, and at most "
                + ClaudePlugins.MAX_FILES + " files and " + (ClaudePlugins.MAX_BYTES >> 20) + " MiB)");
    }

    private Answer opened(Call call, BundleSkills.Target target, ClaudePlugin plugin) {
        call.pay();
        var repository = target.bundle().repository();
        contents.requireHeld(repository, plugin.files());
        long manifest = target.version().resolved().version().manifestId();
        var caller = call.caller();
        var address = call.address();
        return Answer.content(
                        200,
                        plugin.archive().form().mediaType(),
                        plugin.archive().length(),
                        out -> archives.write(repository, plugin.archive(), out))
                .sending(() -> downloads.pulled(caller, address, ClientKind.PLUGINS, repository, manifest));
    }
}
