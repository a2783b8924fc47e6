package dev.sheaf.server.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.contract.OpenApi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;

/// docs/openapi.yaml and the route table say the same.
class OpenApiTest {
    @TempDir
    private Path folder;

    @Test
    void everyRouteIsDescribedWithItsScopeAndNothingElseIs() throws Exception {
        var described = OpenApi.document().operations().stream()
                .map(operation -> operation + " needs "
                        + operation.node().path("x-sheaf-scope").asString("nothing that is written down"))
                .toList();
        try (var app = TestApp.start(folder)) {
            var routes = app.routes().stream()
                    .map(route ->
                            route.method() + " " + route.pattern().replace("...}", "}") + " needs " + route.need());

            assertThat(described).containsExactlyInAnyOrderElementsOf(routes.toList());
        }
    }

    /// YAML 1.2 has no key twice in one mapping, and strict readers refuse the whole document for it.
    @Test
    void theDocumentIsStrictYaml() throws Exception {
        var strict = new Load(LoadSettings.builder()
                .setAllowDuplicateKeys(false)
                .setCodePointLimit(16 << 20)
                .build());

        assertThat(strict.loadFromString(Files.readString(OpenApi.FILE)))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("openapi", "3.1.0");
        assertThatThrownBy(() -> strict.loadFromString("a: 1\na: 2\n")).hasMessageContaining("duplicate");
    }

    /// Generators read such a choice as a type of its own, or die of it.
    @Test
    void noChoiceIsBetweenSomethingAndNothing() {
        assertThat(OpenApi.document().root().findValues("oneOf")).isEmpty();
    }

    @Test
    void everyOperationHasADescription() {
        assertThat(OpenApi.document().operations())
                .allSatisfy(operation -> assertThat(
                                operation.node().path("description").asString(""))
                        .as(operation.id())
                        .hasSizeGreaterThan(10));
    }

    @Test
    void everyOperationHasAnIdOfItsOwn() {
        assertThat(OpenApi.document().operations().stream().map(OpenApi.Operation::id))
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    /// What is answered with an ETag is answered with 304 to who has it.
    @Test
    void everyJsonThatIsReadMayBeUnmodified() {
        var document = OpenApi.document();

        assertThat(document.operations())
                .filteredOn(operation -> operation.method() == RouteMethod.GET
                        && !operation.path().startsWith("/v2")
                        && document.response(operation, 200) instanceof JsonNode ok
                        && ok.path("content").has("application/json"))
                .isNotEmpty()
                .allSatisfy(operation -> {
                    assertThat(document.response(operation, 304))
                            .as(operation + " 304")
                            .isNotNull();
                    assertThat(operation.node().get("parameters").toString()).contains("IfNoneMatch");
                });
    }

    /// Names say what a value is, and clients rely on it: hashes, digests, times and ids have a pattern.
    @Test
    void namesSayWhatValuesAre() {
        var loose = new ArrayList<String>();
        OpenApi.document().root().at("/components/schemas").properties().stream()
                .filter(schema -> !schema.getKey().endsWith("Request"))
                .forEach(schema -> findLoose(schema.getKey(), schema.getValue(), loose));

        assertThat(loose).isEmpty();
    }

    private static void findLoose(String place, JsonNode node, List<String> loose) {
        node.path("properties").properties().forEach(member -> {
            String name = member.getKey();
            var schema = OpenApi.document().strict(member.getValue());
            if (name.matches("(id|.+Id|.+At|at|.+Sha256|digest|.+Digest|leasedUntil|version|ref)")
                    && !(schema.has("pattern") || place.equals("Tag") || isNumber(schema))) {
                loose.add(place + "." + name);
            }
        });
        node.forEach(inner -> findLoose(place, inner, loose));
    }

    /// Of a thing that is counted, such as the version of an instruction.
    private static boolean isNumber(JsonNode schema) {
        return schema.path("type").asString("").equals("integer");
    }

    @Test
    void everyProblemIsDescribed() throws Exception {
        var codes = new ArrayList<String>();
        OpenApi.document()
                .root()
                .at("/components/schemas/Problem/properties/code/enum")
                .forEach(code -> codes.add(code.stringValue()));
        try (var app = TestApp.start(folder)) {
            var pages = Pattern.compile("/problems/([a-z-]+)\"")
                    .matcher(app.get("/problems", null).text())
                    .results()
                    .map(link -> link.group(1));

            assertThat(codes).containsExactlyInAnyOrderElementsOf(pages.toList());
        }
    }

    @Test
    void theDocumentIsServed() throws Exception {
        try (var app = TestApp.start(folder)) {
            var reply = app.get("/v1/openapi.yaml", null);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text()).isEqualTo(Files.readString(Path.of("../docs/openapi.yaml")));
        }
    }
}
