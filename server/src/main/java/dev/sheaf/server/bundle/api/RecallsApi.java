package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.Page;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.recall.RecallChanges;
import dev.sheaf.server.bundle.recall.RecallRequest;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// Recalls versions.
public final class RecallsApi {
    private final RecallChanges recalls;

    public RecallsApi(RecallChanges recalls) {
        this.recalls = recalls;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        return List.of(
                new Route(POST, bundle + ":recall", RoutePermission.ADMIN, of.write(this::recall)),
                new Route(POST, bundle + ":unrecall", RoutePermission.ADMIN, of.write(this::unrecall)));
    }

    private Answer recall(Call call, BundleSnapshot bundle) {
        var request = call.json().to(RecallRequest::parse);
        return answer(call, recalls.recall(call.origin(), bundle.name(), request));
    }

    private Answer unrecall(Call call, BundleSnapshot bundle) {
        var versions = call.json().to(RecallsApi::versions);
        return answer(call, recalls.unrecall(call.origin(), bundle.name(), versions));
    }

    private static List<Version> versions(RequestFields fields) {
        if (!fields.has("versions")) {
            fields.error("versions", "required", "is required");
        }
        return fields.parsedTexts("versions", 1, RecallRequest.MAX_NAMES, Version::parse);
    }

    private static Answer answer(Call call, RecallChanges.Done done) {
        var page = Page.of(
                done.versions().stream()
                        .map(row -> BundleRecords.summary(
                                done.bundle(), row, null, null, VersionApprovals.Of.NOTHING, call))
                        .toList(),
                null);
        return Answer.ok(page).readAt(BundleRoutes.place(done.bundle().name()) + "/versions");
    }
}
