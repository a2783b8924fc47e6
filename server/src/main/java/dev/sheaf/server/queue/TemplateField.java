package dev.sheaf.server.queue;

import dev.sheaf.server.input.Fields;
import dev.sheaf.server.template.Template;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The source of a template as a member of a request.
public final class TemplateField {
    private TemplateField() {}

    /// The member, or null where it is absent or, which is an error, no text that a database can keep.
    public static @Nullable String of(Fields fields, String name) {
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
