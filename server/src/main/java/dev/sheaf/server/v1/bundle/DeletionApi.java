package dev.sheaf.server.v1.bundle;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Selector;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.version.BundleDeletion;
import dev.sheaf.server.bundle.version.Deletion;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deletes and restores versions and bundles (contract 3.7).
public final class DeletionApi {
    private final Resolve resolve;
    private final Deletion deletion;
    private final BundleDeletion bundleDeletion;
    private final VersionDetails details;

    public DeletionApi(Resolve resolve, Deletion deletion, BundleDeletion bundleDeletion, VersionDetails details) {
        this.resolve = resolve;
        this.deletion = deletion;
        this.bundleDeletion = bundleDeletion;
        this.details = details;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        return List.of(
                new Route(DELETE, bundle, Need.WRITE, of.write(this::bundle)),
                new Route(POST, bundle + ":restore", Need.ADMIN, this::restore),
                new Route(DELETE, bundle + "/versions/{version}", Need.WRITE, of.write(this::version)));
    }

    private Answer version(Call call, Snapshot bundle) {
        var version = VersionsApi.version(call);
        String reason = reason(call);
        boolean purge = call.query("purge", DeletionApi::flag).orElse(false);
        if (call.header("If-Match").isPresent()) {
            var current = resolve.resolve(bundle, Resolve.Question.of(new Selector.ByVersion(version)));
            ConditionalWrite.check(call, details.of(call, bundle, current.resolved()));
        }
        var deleted = deletion.version(call.origin(), bundle.name(), new Deletion.Request(version, reason, purge));
        return purge ? Answer.ok(BundleRecords.purge(bundle.name(), deleted)) : Answer.empty(204);
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw Problem.invalid("format", "must be true or false");
        };
    }

    /// Returns the reason from the body or the query, because not every client sends a body with DELETE.
    private static @Nullable String reason(Call call) {
        String sent = call.jsonOrNothing().to(Deletion::reason);
        return sent == null ? call.query("reason", Deletion::reason).orElse(null) : sent;
    }

    private Answer bundle(Call call, Snapshot bundle) {
        bundleDeletion.delete(
                call.origin(),
                bundle.name(),
                reason(call),
                current -> ConditionalWrite.check(call, BundleRecords.bundle(current)));
        return Answer.empty(204);
    }

    private Answer restore(Call call) {
        var restored = bundleDeletion.restore(call.origin(), call.repository());
        return Answer.ok(BundleRecords.bundle(restored)).readAt(BundleRoutes.place(call.repository()));
    }
}
