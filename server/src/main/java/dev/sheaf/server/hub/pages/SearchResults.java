package dev.sheaf.server.hub.pages;

import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.model.wire.hub.HubFacets;
import dev.sheaf.model.wire.hub.HubSkill;
import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.chart.StalkDrawing;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubFacet;
import dev.sheaf.server.hub.HubFlag;
import dev.sheaf.server.hub.SearchMarks;
import dev.sheaf.server.hub.api.HubWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// What the search page shows of a search.
///
/// @param total the number of bundles
/// @param isExact false if there may be more
/// @param rows the bundles of this page with their skills
/// @param groups the filters to choose from
/// @param chosen the chosen filters
public record SearchResults(long total, boolean isExact, List<Row> rows, List<Group> groups, List<Chosen> chosen) {
    private static final int SHOWN_VALUES = 8;

    private static final Map<String, String> TYPES = Map.of(
            "skill", "Skill",
            "agent_spec", "Agent",
            "toolset", "Toolset",
            "prompt", "Prompt",
            "config", "Configuration",
            "plugin", "Plugin",
            "mcp", "MCP servers",
            "other", "Other files");

    private static final Map<String, String> SCRIPTS =
            Map.of(HubFacet.SOME, "Has scripts", HubFacet.NONE, "No scripts");

    private static final Map<HubFlag, String> FLAGS = Map.of(
            HubFlag.SIGNED, "Signed",
            HubFlag.CLEAN, "Checks clean",
            HubFlag.WORKFLOW, "From a workflow");

    public SearchResults {
        rows = List.copyOf(rows);
        groups = List.copyOf(groups);
        chosen = List.copyOf(chosen);
    }

    /// A bundle.
    ///
    /// @param drawing its files
    /// @param name its slug, with the words of the search marked
    public record Row(
            HubBundle bundle,
            StalkDrawing drawing,
            List<SearchMarks.Part> name,
            List<SearchMarks.Part> summary,
            List<SkillRow> skills) {
        public Row {
            name = List.copyOf(name);
            summary = List.copyOf(summary);
            skills = List.copyOf(skills);
        }

        /// Returns the page of the bundle.
        public String page() {
            return ApiPath.of("/{}/{}", bundle.publisher().handle(), bundle.slug())
                    .toString();
        }
    }

    /// A skill in a bundle.
    public record SkillRow(
            HubSkill skill, List<SearchMarks.Part> name, List<SearchMarks.Part> description, String page) {
        public SkillRow {
            name = List.copyOf(name);
            description = List.copyOf(description);
        }
    }

    /// A group of filters.
    public record Group(String id, String title, List<Choice> choices) {
        public Group {
            choices = List.copyOf(choices);
        }
    }

    /// A filter.
    ///
    /// @param page the link that chooses it, or takes it away
    public record Choice(String label, String page, long count, boolean isChosen) {}

    /// A chosen filter, and the link that takes it away.
    public record Chosen(String label, String page) {}

    /// Returns a bundle as a row.
    static Row row(SearchMarks marks, AssetWords words, Hub.Entry entry, List<HubSkill> skills) {
        var bundle = HubWire.summary(words, entry);
        String name = bundle.publisher().handle() + "/" + bundle.slug();
        return new Row(
                bundle,
                ListDrawing.of(entry.facts().stalks()),
                marks.in(bundle.slug()),
                marks.in(PageFormat.visible(bundle.summary())),
                skills.stream()
                        .filter(skill -> skill.bundle().equals(name))
                        .map(skill -> new SkillRow(
                                skill,
                                marks.in(skill.name()),
                                marks.in(PageFormat.visible(skill.description())),
                                "/" + name + "/versions/" + ApiPath.encode(skill.version()) + "/files/"
                                        + ApiPath.encodeFile(skill.path())))
                        .toList());
    }

    /// Returns the groups that say something: with a choice between values, or with a chosen one.
    static List<Group> groups(SearchForm form, HubFacets facets, Map<String, String> categories) {
        var groups = new ArrayList<Group>();
        add(groups, form, "Type", "type", facets.types(), TYPES);
        var flags = flags(form, facets);
        if (!flags.isEmpty()) {
            groups.add(new Group("facet-flags", "Trust", flags));
        }
        add(groups, form, "Runs", "scripts", facets.scripts(), SCRIPTS);
        add(groups, form, "Asks for tools", "tool", facets.tools(), Map.of(HubFacet.NONE, "none named"));
        add(groups, form, "License", "license", facets.licenses(), Map.of(HubFacet.NONE, "not stated"));
        add(groups, form, "Publisher", "namespace", facets.namespaces(), Map.of());
        if (!form.isFirst()) { // else they have a place of their own
            add(groups, form, "Category", "category", facets.categories(), categories);
        }
        return groups;
    }

    /// Returns the flags that are true of some bundle, or chosen. They do not exclude each other.
    private static List<Choice> flags(SearchForm form, HubFacets facets) {
        return Stream.of(HubFlag.values())
                .map(flag -> {
                    long count = switch (flag) {
                        case SIGNED -> facets.signed();
                        case CLEAN -> facets.clean();
                        case WORKFLOW -> facets.workflow();
                    };
                    return choice(form, flag.toString(), new HubFacets.Count("true", count), Map.of());
                })
                .filter(choice -> choice.count() > 0 || choice.isChosen())
                .toList();
    }

    private static void add(
            List<Group> groups,
            SearchForm form,
            String title,
            String name,
            List<HubFacets.Count> counts,
            Map<String, String> labels) {
        var choices = new ArrayList<Choice>();
        for (var count : counts.subList(0, Math.min(SHOWN_VALUES, counts.size()))) {
            choices.add(choice(form, name, count, labels));
        }
        String chosen = form.filters().get(name);
        if (chosen != null && choices.stream().noneMatch(Choice::isChosen)) {
            long count = counts.stream()
                    .filter(value -> value.value().equals(chosen))
                    .mapToLong(HubFacets.Count::bundleCount)
                    .sum();
            choices.add(choice(form, name, new HubFacets.Count(chosen, count), labels));
        }
        if (!choices.isEmpty() && (choices.size() > 1 || chosen != null)) {
            groups.add(new Group("facet-" + name, title, choices));
        }
    }

    private static Choice choice(SearchForm form, String name, HubFacets.Count count, Map<String, String> labels) {
        boolean isChosen = form.has(name, count.value());
        return new Choice(
                label(name, count.value(), labels),
                form.with(name, isChosen ? null : count.value()).link().toString(),
                count.bundleCount(),
                isChosen);
    }

    private static String label(String name, String value, Map<String, String> labels) {
        return WireWords.find(HubFlag.class, name)
                .map(flag -> FLAGS.getOrDefault(flag, name))
                .orElseGet(() -> PageFormat.visible(labels.getOrDefault(value, value)));
    }

    /// Returns the chosen filters in the order of the page.
    static List<Chosen> chosen(SearchForm form, Map<String, String> categories) {
        return SearchForm.FILTERS.stream()
                .filter(form.filters()::containsKey)
                .map(name -> {
                    String value = Objects.requireNonNull(form.filters().get(name));
                    String label = switch (name) {
                        case "type" -> label(name, value, TYPES);
                        case "scripts" -> label(name, value, SCRIPTS);
                        case "license" ->
                            value.equals(HubFacet.NONE) ? "No license" : "License " + label(name, value, Map.of());
                        case "tool" ->
                            value.equals(HubFacet.NONE)
                                    ? "No allowed-tools in a skill"
                                    : "Tool " + label(name, value, Map.of());
                        case "namespace" -> "By " + label(name, value, Map.of());
                        case "category" -> label(name, value, categories);
                        default -> label(name, value, Map.of());
                    };
                    return new Chosen(label, form.with(name, null).link().toString());
                })
                .toList();
    }
}
