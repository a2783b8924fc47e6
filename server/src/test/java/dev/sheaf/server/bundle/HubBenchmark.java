package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Dialect;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.testing.Databases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How long the first and the next pages of the hub take over generated bundles of ten versions each. No test: run
/// [#main] with the engine (`SQLITE` or `POSTGRES`) and how many bundles there shall be.
public final class HubBenchmark {
    private static final int VERSIONS = 10;
    private static final int CHUNK = 500;
    private static final int ROUNDS = 60;
    private static final int WARM_UP = 20;
    private static final int VOCABULARY = 6_000;

    private final Database database;
    private final Random random = new Random(7);
    private final List<String> words;

    private HubBenchmark(Database database) {
        this.database = database;
        this.words = IntStream.range(0, VOCABULARY).mapToObj(i -> word()).toList();
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("hub-benchmark");
        try (var database = Databases.Kind.valueOf(arguments[0]).open(folder, InstantSource.system())) {
            var benchmark = new HubBenchmark(database);
            long start = System.nanoTime();
            benchmark.generate(Integer.parseInt(arguments[1]));
            System.out.printf(
                    "%s, %s bundles x %d versions, made in %d ms%n",
                    arguments[0], arguments[1], VERSIONS, (System.nanoTime() - start) / 1_000_000);
            benchmark.measure();
        }
        System.exit(0); // the PostgreSQL of the tests stops with the JVM
    }

    private String word() {
        return random.ints(3 + random.nextInt(7), 'a', 'z' + 1)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    /// Some words are frequent and most are rare, as in a language.
    private String text(int length) {
        return IntStream.range(0, length)
                .mapToObj(i -> words.get((int) (VOCABULARY * Math.pow(random.nextDouble(), 4))))
                .collect(Collectors.joining(" "));
    }

    private void generate(int bundles) {
        database.write(tx -> tx.handle()
                .createUpdate("INSERT INTO organization (id, handle, name, created_at) VALUES ('" + new UUID(0, 1)
                        + "', 'o', 'O', 0)")
                .execute());
        for (int from = 1; from <= bundles; from += CHUNK) {
            int first = from;
            int last = Math.min(bundles, from + CHUNK - 1);
            database.write(tx -> {
                IntStream.rangeClosed(first, last).forEach(id -> bundle(tx, id));
                return last;
            });
        }
        if (database.dialect() == Dialect.POSTGRES) {
            database.write(tx -> tx.handle().execute("ANALYZE"));
        }
    }

    private void bundle(Tx tx, int id) {
        String namespace = "ns-" + id % 200;
        tx.handle()
                .execute(
                        "INSERT INTO namespace (name, display_name, organization_id, created_at) VALUES (?, ?, ?, 0)"
                                + " ON CONFLICT DO NOTHING",
                        namespace,
                        namespace,
                        new UUID(0, 1).toString());
        tx.handle()
                .execute(
                        "INSERT INTO repository (id, namespace, name, visibility, created_at) VALUES (?, ?, ?, 'public', 0)",
                        id,
                        namespace,
                        words.get(id % VOCABULARY) + "-" + id);
        UUID bundle = new UUID(1, id);
        tx.handle()
                .execute(
                        "INSERT INTO bundle (id, repository_id, name, description, source_type, readme_content, keywords,"
                                + " created_at) VALUES (?, ?, ?, ?, 'registry', ?, ?, 0)",
                        bundle.toString(),
                        id,
                        text(2),
                        text(20) + " common",
                        "# " + text(250),
                        text(1) + "\n" + (id % 1_000 == 0 ? "legal" : "coding"));
        for (int i = 0; i < VERSIONS; i++) {
            version(tx, id, bundle, i);
        }
        popularity(tx, id);
        HubIndex.refresh(tx, id);
    }

    private void popularity(Tx tx, int id) {
        tx.handle()
                .execute(
                        "INSERT INTO hub_entry (repository_id, downloads, stars, trending) VALUES (?, ?, ?, ?)",
                        id,
                        (long) Math.pow(random.nextInt(100), 2),
                        random.nextInt(50),
                        random.nextInt(1_000_000));
        for (int day = 0; day < 30; day += 3) {
            tx.handle()
                    .execute(
                            "INSERT INTO download_day (repository_id, day, downloads, own) VALUES (?, ?, 3, 0)",
                            id,
                            Downloads.day(tx.now()) - day);
        }
    }

    private static void version(Tx tx, int id, UUID bundle, int number) {
        var version = Version.parse("1." + number + ".0");
        long manifest = (long) id * VERSIONS + number;
        UUID versionId = new UUID(2, manifest);
        var digest = Digest.sha256(Long.toString(manifest).getBytes(StandardCharsets.UTF_8));
        tx.handle()
                .execute(
                        "INSERT INTO manifest (id, repository_id, digest, media_type, size, leased_until, created_at, state,"
                                + " look_at, checked_at) VALUES (?, ?, ?, 'x', 1, 0, 0, 'ok', 0, 0)",
                        manifest,
                        id,
                        digest.toString());
        tx.handle()
                .execute(
                        "INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,"
                                + " published_at) VALUES (?, ?, ?, ?, ?, 1, ?, 'published', 1, ?)",
                        versionId.toString(),
                        bundle.toString(),
                        version.toString(),
                        version.precedence(),
                        version.sortKey(),
                        manifest,
                        1_000L * id + number);
        if (number == VERSIONS - 1) {
            var type = id % 1_000 == 1 ? AssetType.PROMPT : AssetType.SKILL;
            AssetRows.insert(
                    tx,
                    versionId,
                    List.of(new NewAsset(LogicalPath.parse("a/SKILL.md"), type, null, digest, 1, "text/plain")));
        }
    }

    private void measure() {
        var all = new Hub.Filter(null, null, null, null);
        for (var sort : Hub.Sort.values()) {
            time("all by " + sort, all, sort);
        }
        time("type skill (nearly all)", new Hub.Filter(null, AssetType.SKILL, null, null), Hub.Sort.DOWNLOADS);
        time("type prompt (1 in 1,000)", new Hub.Filter(null, AssetType.PROMPT, null, null), Hub.Sort.DOWNLOADS);
        time("category legal (1 in 1,000)", new Hub.Filter(null, null, null, "legal"), Hub.Sort.STARS);
        time("one publisher", new Hub.Filter(null, null, Namespace.parse("ns-7"), null), Hub.Sort.RECENT);
        for (String q : List.of(
                "common",
                words.get(0),
                words.get(0) + " " + words.get(3),
                words.get(400),
                words.get(5_900),
                words.get(0).substring(0, 2),
                "ns-7/x",
                "zzzzqqq")) {
            time("q=" + q, new Hub.Filter(Search.parse(q), null, null, null), Hub.Sort.RELEVANCE);
        }
        time(
                "q=common, by stars, skill",
                new Hub.Filter(Search.parse("common"), AssetType.SKILL, null, null),
                Hub.Sort.STARS);
    }

    private void time(String what, Hub.Filter filter, Hub.Sort sort) {
        var hub = new Hub(database);
        var first = new ArrayList<Hub.Found>();
        double[] page = millis(() -> {
            first.clear();
            first.addAll(hub.page(filter, sort, null, 21));
        });
        double[] next = first.size() < 21
                ? new double[] {0, 0, 0}
                : millis(() -> hub.page(filter, sort, first.get(19).place(), 21));
        System.out.printf(
                "%-30s %3d found; first page: least %6.2f ms, median %6.2f, p95 %6.2f; next: least %6.2f, median %6.2f%n",
                what, first.size(), page[0], page[1], page[2], next[0], next[1]);
    }

    private static double[] millis(Runnable work) {
        var times = new double[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            long start = System.nanoTime();
            work.run();
            if (i >= 0) {
                times[i] = (System.nanoTime() - start) / 1e6;
            }
        }
        Arrays.sort(times);
        return new double[] {times[0], times[ROUNDS / 2], times[ROUNDS * 95 / 100]};
    }
}
