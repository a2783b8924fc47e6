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

/// A bundle and a reader who may change it.
public record Edited(BundleRecord bundle) {
    /// The first segment of all its paths.
    public static final String AT = "/{namespace}/{bundle}/settings";

    /// Returns the bundle of a page.
    ///
    /// @throws dev.sheaf.model.ProblemException as the API refuses a reader who may not edit it
    public static Edited of(PageCall page) {
        var path = api(page, "");
        page.api().permit(Method.PATCH, path);
        return new Edited(page.api().get(BundleRecord.class, path));
    }

    /// Returns the API's path of the bundle of a page, or a path below it.
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

    /// Sends JSON. The API applies it only if the resource did not change since it was shown.
    ///
    /// @param etag the validator of the shown resource; null means no condition
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

    /// Returns the members of a deprecation, as they were typed.
    public static Map<String, @Nullable Object> advice(Form form) {
        var members = new HashMap<String, @Nullable Object>();
        members.put("message", form.first("message").orElse(null));
        members.put("replacement", form.first("replacement").orElse(null));
        return members;
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
    public View view(PageCall page, String title, String template) {
        return page.view(title + " · " + name(), template).with("edited", this);
    }
}
