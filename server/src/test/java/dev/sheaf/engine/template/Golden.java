package dev.sheaf.engine.template;

import dev.sheaf.engine.cpu.Budget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// Templates and what they give, as Shopify's own implementation renders them.
record Golden(Map<String, Object> variables, List<Pair> pairs) {
    static final Path FILE = Path.of("src/test/resources/dev/sheaf/engine/template/golden.json");
    static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-23T10:00:00Z"));

    record Pair(String template, String output) {}

    static Golden read() {
        try {
            return JsonMapper.shared().readValue(Files.readString(FILE), Golden.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String rendered(String template, Map<String, ?> variables) {
        return Template.parse(template).render(variables, CLOCK, Budget.of(Template.TIME));
    }
}
