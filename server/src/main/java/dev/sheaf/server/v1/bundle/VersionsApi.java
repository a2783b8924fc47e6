package dev.sheaf.server.v1.bundle;

import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.Deprecation;
import dev.sheaf.server.bundle.Yank;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.bundle.version.VersionNotes;
import dev.sheaf.server.bundle.version.Versions;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.input.Fields;
import java.util.List;

/// Yank and deprecation (contract 3.6).
public final class VersionsApi {
    private static final int MAX_TEXT = 1_000;
    private static final int MAX_REPLACEMENT = 400;

    private final Bundles bundles;
    private final Versions versions;
    private final BundleEdits edits;
    private final VersionNotes remarks;

    public VersionsApi(Bundles bundles, Versions versions, BundleEdits edits, VersionNotes remarks) {
        this.bundles = bundles;
        this.versions = versions;
        this.edits = edits;
        this.remarks = remarks;
    }

    public List<Route> routes() {
        String bundle = "/v1/namespaces/{namespace}/bundles/{bundle}";
        String version = bundle + "/versions/{version}";
        return List.of(
                new Route(POST, version + ":yank", Need.WRITE, this::yank),
                new Route(POST, version + ":unyank", Need.WRITE, this::unyank),
                new Route(POST, version + ":deprecate", Need.WRITE, this::deprecate),
                new Route(POST, version + ":undeprecate", Need.WRITE, this::undeprecate),
                new Route(POST, bundle + ":deprecate", Need.WRITE, this::deprecateBundle),
                new Route(POST, bundle + ":undeprecate", Need.WRITE, this::undeprecateBundle));
    }

    private Answer yank(Call call) {
        var fields = body(call);
        var yank = new Yank(
                fields.optional("reason", MAX_TEXT),
                fields.has("reasonCode") ? fields.parsed("reasonCode", YankReason::parse, YankReason.OTHER) : null,
                fields.optional("replacement", MAX_REPLACEMENT));
        fields.finish();
        return answer(call, versions.yank(call.origin(), call.repository(), version(call), yank));
    }

    private Answer unyank(Call call) {
        body(call).finish();
        return answer(call, versions.unyank(call.origin(), call.repository(), version(call)));
    }

    private Answer deprecate(Call call) {
        var deprecation = deprecation(body(call));
        return answer(call, versions.deprecate(call.origin(), call.repository(), version(call), deprecation));
    }

    private Answer undeprecate(Call call) {
        body(call).finish();
        return answer(call, versions.undeprecate(call.origin(), call.repository(), version(call)));
    }

    public Answer deprecateBundle(Call call) {
        var deprecation = deprecation(body(call));
        return bundle(call, edits.deprecate(call.origin(), call.repository(), deprecation));
    }

    public Answer undeprecateBundle(Call call) {
        body(call).finish();
        return bundle(call, edits.undeprecate(call.origin(), call.repository()));
    }

    private static Answer bundle(Call call, Bundles.Overview changed) {
        return Answer.ok(Wire.bundle(changed)).readAt(PublishApi.place(call.repository()));
    }

    /// The body, once it is clear that the caller may change the bundle: what is hidden looks like what is missing,
    /// whatever is sent.
    private Fields body(Call call) {
        bundles.writable(call.origin().caller(), call.repository());
        return call.jsonOrNothing();
    }

    private static Deprecation deprecation(Fields fields) {
        String message = fields.optional("message", MAX_TEXT);
        var deprecation = new Deprecation(
                message == null ? "" : message.strip(), fields.optional("replacement", MAX_REPLACEMENT));
        fields.finish();
        return deprecation;
    }

    /// An exact version: a tag or a range may mean another one by the time it is changed.
    static Version version(Call call) {
        return call.parameter(
                "version",
                text -> Version.find(text).or(() -> Version.ofOciTag(text)).orElseGet(() -> Version.parse(text)));
    }

    private Answer answer(Call call, Versions.Changed changed) {
        var noted = remarks.of(changed.bundle(), changed.version().version());
        return Answer.ok(Wire.detail(changed.bundle(), changed.version(), call, noted))
                .readAt(PublishApi.place(
                        call.repository(), changed.version().version().version()));
    }
}
