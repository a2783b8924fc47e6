package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.DeprecationNotice;
import dev.sheaf.server.bundle.Yank;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.bundle.version.VersionChanges;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// Yanks and deprecates versions (contract 3.6).
public final class VersionsApi {
    private final VersionChanges versions;
    private final BundleEdits edits;
    private final VersionDetails details;

    public VersionsApi(VersionChanges versions, BundleEdits edits, VersionDetails details) {
        this.versions = versions;
        this.edits = edits;
        this.details = details;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        String version = bundle + "/versions/{version}";
        return List.of(
                new Route(POST, version + ":yank", RoutePermission.WRITE, of.write(this::yank)),
                new Route(POST, version + ":unyank", RoutePermission.WRITE, of.write(this::unyank)),
                new Route(POST, version + ":deprecate", RoutePermission.WRITE, of.write(this::deprecate)),
                new Route(POST, version + ":undeprecate", RoutePermission.WRITE, of.write(this::undeprecate)),
                new Route(POST, bundle + ":deprecate", RoutePermission.WRITE, of.write(this::deprecateBundle)),
                new Route(POST, bundle + ":undeprecate", RoutePermission.WRITE, of.write(this::undeprecateBundle)));
    }

    private Answer yank(Call call, BundleSnapshot bundle) {
        var yank = call.jsonOrNothing().to(Yank::parse);
        return answer(call, versions.yank(call.origin(), bundle.name(), version(call), yank));
    }

    private Answer unyank(Call call, BundleSnapshot bundle) {
        call.jsonOrNothing().finish();
        return answer(call, versions.unyank(call.origin(), bundle.name(), version(call)));
    }

    private Answer deprecate(Call call, BundleSnapshot bundle) {
        var advice = call.jsonOrNothing().to(DeprecationNotice::parse);
        return answer(call, versions.deprecate(call.origin(), bundle.name(), version(call), advice));
    }

    private Answer undeprecate(Call call, BundleSnapshot bundle) {
        call.jsonOrNothing().finish();
        return answer(call, versions.deprecate(call.origin(), bundle.name(), version(call), null));
    }

    public Answer deprecateBundle(Call call, BundleSnapshot bundle) {
        return answer(edits.deprecate(
                call.origin(), bundle.name(), call.jsonOrNothing().to(DeprecationNotice::parse)));
    }

    public Answer undeprecateBundle(Call call, BundleSnapshot bundle) {
        call.jsonOrNothing().finish();
        return answer(edits.deprecate(call.origin(), bundle.name(), null));
    }

    static Version version(Call call) {
        return call.parameter("version", VersionChanges::exact);
    }

    private Answer answer(Call call, VersionChanges.Changed changed) {
        return details.changed(call, changed.bundle(), changed.version());
    }

    private static Answer answer(Bundles.Overview changed) {
        return Answer.ok(BundleRecords.bundle(changed))
                .readAt(BundleRoutes.place(changed.bundle().name()));
    }
}
