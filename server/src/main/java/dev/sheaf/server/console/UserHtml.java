package dev.sheaf.server.console;

import dev.sheaf.server.hub.SafeHtml;
import gg.jte.Content;
import gg.jte.TemplateOutput;

/// Sanitized HTML from users. This is the only way to put HTML into a page unescaped.
public record UserHtml(SafeHtml html) implements Content {
    @Override
    public void writeTo(TemplateOutput output) {
        output.writeBinaryContent(html.bytes());
    }
}
