package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.RegistryFixture;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.tag.Tags;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A registry with what it takes to make garbage and to collect it.
public abstract class CollectorFixture extends RegistryFixture {
    public final TaskRun.Report collect() {
        return collect(new TaskRun(false));
    }

    public final TaskRun.Report collect(TaskRun run) {
        node.collector().run(run);
        var report = run.report();
        return new TaskRun.Report(
                report.unit(),
                report.done(),
                report.total(),
                without(report.counts(), 0L),
                report.findings(),
                report.findingsOmitted());
    }

    private static Map<String, Long> without(Map<String, Long> counts, long value) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() != value)
                .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    public final long store(Repository repository, ManifestDocument document) {
        return database.write(
                tx -> node.manifests().store(tx, repository, document).id());
    }

    public final void tag(Repository repository, String tag, ManifestDocument document) {
        database.write(tx -> {
            tag(tx, repository, tag, document);
            return tag;
        });
    }

    public final void tag(Tx tx, Repository repository, String tag, ManifestDocument document) {
        var stored = node.manifests().store(tx, repository, document);
        node.tags().set(tx, repository, tag, stored, Tags.Kind.USER, "key:x");
    }

    public final void untag(Repository repository, String tag) {
        database.write(tx -> node.tags().remove(tx, repository, tag, "key:x"));
    }

    /// Makes it a version's manifest, as far as the registry can tell.
    public final void publish(Repository repository, ManifestDocument document) {
        database.write(tx -> {
            long manifest = node.manifests().store(tx, repository, document).id();
            var bundle = UUID.randomUUID().toString();
            tx.handle().execute("""
                    INSERT INTO bundle (id, repository_id, name, source_type, created_at) VALUES (?, ?, 'x', 'x', 0)
                    """, bundle, repository.id());
            return tx.handle().execute("""
                    INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,
                                         published_at)
                    VALUES (?, ?, '1.0.0', '1.0.0', 'x', 1, ?, 'published', 1, 0)
                    """, UUID.randomUUID().toString(), bundle, manifest);
        });
    }

    public final void delete(Repository repository, ManifestDocument document) {
        database.write(tx -> {
            var found = node.manifests().find(tx, repository, document.digest()).orElseThrow();
            node.manifests().delete(tx, repository, found);
            return found;
        });
    }

    public static ManifestDocument index(ManifestDocument... children) {
        var descriptors = List.of(children).stream()
                .map(child -> new Descriptor(child.mediaType(), child.digest(), child.size(), Map.of(), false))
                .toList();
        var outline =
                new ManifestDocument.Outline(MediaType.IMAGE_INDEX, null, null, null, List.of(), descriptors, Map.of());
        byte[] bytes = ("index" + descriptors).getBytes(StandardCharsets.UTF_8);
        return ManifestDocument.of(dev.sheaf.model.Digest.Algorithm.SHA256, bytes, outline);
    }
}
