package dev.sheaf.server.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.contract.ContractCheck;
import dev.sheaf.server.testing.contract.Examples;
import dev.sheaf.server.testing.contract.OpenApi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/// The examples of docs/openapi.yaml are answers of the service, and no answer is without one.
class ExamplesTest {
    private static final String SECTION = "  examples:\n";

    @TempDir
    private Path folder;

    /// An answer of the API, and the names of its examples.
    private record Described(String id, JsonNode schema, List<String> examples) {}

    @Test
    void everyAnswerHasAnExample() {
        var faults = new TreeMap<String, List<String>>();
        for (var answer : described()) {
            assertThat(answer.examples()).as(answer.id()).isNotEmpty();
            for (String name : answer.examples()) {
                var found = ContractCheck.faults(answer.schema(), Examples.inDocument(name));
                if (!found.isEmpty()) {
                    faults.putIfAbsent(name, found);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everyRequestHasAnExampleThatIsGood() {
        for (var operation : OpenApi.document().operations()) {
            JsonNode body = OpenApi.document().resolved(operation.node().path("requestBody"));
            JsonNode media = body.path("content").path("application/json");
            if (operation.path().startsWith("/v1/")
                    && body.path("required").asBoolean(false)
                    && !media.isMissingNode()) {
                JsonNode example = body.path("content").properties().stream()
                        .map(content -> content.getValue().path("example"))
                        .filter(JsonNode::isObject)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(operation + " has no example of its body"));
                assertThat(ContractCheck.faults(media.get("schema"), example))
                        .as(operation.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    void theServiceAnswersAsTheExamplesSay() throws Exception {
        var wanted = new TreeSet<String>();
        described().forEach(answer -> wanted.addAll(answer.examples()));
        try (var scenario = new ExamplesScenario(folder)) {
            var answers = new TreeMap<>(scenario.examples().answers());
            assertThat(scenario.seen())
                    .containsAll(described().stream()
                            .map(Described::id)
                            .filter(id -> !id.endsWith("-default"))
                            .toList());
            assertThat(answers.keySet()).containsAll(wanted);
            answers.keySet().retainAll(wanted);
            if ("write".equals(System.getProperty("sheaf.examples"))) {
                write(answers);
                return;
            }
            var shown = new TreeMap<String, JsonNode>();
            Examples.section()
                    .properties()
                    .forEach(example ->
                            shown.put(example.getKey(), example.getValue().get("value")));

            assertThat(shown.keySet()).isEqualTo(answers.keySet());
            answers.forEach(
                    (name, answer) -> assertThat(shown.get(name)).as(name).isEqualTo(answer));
        }
    }

    /// Every success with JSON, and every refusal.
    private static List<Described> described() {
        var document = OpenApi.document();
        var found = new ArrayList<Described>();
        for (var operation : document.operations()) {
            if (!operation.path().startsWith("/v2")) {
                operation.node().get("responses").properties().forEach(response -> {
                    JsonNode content = document.resolved(response.getValue()).path("content");
                    JsonNode media = content.path(
                            response.getKey().equals("default") ? "application/problem+json" : "application/json");
                    if (!media.isMissingNode()) {
                        found.add(new Described(
                                operation.id() + "-" + response.getKey(), media.get("schema"), names(media)));
                    }
                });
            }
        }
        return found;
    }

    private static List<String> names(JsonNode media) {
        return media.path("examples").properties().stream()
                .map(example -> example.getValue().path("$ref").asString("").replace("#/components/examples/", ""))
                .toList();
    }

    /// Replaces the last section of the document.
    private static void write(Map<String, JsonNode> answers) throws Exception {
        String document = Files.readString(OpenApi.FILE);
        var section = new LinkedHashMap<String, Object>();
        answers.forEach((name, answer) -> section.put(name, Map.of("value", answer)));
        String yaml = YAMLMapper.builder()
                .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER, YAMLWriteFeature.SPLIT_LINES)
                .enable(YAMLWriteFeature.INDENT_ARRAYS_WITH_INDICATOR)
                .build()
                .writeValueAsString(section);
        int at = document.lastIndexOf(SECTION.strip());
        assertThat(at).isPositive();
        Files.writeString(
                OpenApi.FILE, document.substring(0, document.lastIndexOf('\n', at) + 1) + SECTION + yaml.indent(4));
    }
}
