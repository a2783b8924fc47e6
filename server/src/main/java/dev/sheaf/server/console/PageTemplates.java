package dev.sheaf.server.console;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/// The templates, compiled with the program. Thread-safe.
final class PageTemplates {
    private final TemplateEngine engine =
            TemplateEngine.createPrecompiled(null, ContentType.Html, null, "dev.sheaf.server.pages.jte");

    PageTemplates() {
        engine.setBinaryStaticContent(true);
    }

    byte[] render(String name, Map<String, Object> values) {
        var out = new Utf8ByteOutput();
        engine.render(name + ".jte", values, new VisibleOutput(out));
        var bytes = new ByteArrayOutputStream(out.getContentLength());
        try {
            out.writeTo(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
