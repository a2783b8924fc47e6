package dev.sheaf.server.identity.pages;

import dev.sheaf.server.console.PageFormat;
import java.util.List;
import java.util.Map;

/// Names the program of a session, such as "Firefox on Linux": the descriptions that browsers send are long, and begin
/// alike.
public final class DeviceName {
    /// What a browser writes, and its name; most browsers also write the words of those below them.
    private static final List<Map.Entry<String, String>> BROWSERS = List.of(
            Map.entry("Edg", "Edge"),
            Map.entry("OPR/", "Opera"),
            Map.entry("Firefox/", "Firefox"),
            Map.entry("FxiOS/", "Firefox"),
            Map.entry("CriOS/", "Chrome"),
            Map.entry("Chrome/", "Chrome"),
            Map.entry("Safari/", "Safari"));

    private static final List<Map.Entry<String, String>> SYSTEMS = List.of(
            Map.entry("Android", "Android"),
            Map.entry("iPhone", "iPhone"),
            Map.entry("iPad", "iPad"),
            Map.entry("Windows", "Windows"),
            Map.entry("Macintosh", "macOS"),
            Map.entry("CrOS", "ChromeOS"),
            Map.entry("Linux", "Linux"));

    private DeviceName() {}

    /// @param agent the `User-Agent` that the session began with, or the name that a device gave; empty if unknown
    public static String of(String agent) {
        if (agent.isEmpty()) {
            return "unknown";
        }
        String browser = first(BROWSERS, agent);
        if (!agent.startsWith("Mozilla/") || browser.isEmpty()) {
            return PageFormat.visible(agent);
        }
        String system = first(SYSTEMS, agent);
        return system.isEmpty() ? browser : browser + " on " + system;
    }

    private static String first(List<Map.Entry<String, String>> names, String agent) {
        return names.stream()
                .filter(name -> agent.contains(name.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
