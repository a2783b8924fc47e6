package dev.sheaf.model.skill;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A value of a front matter with its line in the file, from 1.
sealed interface SkillValue {
    int line();

    /// @param isPlain whether it is not quoted, so that YAML may read it as something other than a string
    record Text(int line, String value, boolean isPlain) implements SkillValue {
        private static final Pattern OTHER = Pattern.compile("|~|null|Null|NULL|true|True|TRUE|false|False|FALSE"
                + "|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
                + "|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");
        private static final int LONGEST = 40;

        /// Returns whether YAML parsers read it as a string, and not as a number, boolean or null (YAML 1.2,
        /// section 10.3).
        boolean isText() {
            return !isPlain || value.length() > LONGEST || !OTHER.matcher(value).matches();
        }

        /// Returns whether the value is null or missing.
        boolean isNull() {
            return isPlain && (value.isEmpty() || value.equals("~") || value.equalsIgnoreCase("null"));
        }
    }

    record Items(int line, List<SkillValue> values) implements SkillValue {
        public Items {
            values = List.copyOf(values);
        }
    }

    /// @param values the members in the order of the file
    record Members(int line, Map<String, SkillValue> values) implements SkillValue {
        public Members {
            values = new LinkedHashMap<>(values);
        }
    }
}
