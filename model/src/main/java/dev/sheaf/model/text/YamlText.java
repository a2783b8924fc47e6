package dev.sheaf.model.text;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;

/// The text of a YAML document, for the parser of SnakeYAML Engine 3.0.1. The parser fills its buffer, and if the last
/// character is the first half of a surrogate pair, it reads one more, for which its buffer has no place. So this
/// reader never fills a buffer. Not thread-safe.
public final class YamlText extends FilterReader {
    private YamlText(String text) {
        super(new StringReader(text));
    }

    /// Returns a reader of the text.
    public static Reader of(String text) {
        return new YamlText(text);
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, length > 1 ? length - 1 : length);
    }
}
