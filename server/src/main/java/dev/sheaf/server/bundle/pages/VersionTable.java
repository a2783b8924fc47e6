package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.version.VersionListing;
import dev.sheaf.server.console.CsvTable;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.http.message.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The versions of a bundle as CSV, highest first.
final class VersionTable {
    private static final int BATCH = 100;
    private static final int MOST = 10_000; // versions, and tags

    private VersionTable() {}

    static Answer download(PageCall page, BundleReader bundles, VisibleBundle seen, VersionListPages.Asked asked) {
        return CsvTable.download("versions-" + seen.namespace() + "-" + seen.bundle(), table -> {
            table.row(
                    "version",
                    "state",
                    "tags",
                    "message",
                    "published",
                    "publishedBy",
                    "bytes",
                    "findings",
                    "signed",
                    "pulls30d",
                    "digest",
                    "publishedById");
            var tags = bundles.tags(page, seen.snapshot(), MOST + 1);
            var named = VersionListPages.byVersion(tags.subList(0, Math.min(tags.size(), MOST)));
            var prefix = asked.prefix();
            @Nullable Version below = null;
            int count = 0;
            boolean hasMore = prefix.isPresent();
            while (hasMore && count < MOST) {
                var wanted = new VersionListing.Wanted(prefix.orElseThrow(), asked.state(), below, null);
                var part = bundles.listed(page, seen.snapshot(), wanted, Math.min(BATCH, MOST - count));
                write(table, page, part.versions(), named);
                count += part.versions().size();
                hasMore = part.hasLower();
                below = hasMore ? Version.parse(part.versions().getLast().number()) : below;
            }
            if (hasMore) {
                table.lacks("Only the highest " + MOST + " versions. The others are at "
                        + seen.api("/versions").with("limit", BATCH));
            }
            if (tags.size() > MOST) {
                table.lacks("Only the first " + MOST + " tags, by name. The others are at " + seen.api("/tags"));
            }
        });
    }

    private static void write(
            CsvTable table, PageCall page, List<ListedVersion> versions, Map<String, List<String>> tags)
            throws IOException {
        var names = page.names(versions.stream().map(one -> one.summary().publishedBy()));
        for (var version : versions) {
            var summary = version.summary();
            String publisher = summary.publishedBy();
            table.row(
                    version.number(),
                    version.isYanked() ? "yanked" : version.isDeprecated() ? "deprecated" : "usable",
                    String.join(" ", tags.getOrDefault(version.number(), List.of())),
                    version.text(),
                    summary.createdAt(),
                    publisher == null ? null : names.of(publisher),
                    version.size(),
                    version.risk().isWhole() || version.risk().findings() > 0
                            ? version.risk().findings()
                            : null,
                    version.isSigned(),
                    version.pulls(),
                    summary.ociDigest(),
                    publisher);
        }
    }
}
