package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// Every type of event has its schema and stands in docs/events.md, with an example that is made here.
class EventTypesTest {
    private static final Path GUIDE = Path.of("../docs/events.md");
    private static final Path SCHEMAS = Path.of("../docs/events.schema.json");
    private static final String BEGIN = "The examples are made by a test.\n";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final UUID ID = UUID.fromString("0199d3c4-7a10-7cc0-8000-5d6f6e1c2b3a");

    private static final Map<String, Object> SAMPLES = Map.ofEntries(
            Map.entry("bundle", "acme/kit"),
            Map.entry("version", "1.2.0"),
            Map.entry("digest", "sha256:" + "0123456789abcdef".repeat(4)),
            Map.entry("tag", "stable"),
            Map.entry("visibility", "public"),
            Map.entry("namespace", "acme"),
            Map.entry("handle", "acme"),
            Map.entry("organization", ID.toString()),
            Map.entry("from", "acme"),
            Map.entry("to", "globex"),
            Map.entry("name", "ci"),
            Map.entry("email", "ada@example.org"),
            Map.entry("role", "publisher"),
            Map.entry("scope", "write"),
            Map.entry("state", "active"),
            Map.entry("severity", "critical"),
            Map.entry("worst", "high"),
            Map.entry("findings", 2),
            Map.entry("cause", "recalled"),
            Map.entry("hint", "shf_…ple0"),
            Map.entry("reason", "Loses data on rename"),
            Map.entry("message", "No longer maintained"),
            Map.entry("provider", "github"),
            Map.entry("issuer", "https://token.actions.githubusercontent.com"),
            Map.entry("retiresAt", "2026-01-22T09:00:00Z"),
            Map.entry("expiresAt", "2026-01-29T09:00:00Z"),
            Map.entry("expiredAt", "2026-01-15T09:00:00Z"),
            Map.entry("tokenId", ID.toString()),
            Map.entry("madeFor", "key:" + ID),
            Map.entry("host", "hooks.example.org"),
            Map.entry("daysLeft", 14),
            Map.entry("queue", "reviews"),
            Map.entry("jobType", "review"),
            Map.entry("attempts", 3),
            Map.entry("repositories", List.of("acme/kit")),
            Map.entry("repositoryCount", 1),
            Map.entry("purged", false));

    private static Map<String, Event> examples() throws ReflectiveOperationException {
        var examples = new TreeMap<String, Event>();
        for (var type : records(Event.class).distinct().toList()) {
            for (Object variant : variants(type)) {
                var components = type.getRecordComponents();
                var values = Arrays.stream(components)
                        .map(component -> sample(component, variant))
                        .toArray();
                var made = type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
                made.setAccessible(true);
                var event = (Event) made.newInstance(values);
                examples.put(event.type(), event);
            }
        }
        return examples;
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses()).flatMap(EventTypesTest::records);
    }

    /// What the name of the type depends on.
    private static List<?> variants(Class<?> type) {
        if (type.equals(Event.TransferEnded.class)) {
            return List.copyOf(Event.TransferEnded.OUTCOMES);
        }
        if (type.equals(JobEnded.class)) {
            return List.copyOf(JobEnded.OUTCOMES);
        }
        return type.equals(Event.UserTotpChanged.class) ? List.of(true, false) : List.of("");
    }

    private static Object sample(RecordComponent component, Object variant) {
        String name = component.getName();
        if (name.equals("outcome") || name.equals("enabled")) {
            return variant;
        }
        if (component.getDeclaringRecord().equals(OfWebhook.WebhookDisabled.class) && name.equals("reason")) {
            return "failing";
        }
        if (component.getType().equals(UUID.class)) {
            return ID;
        }
        return Objects.requireNonNull(SAMPLES.get(name), "there is no sample of " + component);
    }

    @Test
    void everyTypeHasASchemaThatItsEventsFit() throws Exception {
        var examples = examples();
        var schemas = JSON.readTree(Files.readString(SCHEMAS));
        var registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

        assertThat(schemas.get("$defs").propertyNames())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(Stream.of("actor"), examples.keySet().stream())
                        .toList());
        examples.forEach((type, event) -> {
            var one = schemas.deepCopy();
            ((tools.jackson.databind.node.ObjectNode) one).put("$ref", "#/$defs/" + type);
            var schema = registry.getSchema(JSON.writeValueAsString(one));
            var written = JSON.valueToTree(event);

            assertThat(schema.validate(JSON.writeValueAsString(written), InputFormat.JSON))
                    .as(type)
                    .extracting(Error::toString)
                    .isEmpty();
            assertThat(one.at("/$defs/" + type + "/required").valueStream().map(name -> name.stringValue()))
                    .as(type)
                    .containsExactlyElementsOf(written.propertyNames());
            assertThat(schema.validate("{}", InputFormat.JSON)).as(type).isNotEmpty();
        });
    }

    /// Without ids and digests, which are the same in all examples.
    private static String brief(String text) {
        return text.replace(ID.toString(), "…").replace("0123456789abcdef".repeat(4), "…");
    }

    @Test
    void everyTypeStandsInTheGuide() throws Exception {
        var written = new StringBuilder("\n| Type | Subject | Who | `data` |\n|---|---|---|---|\n");
        for (var example : examples().entrySet()) {
            var event = example.getValue();
            String who = event.audience().name().toLowerCase(java.util.Locale.ROOT)
                    + (event instanceof Event.OfHub ? ", hub" : "");
            var data = new LinkedHashMap<String, Object>();
            JSON.valueToTree(event).properties().forEach(member -> data.put(member.getKey(), member.getValue()));
            written.append("| `%s` | `%s` | %s | `%s` |\n"
                    .formatted(example.getKey(), brief(event.subject()), who, brief(JSON.writeValueAsString(data))));
        }
        String guide = Files.readString(GUIDE);
        int begin = guide.indexOf(BEGIN) + BEGIN.length();

        if ("write".equals(System.getProperty("sheaf.examples"))) {
            Files.writeString(GUIDE, guide.substring(0, begin) + written);
        }
        assertThat(Files.readString(GUIDE).substring(begin)).isEqualTo(written.toString());
    }
}
