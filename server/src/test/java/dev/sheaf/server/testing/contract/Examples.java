package dev.sheaf.server.testing.contract;

import dev.sheaf.server.testing.Reply;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Answers of one scenario without what differs from run to run: ids are numbered in the order in which they
/// are first seen, secrets, keys and ETags are those of nobody.
public final class Examples {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern UUID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    private static final Pattern SECRET = Pattern.compile("shf_[0-9A-Za-z]{36}");
    private static final Pattern HINT = Pattern.compile("shf_…[0-9A-Za-z]{4}");
    private static final Pattern SEED = Pattern.compile("\\b[A-Z2-7]{32}\\b");
    private static final Pattern RECOVERY = Pattern.compile("([a-z2-9]{4}-){6}[a-z2-9]{4}");
    private static final Pattern ETAG = Pattern.compile("\\\\\"[0-9a-f]{32}\\\\\"");
    private static final Pattern PUBLIC_KEY = Pattern.compile("\"(kid|x)\":\"[0-9A-Za-z_-]+\"");
    private static final Pattern TOKEN = Pattern.compile(
            "\"(accessToken|access_token|refresh_token|device_code|passwordToken|token)\":\"(sh[a-z]_)?[^\"]+\"");
    private static final Pattern TOKEN_ID = Pattern.compile("\"jti\":\"[^\"]+\"");
    private static final Pattern CURSOR_OF_EVENTS = Pattern.compile("\"nextCursor\":\"[0-9A-Za-z_-]{48}\"");
    private static final Pattern USER_CODE = Pattern.compile("[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}");
    private static final Pattern RECEIVER = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");
    private static final Pattern OF_WEBHOOKS = Pattern.compile("\"(whsec_|whpk_)[0-9A-Za-z+/]+=\"");
    private static final Pattern MILLISECONDS = Pattern.compile("\"milliseconds\":[0-9]+");
    // A version is read when it is published, or within seconds.
    private static final Pattern READ_EXTENT = Pattern.compile("\"readExtent\":\"none\"");
    private static final Pattern NODE = Pattern.compile("\"running\":\\[\\{\"name\":\"[^\"]*\"");
    private static final Pattern HEAP = Pattern.compile("\"heapUsed\":[0-9]+,\"heapMax\":[0-9]+");
    private static final Pattern DISK = Pattern.compile("\"disk\":\\{\"total\":[0-9]+,\"free\":[0-9]+");
    private static final Pattern ABOUT_DISK = Pattern.compile("\"about\":\"[^\"]* are free");
    private static final Pattern ABOUT_READS = Pattern.compile("a read takes [^;\"]* ms");
    private static final Pattern DELIVERIES = Pattern.compile("\"deliveriesWaiting\":[0-9]+,\"webhooks\":\\[[^]]*\\],");
    private static final Pattern SETTINGS = Pattern.compile("\"settings\":\\[\\{.*?\\}\\],\"span\"");
    private static final Pattern SAMPLES = Pattern.compile("\"samples\":\\[.*?\\](?=\\})");
    // What the service adds behind a request's back, sooner or later.
    private static final Pattern LATER =
            Pattern.compile(",\"(lastUsedAt|lastUsedFrom|seq|hash)\":(\"[^\"]+\"|[0-9]+)(?!.*\"current\":)");

    private final Map<String, String> ids = new LinkedHashMap<>();
    private final Map<String, JsonNode> answers = new LinkedHashMap<>();

    /// Keeps the first answer of a name.
    public void add(String name, Reply reply) {
        JsonNode plain = plain(reply.text());
        answers.putIfAbsent(name, plain);
    }

    /// By name, in the order of the scenario.
    public Map<String, JsonNode> answers() {
        return answers;
    }

    private JsonNode plain(String text) {
        String known = UUID.matcher(text).replaceAll(this::number);
        known = SECRET.matcher(known).replaceAll("shf_" + "Example".repeat(5) + "0");
        known = HINT.matcher(known).replaceAll("shf_…ple0");
        known = SEED.matcher(known).replaceAll("EXAMPLE2".repeat(4));
        known = RECOVERY.matcher(known).replaceAll("exam-ple2-exam-ple2-exam-ple2-exam");
        known = ETAG.matcher(known)
                .replaceAll(Matcher.quoteReplacement("\\\"" + "0123456789abcdef".repeat(2) + "\\\""));
        known = PUBLIC_KEY.matcher(known).replaceAll("\"$1\":\"" + "Example".repeat(6) + "A\"");
        known = TOKEN.matcher(known).replaceAll("\"$1\":\"$2" + "Example".repeat(6) + "\"");
        known = CURSOR_OF_EVENTS.matcher(known).replaceAll("\"nextCursor\":\"" + "Example0".repeat(6) + "\"");
        known = RECEIVER.matcher(known).replaceAll("https://hooks.example.org/");
        known = OF_WEBHOOKS.matcher(known).replaceAll("\"$1" + "Example".repeat(6) + "A=\"");
        known = MILLISECONDS.matcher(known).replaceAll("\"milliseconds\":42");
        known = TOKEN_ID.matcher(known).replaceAll("\"jti\":\"ExampleExampleExample\"");
        known = READ_EXTENT.matcher(known).replaceAll("\"readExtent\":\"whole\"");
        known = NODE.matcher(known).replaceAll("\"running\":[{\"name\":\"node-a\"");
        known = HEAP.matcher(known).replaceAll("\"heapUsed\":134217728,\"heapMax\":536870912");
        known = DISK.matcher(known).replaceAll("\"disk\":{\"total\":107374182400,\"free\":64424509440");
        known = ABOUT_DISK.matcher(known).replaceAll("\"about\":\"60 GiB of 100 GiB are free");
        known = ABOUT_READS.matcher(known).replaceAll("a read takes less than 1 ms");
        known = DELIVERIES.matcher(known).replaceAll("\"deliveriesWaiting\":0,\"webhooks\":[],");
        known = SETTINGS.matcher(known)
                .replaceAll(
                        "\"settings\":[{\"name\":\"port\",\"value\":\"8443\",\"source\":\"flag --port\"}],\"span\"");
        known = SAMPLES.matcher(known).replaceAll("\"samples\":[]");
        known = USER_CODE.matcher(known).replaceAll("WDJB-MJHT"); // of RFC 8628
        return JSON.readTree(LATER.matcher(known).replaceAll(""));
    }

    private String number(MatchResult id) {
        return ids.computeIfAbsent(
                id.group(), unknown -> String.format(Locale.ROOT, "0197f3a0-0000-7000-8000-%012d", ids.size() + 1));
    }

    /// The example of the document; null where there is none.
    public static JsonNode inDocument(String name) {
        return OpenApi.document().root().at("/components/examples/" + name + "/value");
    }

    /// What stands under `components/examples`.
    public static ObjectNode section() {
        return (ObjectNode) OpenApi.document().root().at("/components/examples");
    }
}
