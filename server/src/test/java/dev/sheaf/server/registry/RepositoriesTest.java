package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.registry.content.StagedBlob;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Together;
import org.junit.jupiter.api.Test;

@EveryStack
class RepositoriesTest extends RegistryFixture {
    private static final RepositoryName NAME = RepositoryName.parse("acme/kit");

    @Test
    void aNewRepositoryIsPrivateAndItsNamespacesOwners() {
        assertThat(node.repositories().find(NAME)).isEmpty();

        repository("acme/kit");

        var found = node.repositories().find(NAME).orElseThrow();
        assertThat(found.visibility()).isEqualTo(Visibility.PRIVATE);
        assertThat(found.organizationId()).isEqualTo(ORGANIZATION);
    }

    @Test
    void aChangeIsSeenByEveryNodeThatHadItCached() {
        var repository = repository("acme/kit");
        var other = restart();
        other.repositories().find(NAME);

        database.write(tx -> {
            node.repositories().publish(tx, repository, Visibility.PUBLIC);
            return true;
        });

        assertThat(other.repositories().find(NAME).orElseThrow().visibility()).isEqualTo(Visibility.PUBLIC);
    }

    /// Such as by two others, between the look of a third and its try.
    @Test
    void whatWasMadeAndDeletedMeanwhileIsNotMade() {
        var name = RepositoryName.parse("gone/kit");
        database.write(tx -> {
            node.repositories().delete(tx, ensure(tx, "gone/kit"));
            return true;
        });

        var made = database.write(tx -> node.repositories().make(tx, name));

        assertThat(made).isEmpty();
    }

    @Test
    void concurrentFirstPushesAllSucceed() throws Exception {
        var repositories = Together.run(
                16,
                i -> () -> database.write(tx -> {
                    var repository = ensure(tx, "acme/kit");
                    node.blobs().link(tx, repository, new StagedBlob.Inline(digest(i), new byte[] {(byte) i}));
                    return repository;
                }));

        assertThat(repositories.stream().map(Repository::id).distinct()).hasSize(1);
        assertThat(rows("repository")).isEqualTo(1);
        assertThat(rows("link")).isEqualTo(16);
    }

    private Digest digest(int i) {
        return Digest.sha256(new byte[] {(byte) i});
    }

    @Test
    void aLockedRepositoryCanStillBeUploadedTo() throws Exception {
        var repository = repository("acme/kit");
        var locks = Together.run(
                8,
                i -> () -> database.write(tx -> {
                    var staged = new StagedBlob.Inline(digest(i % 2), new byte[] {(byte) (i % 2)});
                    if (i < 4) {
                        node.repositories().lock(tx, NAME);
                    }
                    return node.blobs().link(tx, repository, staged);
                }));

        assertThat(locks).hasSize(8);
        assertThat(rows("blob")).isEqualTo(2);
    }
}
