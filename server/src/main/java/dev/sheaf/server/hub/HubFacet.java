package dev.sheaf.server.hub;

import dev.sheaf.server.bundle.VersionRisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What lists of the hub are filtered and counted by. Rows have the kind and the value as one text, such as
/// `type:skill`, so one index finds both a value and all values of a kind.
public enum HubFacet {
    CATEGORY,
    /// What is true of the latest version, see [HubFlag].
    FLAG,
    LICENSE,
    NAMESPACE,
    /// Whether the passport of the latest version has something that runs: [#SOME] or [#NONE]. Bundles of which this
    /// is not known have neither.
    SCRIPTS,
    /// A tool that a skill asks for.
    TOOL,
    TYPE,
    /// A word of the names, from which misspelled searches are corrected. Comes last, so that what is
    /// counted is one range of rows.
    WORD;

    /// The value for bundles that state no license, for those whose skills ask for no tool, and for those without
    /// scripts.
    public static final String NONE = "none";

    /// The value for bundles with scripts.
    public static final String SOME = "some";

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

    /// Returns the texts that follow from a verdict.
    static List<String> of(VersionRisk risk) {
        var texts = new ArrayList<String>();
        if (risk.isClean()) {
            texts.add(FLAG.of(HubFlag.CLEAN.toString()));
        }
        if (Boolean.TRUE.equals(risk.runs())) {
            texts.add(SCRIPTS.of(SOME));
        } else if (Boolean.FALSE.equals(risk.runs()) && risk.isWhole()) {
            texts.add(SCRIPTS.of(NONE));
        }
        return texts;
    }

    /// Returns all texts that may follow from a verdict.
    static List<String> ofVerdicts() {
        return List.of(FLAG.of(HubFlag.CLEAN.toString()), SCRIPTS.of(SOME), SCRIPTS.of(NONE));
    }

    /// Returns the value of a license as bundles state it.
    public static String license(@Nullable String stated) {
        return stated == null || stated.isBlank() ? NONE : stated.strip().replaceAll("\\s+", " ");
    }
}
