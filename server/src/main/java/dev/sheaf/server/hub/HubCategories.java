package dev.sheaf.server.hub;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The categories of the hub. A bundle belongs to each category whose slug is one of its keywords, ignoring
/// case. The list is fixed and documented in the guide.
public final class HubCategories {
    /// A category with its display name and description.
    public record Category(String slug, String displayName, String description) {}

    private static final List<Category> ALL = List.of(
            new Category("coding", "Coding", "Write, change, review and understand programs."),
            new Category("data", "Data", "Collect, clean, query, analyse and show data."),
            new Category("design", "Design", "Interfaces, graphics, layouts and presentations."),
            new Category("devops", "DevOps", "Build, deploy, run and watch systems."),
            new Category("documentation", "Documentation", "Explain products and programs to their users."),
            new Category("education", "Education", "Teach, learn, practise and test knowledge."),
            new Category("finance", "Finance", "Accounts, budgets, invoices, taxes and markets."),
            new Category("legal", "Legal", "Contracts, policies, licences and compliance."),
            new Category("marketing", "Marketing", "Campaigns, brands, audiences and their figures."),
            new Category("productivity", "Productivity", "Mail, calendars, notes, tasks and daily routine."),
            new Category("research", "Research", "Find sources, read them, compare them and sum them up."),
            new Category("sales", "Sales", "Leads, offers, calls and customer relations."),
            new Category("security", "Security", "Find, prevent and answer weaknesses and attacks."),
            new Category("support", "Support", "Answer questions and solve problems of customers."),
            new Category("testing", "Testing", "Plan, write and run tests, and judge quality."),
            new Category("writing", "Writing", "Draft, edit, translate and polish texts."));
    private static final Set<String> SLUGS = ALL.stream().map(Category::slug).collect(Collectors.toUnmodifiableSet());

    private HubCategories() {}

    /// Returns all categories, sorted by slug.
    public static List<Category> all() {
        return ALL;
    }

    static List<String> of(Collection<String> keywords) {
        return keywords.stream()
                .map(keyword -> keyword.strip().toLowerCase(Locale.ROOT))
                .filter(SLUGS::contains)
                .distinct()
                .toList();
    }
}
