package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.client.api.PullOptions;
import java.time.Duration;

/// Options that limit how old the registry's answer may be, and how new the version.
record FreshnessOptions(FlagOption offline, FlagOption refresh, OptionalValue<Duration> minAge) {
    static FreshnessOptions of(CliCommand command) {
        return new FreshnessOptions(
                command.flag("--offline", "Use only the cache and the lock file, without asking the registry."),
                command.flag(
                        "--refresh",
                        "Ask the registry again, even if its answer about a tag or range is less than 30 seconds old, "
                                + "or about a version less than an hour."),
                command.option(
                        Duration.class,
                        "--min-age",
                        "PERIOD",
                        "Only versions that were published at least this long ago, 3d, 12h, or ISO 8601: a tag or "
                                + "range then means an older one."));
    }

    PullOptions in(PullOptions options) {
        return options.offline(offline.isGiven()).refresh(refresh.isGiven()).minAge(minAge.get());
    }
}
