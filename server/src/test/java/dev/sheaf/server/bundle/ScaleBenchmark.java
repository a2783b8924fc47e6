package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// How long requests take over some numbers of bundles of ten versions each, over HTTP, one request at a time, on
/// one node with SQLite and one with PostgreSQL. No test: run [#main] with the numbers, or `make scale`.
public final class ScaleBenchmark {
    /// Content is made as rows alone, which the scrub would find damaged, one by one.
    private static final Map<String, String> QUIET =
            Map.of("scrub-days", "0", "gc-interval", "PT0S", "sweep-interval", "PT0S");

    private static final int ROUNDS = 80;
    private static final int WARM_UP = 40;

    /// @param median and the next in milliseconds
    private record Times(double median, double p95) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.2f | %.2f", median, p95);
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final TestApp app;
    private final ManyBundles content;
    private final int bundles;
    private final Random random = new Random(3);
    private final Map<String, Times> results = new LinkedHashMap<>();

    private ScaleBenchmark(TestApp app, int bundles) {
        this.app = app;
        this.content = new ManyBundles(app.database());
        this.bundles = bundles;
    }

    public static void main(String[] arguments) throws IOException {
        var rows = new LinkedHashMap<String, Map<String, List<String>>>();
        for (String argument : arguments) {
            int number = Integer.parseInt(argument);
            for (var stack : List.of(Stack.SQLITE, Stack.POSTGRES)) {
                try (var app =
                        TestApp.start(stack, Files.createTempDirectory("scale"), InstantSource.system(), QUIET)) {
                    new ScaleBenchmark(app, number)
                            .run(stack)
                            .forEach((what, times) -> rows.computeIfAbsent(what, key -> new LinkedHashMap<>())
                                    .computeIfAbsent(
                                            String.format(Locale.ROOT, "%,d", number), key -> new ArrayList<>())
                                    .add(times.toString()));
                }
            }
        }
        System.out.println("| Request | Bundles | SQLite median ms | p95 | PostgreSQL median ms | p95 |");
        System.out.println("|---|--:|--:|--:|--:|--:|");
        rows.forEach((what, numbers) -> numbers.forEach((number, times) ->
                System.out.println("| " + what + " | " + number + " | " + String.join(" | ", times) + " |")));
        System.exit(0); // the PostgreSQL of the tests stops with the JVM
    }

    private Map<String, Times> run(Stack stack) {
        long start = System.nanoTime();
        content.generate(bundles);
        System.err.printf("%s: %,d bundles made in %d ms%n", stack, bundles, (System.nanoTime() - start) / 1_000_000);
        lists();
        hub();
        skills();
        resolve();
        time("publish of one more version", this::publish);
        return results;
    }

    /// Not as tests do it, which compare every answer with the API's description.
    private HttpResponse<byte[]> get(String path, @Nullable String key) {
        return send(app.request("GET", path, key, null));
    }

    private HttpResponse<byte[]> post(String path, String json) {
        return send(app.request("POST", path, app.admin(), json));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String any() {
        return "/v1/namespaces/" + ManyBundles.name(1 + random.nextInt(bundles)).replace("/", "/bundles/");
    }

    private void lists() {
        String list = "/v1/namespaces/" + ManyBundles.LARGE + "/bundles?limit=50";
        time("bundles of a namespace, first page", i -> get(list, null));
        String deep = deepest(list);
        time("bundles of a namespace, last page", i -> get(deep, null));
        time("versions of a bundle", i -> get(any() + "/versions?limit=50", null));
        time("tags of a bundle", i -> get(any() + "/tags?limit=50", null));
        time("catalog, first 100", i -> get("/v2/_catalog?n=100", app.admin()));
    }

    /// The last page that is full, or the first.
    private String deepest(String list) {
        String page = list;
        String next = list;
        while (!next.isEmpty()) {
            var reply = expect(get(next, null));
            page = next;
            var cursor = JsonMapper.shared().readTree(reply.body()).get("meta").get("nextCursor");
            next = cursor.isNull() ? "" : list + "&cursor=" + cursor.stringValue();
        }
        return page;
    }

    private void hub() {
        for (String sort : List.of("relevance", "recent", "downloads", "stars", "trending")) {
            hub("all, by " + sort, "sort=" + sort);
        }
        hub("type skill (nearly all)", "type=skill&sort=downloads");
        hub("type prompt (1 in 1,000)", "type=prompt&sort=downloads");
        hub("category legal (1 in 1,000)", "category=legal&sort=stars");
        hub("a word in all", "q=common");
        hub("a frequent word", "q=" + content.word(0));
        hub("two frequent words", "q=" + content.word(0) + "%20" + content.word(3));
        hub("a word less frequent", "q=" + content.word(400));
        hub("a rare word", "q=" + content.word(5_900));
        hub("two letters", "q=" + content.word(0).substring(0, 2));
        hub("a reference", "q=" + ManyBundles.name(1).replace("/", "%2F"));
        hub("nothing", "q=zzzzqqq");
        hub("a word in all, skills by stars", "q=common&type=skill&sort=stars");
        hub("all, with facets", "facets=true&sort=recent");
        hub("a word in all, with facets and skills", "q=common&facets=true&skills=true");
        hub("a frequent word, with facets and skills", "q=" + content.word(0) + "&facets=true&skills=true");
        hub("a rare word, with facets and skills", "q=" + content.word(5_900) + "&facets=true&skills=true");
        hub("license MIT, tool Bash, with facets", "license=MIT&tool=Bash&facets=true&sort=downloads");
        hub("signed (nearly none), with facets", "signed=true&facets=true&sort=downloads");
        hub("misspelled, with facets", "q=commmon&facets=true");
        time("page: all", i -> get("/", null));
        time("page: a word in all", i -> get("/?q=common", null));
        time("hub: one publisher", i -> get("/v1/hub/publishers/" + ManyBundles.LARGE + "/bundles", null));
        time("hub: categories", i -> get("/v1/hub/categories", null));
        time("hub: one bundle", i -> get("/v1/hub/bundles/" + ManyBundles.name(1 + random.nextInt(bundles)), null));
    }

    private void hub(String what, String query) {
        time("hub: " + what, i -> get("/v1/hub/bundles?" + query, null));
    }

    /// What `skills find` asks.
    private void skills() {
        skills("a word in all", "common", 20);
        skills("a word in all, 100 at once", "common", 100);
        skills("two frequent words", content.word(0) + "%20" + content.word(3), 20);
        skills("a rare word", content.word(5_900), 20);
    }

    /// All words are in some bundles, so an empty answer would be the time of nothing.
    private void skills(String what, String words, int limit) {
        String path = "/api/search?q=" + words + "&limit=" + limit;
        if (JsonMapper.shared().readTree(get(path, null).body()).get("skills").isEmpty()) {
            throw new IllegalStateException("nothing is found by " + path);
        }
        time("skills: " + what, i -> get(path, null));
    }

    private void resolve() {
        time("resolve, all memory dropped before", i -> {
            String path = any() + ":resolve?version=%5E1";
            app.database().write(tx -> {
                tx.changed(new DataChange(DataChange.Kind.EVERYTHING, ""));
                return path;
            });
            return timed(() -> get(path, null));
        });
        String hot = any() + ":resolve?version=%5E1";
        time("resolve, again", i -> get(hot, null));
    }

    private HttpResponse<byte[]> publish(int round) {
        return post(any() + ":push", """
                {"name": "Kit", "version": "2.%d.%d",
                 "manifest": [{"logicalPath": "SKILL.md", "contentText": "# %d"}]}""".formatted(random.nextInt(1_000_000), round + WARM_UP, round));
    }

    private long taken;

    /// For requests that need something done before them that is not measured.
    private HttpResponse<byte[]> timed(Supplier<HttpResponse<byte[]>> request) {
        long start = System.nanoTime();
        var reply = request.get();
        taken = System.nanoTime() - start;
        return reply;
    }

    private static HttpResponse<byte[]> expect(HttpResponse<byte[]> reply) {
        if (reply.statusCode() >= 300) {
            throw new IllegalStateException(
                    reply.uri() + ": " + reply.statusCode() + " " + new String(reply.body(), StandardCharsets.UTF_8));
        }
        return reply;
    }

    private void time(String what, IntFunction<HttpResponse<byte[]>> request) {
        var times = new double[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            taken = 0;
            long start = System.nanoTime();
            var reply = request.apply(i);
            long all = System.nanoTime() - start;
            expect(reply);
            if (i >= 0) {
                times[i] = (taken == 0 ? all : taken) / 1e6;
            }
        }
        Arrays.sort(times);
        results.put(what, new Times(times[ROUNDS / 2], times[ROUNDS * 95 / 100]));
    }
}
