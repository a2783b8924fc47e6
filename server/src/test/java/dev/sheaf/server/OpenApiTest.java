package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Databases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// docs/openapi.yaml and the route table say the same.
class OpenApiTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    @TempDir
    private Path folder;

    @Test
    void everyRouteIsDescribedWithItsScopeAndNothingElseIs() throws Exception {
        JsonNode document = new YAMLMapper().readTree(Files.readString(Path.of("../docs/openapi.yaml")));
        var described = new ArrayList<String>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    if (METHODS.contains(operation.getKey())) {
                        described.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey() + " needs "
                                + operation.getValue().path("x-sheaf-scope").asString("nothing that is written down"));
                    }
                }));
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder)) {
            var routes = app.routes().stream()
                    .map(route ->
                            route.method() + " " + route.pattern().replace("...}", "}") + " needs " + route.need());

            assertThat(described).containsExactlyInAnyOrderElementsOf(routes.toList());
        }
    }

    @Test
    void theDocumentIsServed() throws Exception {
        try (var app = TestApp.start(Databases.Kind.SQLITE, folder)) {
            var reply = app.get("/v1/openapi.yaml", null);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text()).isEqualTo(Files.readString(Path.of("../docs/openapi.yaml")));
        }
    }
}
