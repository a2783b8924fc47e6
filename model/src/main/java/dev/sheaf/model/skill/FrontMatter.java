package dev.sheaf.model.skill;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Converts a front matter to JSON values, so that programs without a YAML parser can read it and others can
/// compare it with the file.
final class FrontMatter {
    private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");

    private FrontMatter() {}

    static Map<String, @Nullable Object> of(Map<String, SkillValue> members) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        members.forEach((name, value) -> values.put(name, plain(value)));
        return values;
    }

    private static @Nullable Object plain(SkillValue value) {
        return switch (value) {
            case SkillValue.Text text -> scalar(text);
            case SkillValue.Items items -> items(items.values());
            case SkillValue.Members members -> of(members.values());
        };
    }

    private static List<@Nullable Object> items(List<SkillValue> values) {
        var items = new ArrayList<@Nullable Object>();
        values.forEach(value -> items.add(plain(value)));
        return items;
    }

    /// Converts a scalar by YAML 1.2, section 10.3.2. Numbers that JSON cannot express, such as `.inf`, remain
    /// text.
    private static @Nullable Object scalar(SkillValue.Text text) {
        String word = text.value();
        if (text.isText()) {
            return word;
        }
        if (text.isNull()) {
            return null;
        }
        if (word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false")) {
            return Boolean.valueOf(word);
        }
        if (word.startsWith("0o") || word.startsWith("0x")) {
            return new BigInteger(word.substring(2), word.charAt(1) == 'o' ? 8 : 16);
        }
        if (DECIMAL.matcher(word).matches()) {
            return new BigInteger(word);
        }
        double number = word.endsWith("f") || word.endsWith("F") || word.endsWith("n") || word.endsWith("N")
                ? Double.NaN
                : Double.parseDouble(word);
        return Double.isFinite(number) ? (Object) number : word;
    }
}
