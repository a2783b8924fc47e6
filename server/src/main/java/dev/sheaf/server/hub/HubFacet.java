package dev.sheaf.server.hub;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What lists of the hub are filtered and counted by. Rows have the kind and the value as one text, such as
/// `type:skill`, so one index finds both a value and all values of a kind.
public enum HubFacet {
    CATEGORY,
    LICENSE,
    NAMESPACE,
    /// A tool that a skill asks for.
    TOOL,
    TYPE,
    /// A word of the names, from which misspelled searches are corrected. Comes last, so that what is
    /// counted is one range of rows.
    WORD;

    /// The value for bundles that state no license, and for those whose skills ask for no tool.
    public static final String NONE = "none";

    /// Returns the text of a value.
    String of(String value) {
        return prefix() + value;
    }

    /// Returns the start of the texts of this kind.
    String prefix() {
        return name().toLowerCase(Locale.ROOT) + ":";
    }

    /// Returns the text after all texts of this kind.
    String end() {
        return name().toLowerCase(Locale.ROOT) + ";";
    }

    /// Returns the value of a license as bundles state it.
    public static String license(@Nullable String stated) {
        return stated == null || stated.isBlank() ? NONE : stated.strip().replaceAll("\\s+", " ");
    }
}
