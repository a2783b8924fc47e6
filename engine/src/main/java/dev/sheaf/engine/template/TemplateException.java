package dev.sheaf.engine.template;

/// A template cannot be parsed or rendered. The message is meant for the author of the template. It names the
/// line, and the variable, filter or tag if there is one.
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;

    TemplateException(int line, String reason) {
        super("line " + line + ": " + reason, null, false, false); // no stack trace: the author's mistake, not a defect
        this.line = line;
    }

    /// Returns the line of the template, from 1.
    public int line() {
        return line;
    }
}
