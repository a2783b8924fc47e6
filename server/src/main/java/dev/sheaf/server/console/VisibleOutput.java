package dev.sheaf.server.console;

import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Escapes what templates print, and writes hidden characters out, such as `U+202E`. So no template can show a text
/// that looks different from what it contains. Texts that programs read stay as they are: the values of fields, which
/// come back with the form, and addresses.
final class VisibleOutput extends OwaspHtmlTemplateOutput {
    /// The attributes that browsers show or read aloud.
    static final Set<String> SHOWN = Set.of("title", "aria-label", "aria-description", "alt", "placeholder", "content");

    private @Nullable String tag;
    private @Nullable String attribute;

    VisibleOutput(TemplateOutput output) {
        super(output);
    }

    @Override
    public void setContext(@Nullable String tagName, @Nullable String attributeName) {
        tag = tagName;
        attribute = attributeName;
        super.setContext(tagName, attributeName);
    }

    @Override
    public void writeUserContent(@Nullable String value) {
        super.writeUserContent(value == null || !isShown() ? value : PageFormat.drawn(value));
    }

    private boolean isShown() {
        return attribute == null ? !"textarea".equals(tag) : SHOWN.contains(attribute);
    }
}
