package dev.sheaf.server;

import dev.sheaf.server.bundle.Limits;
import dev.sheaf.server.http.Sizes;
import dev.sheaf.server.http.v1.LimitsApi;
import dev.sheaf.server.rate.Rates;
import dev.sheaf.server.registry.UploadLimits;

/// The limits of the settings (contract 6).
final class LimitsWiring {
    private LimitsWiring() {}

    static Limits limits(Config config) {
        return new Limits(config.number(Setting.MAX_ASSET_BYTES), config.number(Setting.MAX_BUNDLE_BYTES), (int)
                config.number(Setting.MAX_ASSETS));
    }

    static UploadLimits uploads(Config config) {
        return new UploadLimits(
                config.number(Setting.MAX_BLOB_BYTES),
                config.number(Setting.MAX_OPEN_UPLOADS),
                config.number(Setting.MAX_OPEN_UPLOADS_PER_CREDENTIAL));
    }

    static Sizes sizes(Config config) {
        return new Sizes(
                config.number(Setting.MAX_PUSH_BYTES),
                config.number(Setting.MAX_JSON_BYTES),
                (int) config.number(Setting.MAX_TEXT_BYTES),
                (int) config.number(Setting.MAX_README_BYTES),
                config.number(Setting.MAX_MANIFEST_BYTES));
    }

    /// All that callers may know of them.
    static LimitsApi api(Config config, Rates rates) {
        return new LimitsApi(
                limits(config),
                sizes(config),
                new LimitsApi.Others(
                        uploads(config),
                        config.number(Setting.MAX_LIVE_KEYS),
                        config.duration(Setting.API_TIMEOUT),
                        config.duration(Setting.TRANSFER_TIMEOUT)),
                rates);
    }
}
