package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.DeprecationNotice;
import dev.sheaf.server.bundle.api.BundleRecords;
import dev.sheaf.server.bundle.pages.BundleHead;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.bundle.version.BundleEdit;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A bundle and a reader who may change it.
///
/// @param snapshot its current state
public record EditableBundle(BundleSnapshot snapshot, BundleRecord bundle, BundleHead head) {
    /// The first segment of all its paths.
    public static final String AT = "/{namespace}/{bundle}/settings";

    /// Returns the bundle of a page.
    ///
    /// @throws dev.sheaf.model.ProblemException as the API refuses a reader who may not edit it
    public static EditableBundle of(PageCall page, BundleReader bundles) {
        page.permit(RoutePermission.WRITE);
        var snapshot = bundles.writable(page);
        var seen = new VisibleBundle(
                snapshot, true, true, Access.mayReadRecalled(page.call().caller(), snapshot));
        return new EditableBundle(snapshot, bundles.record(snapshot), bundles.head(page, seen));
    }

    /// Returns the API's path of the bundle of a page, or a path below it, to show to programs.
    ///
    /// @param rest a pattern, as for [ApiPath#of]
    public static ApiPath api(PageCall page, String rest, Object... values) {
        var all = new Object[values.length + 2];
        all[0] = page.parameter("namespace");
        all[1] = page.parameter("bundle");
        System.arraycopy(values, 0, all, 2, values.length);
        return ApiPath.of("/v1/namespaces/{}/bundles/{}" + rest, all);
    }

    /// Returns the path of another page about the bundle of a page.
    public static ApiPath at(PageCall page, String rest, Object... values) {
        return ApiPath.of(
                "/" + ApiPath.encode(page.parameter("namespace")) + "/" + ApiPath.encode(page.parameter("bundle"))
                        + rest,
                values);
    }

    /// Changes the bundle of a page if it is still as it was shown.
    ///
    /// @param etag the validator of the shown bundle; empty means no condition
    /// @param members the changed fields
    /// @throws dev.sheaf.model.ProblemException precondition-failed; validation-failed; those of
    ///     [BundleReader#writable]
    public static void change(
            PageCall page,
            BundleReader bundles,
            BundleEdits edits,
            String etag,
            Map<String, ? extends @Nullable Object> members) {
        var name = bundles.writable(page).name();
        int readme = page.call().sizes().readme();
        var edit = RequestFields.patch(members).to(fields -> BundleEdit.parse(fields, name, readme));
        edits.edit(
                page.origin(),
                name,
                edit,
                current -> ConditionalWrite.<BundleRecord>of(etag).accept(BundleRecords.bundle(current)));
    }

    /// Returns the typed advice against a bundle or a version.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed
    public static DeprecationNotice advice(FormFields form) {
        var members = new HashMap<String, @Nullable Object>();
        members.put("message", form.first("message").orElse(null));
        members.put("replacement", form.first("replacement").orElse(null));
        return RequestFields.form(members).to(DeprecationNotice::parse);
    }

    /// Returns its validator.
    public String etag() {
        return ConditionalWrite.etag(bundle);
    }

    /// Returns its name in references.
    public String name() {
        return bundle.namespace() + "/" + bundle.slug();
    }

    /// Returns the path of a page of its settings.
    ///
    /// @param rest the rest of the page's path
    public String at(String rest) {
        return home() + "/settings" + rest;
    }

    /// Returns its own page.
    public String home() {
        return ApiPath.of("/{}/{}", bundle.namespace(), bundle.slug()).toString();
    }

    /// Returns a page about the bundle.
    public PageView view(PageCall page, String title, String template) {
        return page.view(title + " · " + name(), template).with("edited", this).in("browse");
    }
}
