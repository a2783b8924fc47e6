package dev.sheaf.engine.template;

/// Builds a text within the size limit. Everything that is added counts against the rendering's memory limit.
final class BoundedText {
    private final StringBuilder text = new StringBuilder();
    private final String what;
    private final Rendering rendering;
    private int bytes;

    /// @param what the name of the text in errors
    BoundedText(String what, Rendering rendering) {
        this.what = what;
        this.rendering = rendering;
    }

    BoundedText add(String more) {
        return add(more, 0, more.length());
    }

    BoundedText add(String more, int from, int to) {
        if (from == to) {
            return this;
        }
        rendering.made(to - from);
        if (to - from > Template.MAX_OUTPUT - bytes) {
            throw tooLarge();
        }
        for (int i = from; i < to; i++) {
            bytes += bytes(more.charAt(i));
        }
        if (bytes > Template.MAX_OUTPUT) {
            throw tooLarge();
        }
        text.append(more, from, to);
        return this;
    }

    BoundedText add(char c) {
        rendering.made(1);
        bytes += bytes(c);
        if (bytes > Template.MAX_OUTPUT) {
            throw tooLarge();
        }
        text.append(c);
        return this;
    }

    private TemplateException tooLarge() {
        return rendering.failure(what + " is larger than " + (Template.MAX_OUTPUT >> 10) + " KiB");
    }

    /// Returns the bytes in UTF-8. Each half of a surrogate pair counts as two.
    private static int bytes(char c) {
        return c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
