package dev.sheaf.engine.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/// docs/templates.md says what is so.
class TemplateGuideTest {
    private static final Pattern BLOCK = Pattern.compile("```(json|liquid|text)\n(.*?)\n```", Pattern.DOTALL);

    private record Example(String template, String output) {}

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/templates.md"));
    }

    private static Map<?, ?> values() throws IOException {
        var blocks = BLOCK.matcher(page());
        assertThat(blocks.find() && blocks.group(1).equals("json")).isTrue();
        return JsonMapper.shared().readValue(blocks.group(2), Map.class);
    }

    private static List<Example> examples() throws IOException {
        var examples = new ArrayList<Example>();
        for (var blocks = BLOCK.matcher(page()); blocks.find(); ) {
            if (blocks.group(1).equals("liquid")) {
                String template = blocks.group(2);
                assertThat(blocks.find() && blocks.group(1).equals("text"))
                        .as("after each template there is its output")
                        .isTrue();
                examples.add(new Example(template, blocks.group(2)));
            }
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void showsWhatATemplateGives(Example example) throws IOException {
        String shown;
        try {
            shown = Golden.rendered(
                    example.template,
                    values().entrySet().stream()
                            .collect(Collectors.toMap(entry -> String.valueOf(entry.getKey()), Map.Entry::getValue)));
        } catch (TemplateException e) {
            shown = String.valueOf(e.getMessage());
        }

        assertThat(shown.replaceAll(" +(?=\n|$)", "")).isEqualTo(example.output);
    }

    @Test
    void namesAllFilters() throws IOException {
        String section = page().substring(page().indexOf("## Filters"));
        String list = section.substring(section.indexOf("- Text"), section.indexOf("A filter of"));
        var named = Pattern.compile("`([a-z_]+)`")
                .matcher(list)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).containsExactlyElementsOf(new TreeSet<>(Filters.names()));
    }
}
