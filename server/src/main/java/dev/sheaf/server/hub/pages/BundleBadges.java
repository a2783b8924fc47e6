package dev.sheaf.server.hub.pages;

import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.hub.HubFacet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What lists say about the state and the trust of a bundle, always in the same order: state, signature,
/// checks, scripts, tools.
public final class BundleBadges {
    private static final int SHOWN_TOOLS = 3;

    private BundleBadges() {}

    /// A badge.
    ///
    /// @param tone `ok`, `warn`, `bad`, or null for none
    /// @param icon a symbol of the sprite
    public record Badge(@Nullable String tone, String icon, String text) {}

    /// Returns the badges of a listed bundle.
    public static List<Badge> of(HubBundle bundle) {
        var badges = new ArrayList<Badge>();
        if (Boolean.TRUE.equals(bundle.isDeprecated())) {
            badges.add(deprecated(bundle.replacement()));
        }
        if (bundle.yankedVersion() != null) {
            badges.add(new Badge("bad", "yank", bundle.yankedVersion() + " is yanked"));
        }
        if (bundle.isSigned()) { // most are not, so that a word about it on each row says nothing
            badges.add(new Badge("ok", "shield", "Signed"));
        }
        if (bundle.findings() > 0) { // without one there is no badge: it would promise more than the checks can
            badges.add(findings(bundle.findings(), Severity.HIGH.toString().equals(bundle.worstFinding())));
        }
        badges.addAll(extent(PageFormat.text(bundle.readExtent())));
        if (HubFacet.SOME.equals(bundle.scripts())) {
            badges.add(new Badge(null, "play", "Runs scripts"));
        }
        if (!bundle.tools().isEmpty()) {
            badges.add(tools(bundle.tools()));
        }
        return badges;
    }

    /// Returns the badge of a deprecated bundle.
    ///
    /// @param replacement null if its publisher names none
    public static Badge deprecated(@Nullable String replacement) {
        String text = replacement == null ? "Deprecated" : "Deprecated: use " + PageFormat.visible(replacement);
        return new Badge("warn", "info", text);
    }

    /// Returns the badge of the tools that skills ask for.
    public static Badge tools(List<String> tools) {
        var shown = tools.subList(0, Math.min(SHOWN_TOOLS, tools.size()));
        int more = tools.size() - shown.size();
        String text = PageFormat.visible(String.join(", ", shown)) + (more > 0 ? " and " + more + " more" : "");
        return new Badge(null, "tool", text);
    }

    /// Returns the badge of a version that was not read as a whole.
    ///
    /// @param word as the API has it
    static List<Badge> extent(String word) {
        return switch (word) {
            case "part" -> List.of(new Badge(null, "circle", "Read in part"));
            case "none" -> List.of(new Badge(null, "circle", "Not checked"));
            default -> List.of();
        };
    }

    /// Returns the badge of a version's findings.
    ///
    /// @param isHigh whether one of them is of high severity
    static Badge findings(int count, boolean isHigh) {
        return new Badge(isHigh ? "bad" : "warn", "warn", PageFormat.count(count, "finding", "findings"));
    }
}
