package dev.sheaf.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.server.registry.RegistryFixture;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What a list of the hub is asked for: categories, words, filters, places.
class HubListsTest {
    @Test
    void aBundleIsInTheCategoriesThatItsKeywordsName() {
        assertThat(HubCategories.of(List.of("Coding", " data ", "codings", "CODING", "capability:legal")))
                .containsExactly("coding", "data");
    }

    @Test
    void theCategoriesAreListedBySlug() {
        assertThat(HubCategories.all())
                .extracting(HubCategories.Category::slug)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void whatIsTypedIsCutIntoWordsAndTheNamesThatItMayBe() {
        assertThat(SearchQuery.parse("Acme/Linux Triage"))
                .isEqualTo(new SearchQuery(
                        List.of("acme", "linux", "triage"),
                        List.of("linux triage", "acme-linux-triage"),
                        "acme",
                        "acme linux triage"));
        assertThat(SearchQuery.parse("a b c d e f g h i j").terms()).hasSize(8);
        assertThat(SearchQuery.parse("  %* ").terms()).isEmpty();
        RegistryFixture.assertProblem(Problem.ValidationFailed.class, () -> SearchQuery.parse("x".repeat(201)));
    }

    @Test
    void eachFilterIsAFacetOfItsOwnName() {
        var filter = new Hub.Filter(
                null,
                AssetType.SKILL,
                Namespace.parse("acme"),
                "coding",
                "MIT",
                "Bash",
                "none",
                Set.of(HubFlag.SIGNED, HubFlag.WORKFLOW, HubFlag.CLEAN));

        assertThat(filter.facets())
                .extracting(HubRows.Among::values)
                .containsExactly(
                        List.of("category", "category:coding"),
                        List.of("license", "license:MIT"),
                        List.of("namespace", "namespace:acme"),
                        List.of("scripts", "scripts:none"),
                        List.of("tool", "tool:Bash"),
                        List.of("type", "type:skill"),
                        List.of(),
                        List.of("clean", "flag:clean"),
                        List.of("workflow", "flag:workflow"));
        assertThat(new Hub.Filter(null, null, null, null).facets()).isEmpty();
    }

    @Test
    void whatMatchesIsMarkedByTheRulesOfTheIndex() {
        var marks = SearchMarks.of("Review cafe 数 <b");

        assertThat(marked(marks, "A reviewer previews reviews")).isEqualTo("A [review]er previews [review]s");
        assertThat(marked(marks, "CAFÉ-Bar, cafe\u0301s")).isEqualTo("[CAFÉ]-Bar, [cafe\u0301s]");
        assertThat(marked(marks, "数据 <b>b</b>")).isEqualTo("[数]据 <b>b</b>".replace("b", "[b]"));
        assertThat(marked(marks, "")).isEmpty();
        assertThat(marked(SearchMarks.of("x".repeat(201)), "xx")).isEqualTo("xx");
        assertThat(marked(SearchMarks.NONE, "all")).isEqualTo("all");
    }

    private static String marked(SearchMarks marks, String text) {
        return marks.in(text).stream()
                .map(part -> part.isMarked() ? "[" + part.text() + "]" : part.text())
                .collect(Collectors.joining());
    }

    @Test
    void aPlaceInAListTravelsAsText() {
        var position = new HubSearch.Position(2, 17, 4);

        assertThat(HubSearch.Position.parse(position.toString())).isEqualTo(position);
        for (String wrong : List.of("", "1:2", "-1:2:3", "1:2:x", "1:2:3:4")) {
            RegistryFixture.assertProblem(Problem.InvalidCursor.class, () -> HubSearch.Position.parse(wrong));
        }
    }
}
