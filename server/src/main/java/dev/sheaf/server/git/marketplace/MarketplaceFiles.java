package dev.sheaf.server.git.marketplace;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.oci.CanonicalJson;
import dev.sheaf.server.git.upload.SmallRepository;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// The files of a marketplace, each where a program looks for it, and their commit. It contains only facts about its
/// entries, so callers who see the same entries get the same commit.
final class MarketplaceFiles {
    private static final List<String> PLACES = List.of(
            ".agents/plugins/marketplace.json", ".claude-plugin/marketplace.json", ".cursor-plugin/marketplace.json");

    private MarketplaceFiles() {}

    static SmallRepository repository(Namespace namespace, List<MarketplaceEntry> entries) {
        byte[] document = document(namespace, entries).getBytes(StandardCharsets.UTF_8);
        var files = new TreeMap<String, byte[]>();
        PLACES.forEach(place -> files.put(place, document));
        files.put("README.md", readme(namespace, entries).getBytes(StandardCharsets.UTF_8));
        long time = entries.stream()
                .map(MarketplaceEntry::publishedAt)
                .mapToLong(Instant::getEpochSecond)
                .max()
                .orElse(0);
        String who = namespace + " <" + namespace + "@sheaf.invalid> " + time + " +0000\n";
        return SmallRepository.of(files, "author " + who + "committer " + who + "\nPlugins of " + namespace + "\n");
    }

    private static String document(Namespace namespace, List<MarketplaceEntry> entries) {
        var json = new CanonicalJson()
                .object()
                .member("name", namespace.value())
                .name("owner")
                .object()
                .member("name", namespace.value())
                .end()
                .name("plugins")
                .array();
        entries.forEach(entry -> entry.write(json));
        return json.end().end() + "\n";
    }

    private static String readme(Namespace namespace, List<MarketplaceEntry> entries) {
        var text = new StringBuilder("# Plugins of " + namespace + "\n\n");
        entries.forEach(entry -> text.append("- ")
                .append(entry.name())
                .append(' ')
                .append(entry.version())
                .append(": ")
                .append(entry.url())
                .append('\n'));
        return text.append("\nMade by the registry from the bundles that you may read. A push is refused.\n")
                .toString();
    }
}
