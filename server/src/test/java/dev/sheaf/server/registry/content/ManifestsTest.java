package dev.sheaf.server.registry.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.RegistryFixture;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Together;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ManifestsTest {
    @Nested
    class OnSqlite extends Contract {
        @Override
        public Databases.Kind kind() {
            return Databases.Kind.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends Contract {
        @Override
        public Databases.Kind kind() {
            return Databases.Kind.POSTGRES;
        }
    }

    abstract static class Contract extends RegistryFixture {
        @Test
        void aManifestIsFoundByDigestAndByTagWithItsExactBytes() {
            var repository = repository("acme/kit");
            var document =
                    image(Digest.sha256(new byte[3]), push(repository, random(10)), push(repository, random(20)));

            long id = database.write(tx -> {
                var stored = node.manifests().store(tx, repository, document);
                node.tags().set(tx, repository, "1.0.0", stored, Tags.Kind.VERSION, "key:x");
                return stored.id();
            });

            for (var process : new Node[] {node, restart()}) {
                var found =
                        process.manifests().find(repository, document.digest()).orElseThrow();
                assertThat(found.id()).isEqualTo(id);
                assertThat(found.mediaType()).isEqualTo(MediaType.IMAGE_MANIFEST);
                assertThat(found.subject()).isEqualTo(Digest.sha256(new byte[3]));
                assertThat(process.manifests().find(repository, "1.0.0")).contains(found);
                assertThat(process.manifests().content(found)).contains(document.bytes());
            }
            assertThat(node.manifests().find(repository("acme/other"), document.digest()))
                    .isEmpty();
        }

        @Test
        void storingAgainChangesNothing() throws Exception {
            var repository = repository("acme/kit");
            var document = image(null, push(repository, random(10)));

            var ids = Together.run(
                    16, i -> () -> database.write(tx -> node.manifests().store(tx, repository, document)));

            assertThat(ids.stream().distinct()).hasSize(1);
            assertThat(rows("manifest_blob")).isEqualTo(1);
        }

        @Test
        void aMissingBlobIsRefusedAndNothingStays() {
            var repository = repository("acme/kit");
            var elsewhere = push(repository("acme/other"), random(10));
            var document = image(null, push(repository, random(20)), elsewhere);

            assertProblem(
                    Problem.ManifestBlobUnknown.class,
                    () -> database.write(tx -> node.manifests().store(tx, repository, document)));

            assertThat(rows("manifest")).isZero();
            assertThat(node.manifests().find(repository, document.digest())).isEmpty();
        }

        @Test
        void aSizeThatIsNotTheBlobsIsRefused() {
            var repository = repository("acme/kit");
            var blob = push(repository, random(10));
            var document = image(null, new BlobRecord(blob.id(), blob.digest(), 11, null));

            assertProblem(
                    Problem.ManifestInvalid.class,
                    () -> database.write(tx -> node.manifests().store(tx, repository, document)));
        }

        @Test
        void aForeignLayerNeedNotBeThere() {
            var repository = repository("acme/kit");
            var layer =
                    new Descriptor("application/x.nondistributable.x", Digest.sha256(new byte[9]), 9, Map.of(), true);

            var document = withLayers(List.of(layer));
            var stored = database.write(tx -> node.manifests().accept(tx, repository, document));

            assertThat(node.manifests().find(repository, stored.digest())).isPresent();
            assertProblem(
                    Problem.ManifestBlobUnknown.class,
                    () -> database.write(tx -> node.manifests().store(tx, repository, document)));
        }

        @Test
        void anIndexNeedsItsManifests() {
            var repository = repository("acme/kit");
            var child = image(null, push(repository, random(10)));
            var index = index(new Descriptor(MediaType.IMAGE_MANIFEST, child.digest(), child.size(), Map.of(), false));
            assertProblem(
                    Problem.ManifestBlobUnknown.class,
                    () -> database.write(tx -> node.manifests().store(tx, repository, index)));

            database.write(tx -> node.manifests().store(tx, repository, child));
            database.write(tx -> node.manifests().store(tx, repository, index));

            assertThat(rows("manifest_child")).isEqualTo(1);
        }

        @Test
        void aManifestMayNameThousandsOfBlobs() {
            var repository = repository("acme/kit");
            var layers = new ArrayList<Descriptor>();
            database.write(tx -> {
                for (int i = 0; i < 1_200; i++) {
                    var staged = node.blobs().stage(("blob " + i).getBytes(StandardCharsets.UTF_8));
                    node.blobs().link(tx, repository, staged);
                    layers.add(new Descriptor(MediaType.OCTETS, staged.digest(), staged.size(), Map.of(), false));
                }
                return true;
            });
            layers.addAll(List.copyOf(layers.subList(0, 10)));

            database.write(tx -> node.manifests().store(tx, repository, withLayers(layers)));

            assertThat(rows("manifest_blob")).isEqualTo(1_200);
        }

        private static ManifestDocument withLayers(List<Descriptor> layers) {
            var outline = new ManifestDocument.Outline(
                    MediaType.IMAGE_MANIFEST, null, null, null, layers, List.of(), Map.of("a", "\"b\""));
            return ManifestDocument.of(Digest.Algorithm.SHA512, new byte[] {'{', '}'}, outline);
        }

        private static ManifestDocument index(Descriptor child) {
            var outline = new ManifestDocument.Outline(
                    MediaType.IMAGE_INDEX, null, null, null, List.of(), List.of(child), Map.of());
            return ManifestDocument.of(Digest.Algorithm.SHA256, new byte[] {'[', ']'}, outline);
        }
    }
}
