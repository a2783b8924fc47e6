package dev.sheaf.server.maintenance.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.NewJob;
import dev.sheaf.server.rate.RateLimits;
import dev.sheaf.server.rate.RatePolicy;
import dev.sheaf.server.registry.upload.UploadLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Every limit of the service (contract 6), the same for all callers. The sizes of JSON bodies are those of this node.
public final class LimitsApi {
    /// Limits that concern neither bundles nor request rates.
    ///
    /// @param body the largest JSON body that the memory of this node suffices for, in bytes
    /// @param api how long a request may take
    /// @param transfer how long a connection may be idle
    public record Others(UploadLimits uploads, long liveKeys, long body, Duration api, Duration transfer) {}

    private record Rate(String name, long quota, long windowSeconds, String countedFor) {}

    private record Limits(
            long maxAssetBytes,
            long maxTextBytes,
            long maxBundleBytes,
            long maxAssets,
            long maxManifestBytes,
            long maxBlobBytes,
            long maxOpenUploads,
            long maxOpenUploadsPerCredential,
            long maxReadmeBytes,
            long maxPushBytes,
            long maxJsonBytes,
            long maxLiveKeys,
            long apiTimeoutSeconds,
            long transferTimeoutSeconds,
            long maxQueues,
            long maxWaitingJobs,
            long maxJobBytes,
            long maxJobErrorBytes,
            long maxJobsPerRequest,
            List<Rate> rates) {}

    private final Supplier<Limits> shown; // rates may change

    public LimitsApi(BundleLimits limits, BodyLimits sizes, Others others, RateLimits rates) {
        this.shown = () -> new Limits(
                limits.assetBytes(),
                sizes.text(),
                limits.bundleBytes(),
                limits.assetCount(),
                sizes.manifest(),
                others.uploads().blobBytes(),
                others.uploads().open(),
                others.uploads().openOfOne(),
                sizes.readme(),
                Math.min(sizes.push(), others.body()),
                Math.min(sizes.json(), others.body()),
                others.liveKeys(),
                Math.ceilDiv(others.api().toMillis(), 1_000),
                Math.ceilDiv(others.transfer().toMillis(), 1_000),
                Queues.MOST,
                JobEnqueue.MOST_WAITING,
                NewJob.MAX_DATA,
                JobRow.Failure.MAX_MESSAGE,
                NewJob.AT_ONCE,
                rates(rates));
    }

    private static List<Rate> rates(RateLimits rates) {
        var shown = new ArrayList<Rate>();
        for (RateLimits.Kind kind : RateLimits.Kind.values()) {
            long quota = rates.quota(kind);
            if (quota > 0) {
                shown.add(new Rate(kind.policy(), quota, RatePolicy.WINDOW_SECONDS, kind.holder()));
            }
        }
        return List.copyOf(shown);
    }

    public List<Route> routes() {
        return List.of(new Route(
                GET,
                "/v1/limits",
                RoutePermission.NONE,
                call -> Answer.ok(shown.get()).with("Cache-Control", "public, max-age=300")));
    }
}
