package dev.sheaf.model.skill;

import dev.sheaf.model.text.Utf8Text;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads the texts at the top of an untrusted YAML document, such as `apm.yml`, with the limits of front matters.
public final class YamlFields {
    /// The largest document, in bytes.
    public static final int MAX_BYTES = 64 << 10;

    private YamlFields() {}

    /// Returns the members with a text, a number or another scalar, as it is written.
    ///
    /// @throws SkillText.Wrong if it is not a mapping in YAML and UTF-8, or exceeds a limit
    public static Map<String, String> read(byte[] document) {
        if (document.length > MAX_BYTES) {
            throw new SkillText.Wrong(1, "it has " + document.length + " bytes; at most " + MAX_BYTES);
        }
        if (!(SkillYaml.read(text(document), 0) instanceof SkillValue.Members members)) {
            throw new SkillText.Wrong(1, "it must be a mapping of names to values");
        }
        var texts = new LinkedHashMap<String, String>();
        members.values().forEach((name, value) -> {
            if (value instanceof SkillValue.Text text && !text.isNull()) {
                texts.put(name, text.value());
            }
        });
        return texts;
    }

    private static String text(byte[] document) {
        String text = Utf8Text.of(document).orElseThrow(() -> new SkillText.Wrong(1, "it is not UTF-8"));
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
