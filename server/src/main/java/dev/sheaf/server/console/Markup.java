package dev.sheaf.server.console;

import dev.sheaf.server.hub.SafeHtml;
import gg.jte.Content;
import gg.jte.TemplateOutput;

/// What people wrote, cleaned, in a page: the one place where HTML goes into a page as it is.
public record Markup(SafeHtml html) implements Content {
    @Override
    public void writeTo(TemplateOutput output) {
        output.writeBinaryContent(html.bytes());
    }
}
