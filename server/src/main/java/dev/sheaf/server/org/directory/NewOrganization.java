package dev.sheaf.server.org.directory;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Handle;
import org.jspecify.annotations.Nullable;

/// A request to create an organization.
public record NewOrganization(Handle handle, String name) {
    private static final int MAX_NAME = 200;
    private static final Handle NONE = new Handle("none");

    public static NewOrganization parse(RequestFields fields) {
        return new NewOrganization(fields.parsed("handle", Handle::parse, NONE), fields.required("name", MAX_NAME));
    }

    /// Reads the new name in a change; null for no change.
    public static @Nullable String rename(RequestFields fields) {
        return fields.sent("name") ? fields.required("name", MAX_NAME) : null;
    }
}
