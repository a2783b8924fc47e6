package dev.sheaf.server.bundle;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The categories of the hub. A bundle is in those that its keywords name, in upper or lower case; the list is
/// fixed and documented in the guide.
public final class Categories {
    private static final Map<String, String> NAMES = new TreeMap<>(Map.ofEntries(
            Map.entry("coding", "Coding"),
            Map.entry("data", "Data"),
            Map.entry("design", "Design"),
            Map.entry("devops", "DevOps"),
            Map.entry("documentation", "Documentation"),
            Map.entry("education", "Education"),
            Map.entry("finance", "Finance"),
            Map.entry("legal", "Legal"),
            Map.entry("marketing", "Marketing"),
            Map.entry("productivity", "Productivity"),
            Map.entry("research", "Research"),
            Map.entry("sales", "Sales"),
            Map.entry("security", "Security"),
            Map.entry("support", "Support"),
            Map.entry("testing", "Testing"),
            Map.entry("writing", "Writing")));

    private Categories() {}

    /// All of them by slug, with the name for people.
    public static Map<String, String> all() {
        return NAMES;
    }

    static List<String> of(Collection<String> keywords) {
        return keywords.stream()
                .map(keyword -> keyword.strip().toLowerCase(Locale.ROOT))
                .filter(NAMES::containsKey)
                .distinct()
                .toList();
    }
}
