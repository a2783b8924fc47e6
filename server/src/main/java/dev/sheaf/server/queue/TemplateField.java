package dev.sheaf.server.queue;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.template.Template;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads the source of a template from a request.
public final class TemplateField {
    private TemplateField() {}

    /// Returns the member; null if it is absent. A value that the database cannot store is reported as an
    /// error, and also returns null.
    public static @Nullable String of(RequestFields fields, String name) {
        byte[] bytes = fields.utf8(name, Template.MAX_SOURCE);
        if (bytes == null) {
            return null;
        }
        String source = new String(bytes, StandardCharsets.UTF_8);
        if (source.indexOf('\0') >= 0) {
            fields.error(name, "format", "must be Unicode text without NUL");
            return null;
        }
        return source;
    }
}
