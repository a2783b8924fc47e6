package dev.sheaf.server.registry.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Together;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Random pushes, tags, indexes, signatures and deletes by some threads while the collector runs all the time and
/// the clock runs ahead. What clients were told is there must be there; at the end nothing is left that no row
/// names, and once all tags are gone nothing at all.
@EveryStack
class CollectorModelTest extends CollectorFixture {
    private static final int PUSHERS = 4;
    private static final int STEPS = 60;
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final AtomicLong links = new AtomicLong();
    private final AtomicInteger pushing = new AtomicInteger(PUSHERS);
    /// The clock is moved only between pushes: one that takes longer than a lease fails, and rightly so.
    private final ReadWriteLock between = new ReentrantReadWriteLock(true);

    @Override
    public RetentionPolicy keeping() {
        return new RetentionPolicy(LEASE, Duration.ofMinutes(2), Duration.ofMinutes(1));
    }

    @Test
    void nothingIsLostAndNothingIsLeft() throws Exception {
        var shared = List.of(repository("acme/shared"), repository("acme/other"));
        var pushers = new ArrayList<Pusher>();
        for (int i = 0; i < PUSHERS; i++) {
            pushers.add(new Pusher(new Random(seed + i), "p" + i, shared));
        }

        Together.run(PUSHERS + 2, i -> () -> i < PUSHERS ? pushers.get(i).run() : collectAllTheTime());

        for (var pusher : pushers) {
            pusher.check();
        }
        assertThat(links.get()).as("links collected meanwhile, seed %d", seed).isPositive();
        settle();
        assertThat(stored()).as("seed %d", seed).hasSize((int) objects());
        for (var pusher : pushers) {
            pusher.check();
            pusher.untagAll();
        }
        settle();
        assertThat(rows("manifest") + rows("link") + rows("blob") + rows("object_deletion"))
                .as("seed %d", seed)
                .isZero();
        assertThat(stored()).as("seed %d", seed).isEmpty();
    }

    private int collectAllTheTime() {
        int runs = 0;
        while (pushing.get() > 0) {
            between.writeLock().lock();
            try {
                clock.advance(LEASE.dividedBy(2).minusSeconds(30));
            } finally {
                between.writeLock().unlock();
            }
            var run = new TaskRun(false);
            node.collector().run(run);
            links.addAndGet(run.report().counts().getOrDefault("linksRemoved", 0L));
            runs++;
        }
        return runs;
    }

    /// Lets everything go that goes: an index, what it listed, and what signed that, each a lease later.
    private void settle() {
        for (int i = 0; i < 30; i++) {
            clock.advance(LEASE);
            node.collector().run(new TaskRun(false));
        }
    }

    private long objects() {
        return database.read(tx -> tx.handle()
                .createQuery("SELECT count(*) FROM blob WHERE object_id IS NOT NULL")
                .mapTo(Long.class)
                .one());
    }

    /// Content that several pushers have too: small and large, a dozen of each.
    private byte[] content(int number) {
        byte[] bytes = ("content " + number).getBytes(StandardCharsets.UTF_8);
        return number % 2 == 0 ? bytes : Arrays.copyOf(bytes, 40_000);
    }

    /// A client: what it was told is there, it counts on.
    private final class Pusher {
        private final Random random;
        private final String name;
        private final List<Repository> repositories;
        private final Map<String, ManifestDocument> tags = new TreeMap<>();

        Pusher(Random random, String name, List<Repository> repositories) {
            this.random = random;
            this.name = name;
            this.repositories = repositories;
        }

        int run() {
            try {
                for (int i = 0; i < STEPS || (links.get() == 0 && i < 20 * STEPS); i++) {
                    between.readLock().lock();
                    try {
                        step();
                    } finally {
                        between.readLock().unlock();
                    }
                }
                return tags.size();
            } finally {
                pushing.decrementAndGet();
            }
        }

        private void step() {
            var repository = repositories.get(random.nextInt(repositories.size()));
            String tag = repository.name() + ":" + name + "-" + random.nextInt(6);
            switch (random.nextInt(5)) {
                case 0, 1 -> put(repository, tag, image(null, blobs(repository)));
                case 2 -> putIndex(repository, tag);
                case 3 -> sign(repository, tag);
                default -> remove(repository, tag);
            }
            check();
        }

        /// Blobs as a client makes sure of them: HEAD, else mount, else upload.
        private BlobRecord[] blobs(Repository repository) {
            return Stream.generate(() -> content(random.nextInt(24)))
                    .limit(random.nextInt(1, 5))
                    .map(bytes -> blob(repository, bytes))
                    .distinct()
                    .toArray(BlobRecord[]::new);
        }

        private BlobRecord blob(Repository repository, byte[] bytes) {
            var digest = Digest.sha256(bytes);
            var found = node.blobs().find(repository, digest);
            if (found.isPresent() && node.leases().renew(repository, found.get())) {
                return found.get();
            }
            for (var other : repositories) {
                if (random.nextBoolean() && node.uploads().mount(other, repository, digest)) {
                    return node.blobs().find(repository, digest).orElseThrow();
                }
            }
            return push(repository, bytes);
        }

        private void put(Repository repository, String tag, ManifestDocument document) {
            tag(repository, tag.substring(tag.indexOf(':') + 1), document);
            tags.put(tag, document);
        }

        private void putIndex(Repository repository, String tag) {
            var child = image(null, blobs(repository));
            var other = image(Digest.sha256(content(1)), blobs(repository));
            store(repository, child);
            store(repository, other);
            put(repository, tag, index(child, other));
        }

        /// A referrer without a tag: it lives with its subject.
        private void sign(Repository repository, String tag) {
            var subject = tags.get(tag);
            if (subject != null) {
                store(repository, image(subject.digest(), blobs(repository)));
            }
        }

        private void remove(Repository repository, String tag) {
            var document = tags.remove(tag);
            if (document == null) {
                return;
            }
            untag(repository, tag.substring(tag.indexOf(':') + 1));
            if (random.nextBoolean()) {
                deleteUntagged(repository, document);
            }
        }

        /// Another pusher may have tagged or listed the same manifest: then it stays.
        private void deleteUntagged(Repository repository, ManifestDocument document) {
            try {
                database.write(tx -> {
                    node.repositories().lock(tx, repository.name());
                    var found = node.manifests().find(tx, repository, document.digest());
                    found.filter(manifest ->
                                    node.tags().pointingAt(tx, manifest.id()).isEmpty())
                            .ifPresent(manifest -> node.manifests().delete(tx, repository, manifest));
                    return found;
                });
            } catch (ProblemException e) {
                assertThat(e.problem()).isInstanceOf(Problem.Conflict.class);
            }
        }

        void untagAll() {
            for (String tag : new TreeSet<>(tags.keySet())) {
                var name = tag.substring(0, tag.indexOf(':'));
                remove(
                        repositories.stream()
                                .filter(repository ->
                                        repository.name().toString().equals(name))
                                .findFirst()
                                .orElseThrow(),
                        tag);
            }
        }

        /// Every tag leads to its manifest, all that this refers to, and their bytes.
        void check() {
            tags.forEach((tag, document) -> {
                var name = tag.substring(0, tag.indexOf(':'));
                var repository = repositories.stream()
                        .filter(one -> one.name().toString().equals(name))
                        .findFirst()
                        .orElseThrow();
                var found = node.manifests()
                        .find(repository, tag.substring(tag.indexOf(':') + 1))
                        .orElseThrow();
                assertThat(found.digest()).as("seed %d", seed).isEqualTo(document.digest());
                check(repository, document);
            });
        }

        private void check(Repository repository, ManifestDocument document) {
            assertThat(node.manifests()
                            .content(node.manifests()
                                    .find(repository, document.digest())
                                    .orElseThrow())
                            .orElseThrow())
                    .isEqualTo(document.bytes());
            for (var layer : document.layers()) {
                var blob = node.blobs().find(repository, layer.digest()).orElseThrow();
                assertThat(Digest.sha256(node.blobs().open(blob).bytes())).isEqualTo(layer.digest());
            }
            for (var child : document.manifests()) {
                assertThat(node.manifests().find(repository, child.digest()))
                        .as("seed %d", seed)
                        .isPresent();
            }
        }
    }
}
