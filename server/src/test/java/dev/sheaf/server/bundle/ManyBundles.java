package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.tag.LatestTag;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.StoredManifest;
import dev.sheaf.server.registry.tag.Tags;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Public bundles of ten versions each, written as rows, since to push a hundred thousand versions would take
/// longer than to measure them. Half of them are in one namespace, the rest in 200. Their content is a digest
/// without bytes.
final class ManyBundles {
    static final int VERSIONS = 10;
    static final String LARGE = "large";
    private static final int CHUNK = 500;
    private static final int VOCABULARY = 6_000;
    private static final List<String> LICENSES = List.of("MIT", "Apache-2.0", "MIT", "BSD-3-Clause", "MIT");
    private static final List<String> TOOLS = List.of("Bash", "Read", "Grep", "WebFetch", "Write");
    private static final String ACTOR = "benchmark";

    private final Database database;
    private final Tags tags;
    private final Random random = new Random(7);
    private final List<String> words;

    ManyBundles(Database database) {
        this.database = database;
        this.tags = new Tags(database);
        this.words = IntStream.range(0, VOCABULARY).mapToObj(i -> word()).toList();
    }

    String word(int number) {
        return words.get(number);
    }

    /// The name of the bundle of that number, from 1 on.
    static String name(int id) {
        return (id % 2 == 0 ? LARGE : "ns-" + id % 200) + "/bundle-" + id;
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

    void generate(int bundles) {
        var organization = database.read(tx -> tx.handle()
                .createQuery("SELECT id FROM organization WHERE handle = 'default'")
                .mapTo(UUID.class)
                .one());
        for (int from = 1; from <= bundles; from += CHUNK) {
            int first = from;
            int last = Math.min(bundles, from + CHUNK - 1);
            database.write(tx -> {
                IntStream.rangeClosed(first, last).forEach(id -> bundle(tx, organization, id));
                return last;
            });
        }
        if (database.dialect() == SqlDialect.POSTGRES) {
            database.write(tx -> tx.handle().execute("ANALYZE"));
        }
    }

    private static Repository repository(Tx tx, UUID organization, int id) {
        var parts = name(id).split("/");
        tx.handle()
                .execute(
                        "INSERT INTO namespace (name, display_name, organization_id, created_at) VALUES (?, ?, ?, 0)"
                                + " ON CONFLICT DO NOTHING",
                        parts[0],
                        parts[0],
                        organization.toString());
        long repository = tx.handle()
                .createQuery("INSERT INTO repository (namespace, name, visibility, created_at)"
                        + " VALUES (:namespace, :name, 'public', 0) RETURNING id")
                .bind("namespace", parts[0])
                .bind("name", parts[1])
                .mapTo(Long.class)
                .one();
        var name = new RepositoryName(Namespace.parse(parts[0]), BundleName.parseBundle(parts[1]));
        return new Repository(repository, name, organization, Visibility.PUBLIC);
    }

    private void bundle(Tx tx, UUID organization, int id) {
        var repository = repository(tx, organization, id);
        UUID bundle = new UUID(1, id);
        tx.handle()
                .execute(
                        "INSERT INTO bundle (id, repository_id, name, description, source_type, readme_content, keywords,"
                                + " license, created_at) VALUES (?, ?, ?, ?, 'registry', ?, ?, ?, 0)",
                        bundle.toString(),
                        repository.id(),
                        text(2),
                        text(20) + " common",
                        "# " + text(250),
                        text(1) + "\n" + (id % 1_000 == 0 ? "legal" : "coding"),
                        LICENSES.get(id % LICENSES.size()));
        for (int i = 0; i < VERSIONS; i++) {
            version(tx, repository, bundle, id, i);
        }
        popularity(tx, repository.id());
        var snapshot = new BundleSnapshot(
                repository, BundleRows.find(tx, repository.id()).orElseThrow());
        LatestTag.recomputeLatest(tx, tags, snapshot, ACTOR);
        // of the one SKILL.md, which has no bytes that could say so
        tx.handle().execute("UPDATE hub_entry SET skills = 'a' WHERE repository_id = ?", repository.id());
        for (int i = 0; i <= id % 3; i++) {
            tx.handle()
                    .execute(
                            "INSERT INTO hub_facet (facet, repository_id) VALUES (?, ?)",
                            "tool:" + TOOLS.get((id + i) % TOOLS.size()),
                            repository.id());
        }
    }

    private void popularity(Tx tx, long id) {
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
                            PullCounts.day(tx.now()) - day);
        }
    }

    private void version(Tx tx, Repository repository, UUID bundle, int id, int number) {
        var version = Version.parse("1." + number + ".0");
        UUID versionId = new UUID(2, (long) id * VERSIONS + number);
        var digest = Digest.sha256((id + " " + number).getBytes(StandardCharsets.UTF_8));
        long manifest = tx.handle()
                .createQuery(
                        "INSERT INTO manifest (repository_id, digest, media_type, size, leased_until, created_at,"
                                + " state, look_at, checked_at) VALUES (:repository, :digest, 'x', 1, 0, 0, 'ok', 0, 0) RETURNING id")
                .bind("repository", repository.id())
                .bind("digest", digest)
                .mapTo(Long.class)
                .one();
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
        tags.set(tx, repository, version.ociTag(), new StoredManifest(manifest, digest), Tags.Kind.VERSION, ACTOR);
        var type = id % 1_000 == 1 ? AssetType.PROMPT : AssetType.SKILL;
        AssetRows.insert(
                tx,
                versionId,
                List.of(new Asset(LogicalPath.parse("a/SKILL.md"), type, null, digest, 1, "text/plain", null)));
    }
}
