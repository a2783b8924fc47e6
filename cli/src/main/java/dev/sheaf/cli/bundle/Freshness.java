package dev.sheaf.cli.bundle;

import dev.sheaf.client.api.PullOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options that limit how old the registry's answer may be, and how new the version.
final class Freshness {
    @Option(names = "--offline", description = "Use only the cache and the lock file, without asking the registry.")
    private boolean offline;

    @Option(
            names = "--refresh",
            description =
                    "Ask the registry again, even if its answer about a tag or range is less than 30 seconds old, "
                            + "or about a version less than an hour.")
    private boolean refresh;

    @Option(
            names = "--min-age",
            paramLabel = "PERIOD",
            description = "Only versions that were published at least this long ago, 3d, 12h, or ISO 8601: a tag or "
                    + "range then means an older one.")
    private @Nullable Duration minAge;

    boolean offline() {
        return offline;
    }

    boolean byAge() {
        return minAge != null;
    }

    PullOptions in(PullOptions options) {
        return options.offline(offline).refresh(refresh).minAge(minAge);
    }
}
