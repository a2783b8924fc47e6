package dev.sheaf.cli.bundle;

import dev.sheaf.client.api.PullOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How recent the registry's answer must be, and the version that it names.
final class Freshness {
    @Option(names = "--offline", description = "From the cache and the lock file alone, without asking the registry.")
    private boolean offline;

    @Option(
            names = "--refresh",
            description =
                    "Ask the registry even where it said within 30 seconds what a tag or range means, or within an "
                            + "hour what a version is.")
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
