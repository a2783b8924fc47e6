package dev.sheaf.server.console.edit;

import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.View;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.input.Form;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A bundle that is being changed, for whoever may.
public record Edited(BundleRecord bundle) {
    /// Where all of it begins.
    public static final String AT = "/{namespace}/{bundle}/settings";

    /// The bundle of a page.
    ///
    /// @throws dev.sheaf.model.ProblemException as the API refuses who may not edit it
    public static Edited of(PageCall page) {
        var path = api(page, "");
        page.api().permit(Method.PATCH, path);
        return new Edited(page.api().get(BundleRecord.class, path));
    }

    /// The API's path of the bundle of a page, and what is below it.
    ///
    /// @param rest a pattern, as for [ApiPath#of]
    public static ApiPath api(PageCall page, String rest, Object... values) {
        var all = new Object[values.length + 2];
        all[0] = page.parameter("namespace");
        all[1] = page.parameter("bundle");
        System.arraycopy(values, 0, all, 2, values.length);
        return ApiPath.of("/v1/namespaces/{}/bundles/{}" + rest, all);
    }

    /// The path of a page about the bundle of a page.
    public static ApiPath at(PageCall page, String rest, Object... values) {
        return ApiPath.of(
                "/" + ApiPath.encode(page.parameter("namespace")) + "/" + ApiPath.encode(page.parameter("bundle"))
                        + rest,
                values);
    }

    /// Sends JSON that counts only where the thing is still as it was shown.
    ///
    /// @param etag of what was shown; null: whatever it is
    public static Answer send(
            PageCall page,
            Method method,
            ApiPath path,
            @Nullable String etag,
            Map<String, ? extends @Nullable Object> members) {
        var headers = new HashMap<>(Map.of("content-type", "application/json"));
        if (etag != null && !etag.isEmpty()) {
            headers.put("if-match", etag);
        }
        return page.api().answer(method, path, headers, Json.write(members));
    }

    /// The members of an advice against something, as they were typed.
    public static Map<String, @Nullable Object> advice(Form form) {
        var members = new HashMap<String, @Nullable Object>();
        members.put("message", form.first("message").orElse(null));
        members.put("replacement", form.first("replacement").orElse(null));
        return members;
    }

    /// Its validator.
    public String etag() {
        return ConditionalWrite.etag(bundle);
    }

    /// What it is called in references.
    public String name() {
        return bundle.namespace() + "/" + bundle.slug();
    }

    /// A page of its settings.
    ///
    /// @param rest of the page's path
    public String at(String rest) {
        return home() + "/settings" + rest;
    }

    /// Its own page.
    public String home() {
        return ApiPath.of("/{}/{}", bundle.namespace(), bundle.slug()).toString();
    }

    /// A page about it.
    public View view(PageCall page, String title, String template) {
        return page.view(title + " · " + name(), template).with("edited", this);
    }
}
