package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.bundle.HoldRows;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Together;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Manifests that name what is not there yet.
@EveryStack
class SparseManifestsTest extends RegistryFixture {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ManifestDocument image(byte[]... layers) {
        var descriptors = List.of(layers).stream()
                .map(layer -> new Descriptor(MediaType.OCTETS, Digest.sha256(layer), layer.length, Map.of(), false))
                .toList();
        var outline = new ManifestDocument.Outline(
                MediaType.IMAGE_MANIFEST, null, null, null, descriptors, List.of(), Map.of());
        return ManifestDocument.of(Digest.Algorithm.SHA256, bytes("image of " + descriptors), outline);
    }

    private static ManifestDocument index(ManifestDocument child) {
        var descriptor = new Descriptor(child.mediaType(), child.digest(), child.size(), Map.of(), false);
        var outline = new ManifestDocument.Outline(
                MediaType.IMAGE_INDEX, null, null, null, List.of(), List.of(descriptor), Map.of());
        return ManifestDocument.of(Digest.Algorithm.SHA256, bytes("index of " + descriptor), outline);
    }

    private long accept(Repository repository, ManifestDocument document) {
        return database.write(tx -> {
            var locked = node.repositories().lock(tx, repository.name()).orElseThrow();
            return node.manifests().accept(tx, locked, document).id();
        });
    }

    private long link(Repository repository, byte[] bytes) {
        var staged = node.blobs().stage(bytes);
        return database.write(tx -> node.blobs().link(tx, repository, staged));
    }

    @Test
    void whatIsAbsentIsReferredToOnceItComes() {
        var repository = repository("acme/kit");
        link(repository, bytes("there"));
        accept(repository, image(bytes("there"), bytes("absent"), bytes("absent")));
        accept(repository, image(bytes("absent")));
        assertThat(rows("manifest_blob")).isEqualTo(1);
        assertThat(rows("manifest_absent")).isEqualTo(2);

        link(repository("acme/other"), bytes("absent"));
        assertThat(rows("manifest_absent")).as("elsewhere is not here").isEqualTo(2);
        link(repository, bytes("absent"));

        assertThat(rows("manifest_absent")).isZero();
        assertThat(rows("manifest_blob")).isEqualTo(3);
        assertProblem(
                Problem.Conflict.class,
                () -> database.write(tx -> {
                    node.blobs().delete(tx, repository, Digest.sha256(bytes("absent")), new HoldRows());
                    return true;
                }));
    }

    @Test
    void whatIsMountedComesToo() {
        var repository = repository("acme/kit");
        var other = repository("acme/other");
        link(other, bytes("absent"));
        accept(repository, image(bytes("absent")));

        database.write(tx -> node.blobs().mount(tx, other, repository, Digest.sha256(bytes("absent"))));

        assertThat(rows("manifest_absent")).isZero();
        assertThat(rows("manifest_blob")).isEqualTo(1);
    }

    @Test
    void anIndexListsItsManifestOnceThatComes() {
        var repository = repository("acme/kit");
        var child = image(bytes("absent"));
        accept(repository, index(child));
        link(repository, child.bytes()); // as a blob, which is something else

        assertThat(rows("manifest_child")).isZero();
        accept(repository, child);

        assertThat(rows("manifest_child")).isEqualTo(1);
        assertThat(rows("manifest_absent")).as("the layer").isEqualTo(1);
    }

    @Test
    void whatIsAbsentIsForgottenWithItsManifest() {
        var repository = repository("acme/kit");
        var document = image(bytes("absent"));
        accept(repository, document);

        database.write(tx -> {
            var manifest =
                    node.manifests().find(tx, repository, document.digest()).orElseThrow();
            node.manifests().delete(tx, repository, manifest);
            return true;
        });
        link(repository, bytes("absent"));

        assertThat(rows("manifest_absent")).isZero();
        assertThat(rows("manifest_blob")).isZero();
    }

    @Test
    void aWholeManifestLacksNothing() {
        var repository = repository("acme/kit");
        var document = image(bytes("absent"));
        assertProblem(
                Problem.ManifestBlobUnknown.class,
                () -> database.write(tx -> node.manifests().store(tx, repository, document)));
        accept(repository, document);
        assertProblem(
                Problem.ManifestBlobUnknown.class,
                () -> database.write(tx -> node.manifests().store(tx, repository, document)));

        link(repository, bytes("absent"));

        assertThat(database.write(tx -> node.manifests().store(tx, repository, document))
                        .digest())
                .isEqualTo(document.digest());
    }

    /// Whichever commits first: the blob belongs to the manifest afterwards.
    @Test
    void aBlobThatComesAtTheSameMomentIsNotLost() throws Exception {
        var repository = repository("acme/kit");
        for (int i = 0; i < 20; i++) {
            var layer = bytes("layer " + i);
            var child = image(layer);
            Together.run(4, task -> () -> switch (task) {
                case 0 -> accept(repository, child);
                case 1 -> link(repository, layer);
                case 2 -> accept(repository, index(child));
                default -> link(repository, bytes("other " + layer.length));
            });

            assertThat(rows("manifest_absent")).isZero();
            assertThat(rows("manifest_blob")).isEqualTo(i + 1);
            assertThat(rows("manifest_child")).isEqualTo(i + 1);
        }
    }

    /// A manifest that is deleted at the moment when its blob comes: neither fails.
    @Test
    void aBlobThatComesForADeletedManifestIsTaken() throws Exception {
        var repository = repository("acme/kit");
        for (int i = 0; i < 20; i++) {
            var layer = bytes("layer " + i);
            var document = image(layer);
            long id = accept(repository, document);
            Together.run(
                    2,
                    task -> () -> task == 0
                            ? link(repository, layer)
                            : database.write(tx -> {
                                node.manifests()
                                        .find(tx, repository, document.digest())
                                        .ifPresent(manifest -> node.manifests().delete(tx, repository, manifest));
                                return id;
                            }));

            assertThat(rows("manifest_absent")).isZero();
            assertThat(rows("manifest_blob")).isZero();
        }
    }
}
