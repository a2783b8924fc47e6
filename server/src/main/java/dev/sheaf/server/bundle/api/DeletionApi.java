package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.version.BundleDeletion;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionDeletion;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deletes and restores versions and bundles (contract 3.7).
public final class DeletionApi {
    private final Resolve resolve;
    private final VersionDeletion deletion;
    private final BundleDeletion bundleDeletion;
    private final VersionDetails details;

    public DeletionApi(
            Resolve resolve, VersionDeletion deletion, BundleDeletion bundleDeletion, VersionDetails details) {
        this.resolve = resolve;
        this.deletion = deletion;
        this.bundleDeletion = bundleDeletion;
        this.details = details;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        return List.of(
                new Route(DELETE, bundle, RoutePermission.WRITE, of.write(this::bundle)),
                new Route(POST, bundle + ":restore", RoutePermission.ADMIN, this::restore),
                new Route(DELETE, bundle + "/versions/{version}", RoutePermission.WRITE, of.write(this::version)));
    }

    private Answer version(Call call, BundleSnapshot bundle) {
        var version = VersionsApi.version(call);
        String reason = reason(call);
        boolean purge = call.query("purge", DeletionApi::flag).orElse(false);
        if (call.header("If-Match").isPresent()) {
            var current = resolve.known(bundle, Resolve.Question.of(new VersionSelector.ByVersion(version)));
            ConditionalWrite.check(call, details.of(call, bundle, current.resolved()));
        }
        var deleted = deletion.version(
                call.origin(), bundle.name(), new VersionDeletion.Request(version, reason, purge, force(call)));
        return purge
                ? Answer.ok(BundleRecords.purge(bundle.name(), deleted))
                : deleted(bundle.name(), deleted.dependents());
    }

    private static boolean force(Call call) {
        return call.query("force", DeletionApi::flag).orElse(false);
    }

    /// Names bundles that require the deleted one in a header, because clients expect no body.
    private static Answer deleted(RepositoryName name, List<String> dependents) {
        var answer = Answer.empty(204);
        return dependents.isEmpty()
                ? answer
                : answer.with(
                        "Warning", "299 - \"bundles require " + name + ": " + String.join(", ", dependents) + "\"");
    }

    static boolean flag(String text) {
        return switch (text) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw Problem.invalid("format", "must be true or false");
        };
    }

    /// Returns the reason from the body or the query, because not every client sends a body with DELETE.
    private static @Nullable String reason(Call call) {
        String sent = call.jsonOrNothing().to(VersionDeletion::reason);
        return sent == null ? call.query("reason", VersionDeletion::reason).orElse(null) : sent;
    }

    private Answer bundle(Call call, BundleSnapshot bundle) {
        var dependents = bundleDeletion.delete(
                call.origin(),
                bundle.name(),
                reason(call),
                force(call),
                current -> ConditionalWrite.check(call, BundleRecords.bundle(current)));
        return deleted(bundle.name(), dependents);
    }

    private Answer restore(Call call) {
        var restored = bundleDeletion.restore(call.origin(), call.repository());
        return Answer.ok(BundleRecords.bundle(restored)).readAt(BundleRoutes.place(call.repository()));
    }
}
