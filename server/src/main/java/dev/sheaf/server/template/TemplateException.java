package dev.sheaf.server.template;

/// A template cannot be read or rendered. The message names the line, and the variable, filter or tag where there
/// is one. It is meant for the author of the template.
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;

    TemplateException(int line, String reason) {
        super("line " + line + ": " + reason, null, false, false); // the author's mistake, and no defect
        this.line = line;
    }

    /// The line of the template, from 1.
    public int line() {
        return line;
    }
}
