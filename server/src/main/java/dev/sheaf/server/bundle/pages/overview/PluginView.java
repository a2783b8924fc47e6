package dev.sheaf.server.bundle.pages.overview;

import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.plugin.PluginServer;
import dev.sheaf.server.bundle.PluginTexts;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.FetchCommands;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.console.PageFormat;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The plugin in the latest version of a bundle, and what its MCP servers run. All texts are as they are shown.
///
/// @param about its name, version and author
/// @param commands the commands that install it, each for a program
/// @param servers those that fit on the page
/// @param more the number of other servers
public record PluginView(String about, List<FetchCommands.Command> commands, List<Server> servers, int more) {
    private static final int MOST = 10;
    private static final int LONGEST = 200;
    private static final int MOST_NAMES = 10;

    public PluginView {
        commands = List.copyOf(commands);
        servers = List.copyOf(servers);
    }

    /// An MCP server.
    ///
    /// @param starts whether a program is started; otherwise programs connect to an address
    /// @param words its command with arguments, or its address
    /// @param given the variables or headers that it is given, and its folder; empty if there are none
    public record Server(String name, boolean starts, String words, String given) {}

    /// @param plugin null if it is no plugin
    /// @param base the address of this registry
    static @Nullable PluginView of(
            BundleReader bundles, VisibleBundle seen, PluginTexts.@Nullable Entry plugin, String base) {
        return plugin == null
                ? null
                : new PluginView(
                        about(plugin.manifest()),
                        FetchCommands.ofPlugin(
                                seen,
                                bundles.listedName(seen.snapshot(), plugin).orElse(null),
                                base),
                        plugin.servers().stream()
                                .limit(MOST)
                                .map(PluginView::server)
                                .toList(),
                        Math.max(0, plugin.servers().size() - MOST));
    }

    private static String about(PluginManifest manifest) {
        return Stream.of(
                        Optional.of(manifest.name()),
                        Optional.ofNullable(manifest.version()),
                        Optional.ofNullable(manifest.author())
                                .map(PluginManifest.Author::name)
                                .map(name -> "by " + name))
                .flatMap(Optional::stream)
                .map(PluginView::cut)
                .collect(Collectors.joining(" "));
    }

    private static Server server(PluginServer server) {
        String given = switch (server) {
            case PluginServer.Stdio program ->
                Stream.of(names("sets ", program.env().keySet()), program.cwd() == null ? "" : "in " + program.cwd())
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(", "));
            case PluginServer.Remote remote -> names("sends ", remote.headers().keySet());
        };
        return new Server(cut(server.name()), server instanceof PluginServer.Stdio, cut(server.words()), cut(given));
    }

    private static String names(String word, Collection<String> names) {
        return names.isEmpty()
                ? ""
                : word
                        + names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
                        + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
    }

    private static String cut(String text) {
        return PageFormat.visible(
                text.codePointCount(0, text.length()) <= LONGEST
                        ? text
                        : text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…");
    }
}
