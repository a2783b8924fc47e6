package dev.sheaf.server.registry.tag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.registry.RegistryFixture;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.StoredManifest;
import dev.sheaf.server.testing.EveryStack;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@EveryStack
class TagsTest extends RegistryFixture {
    @Test
    void tagsAreListedByTheBytesOfTheirNames() {
        var repository = repository("acme/kit");
        var manifest = manifest(repository, 1);
        for (String name : List.of("b", "a_1", "B", "a-1", "a.1", "1.0.0", "_x", "1.10.0")) {
            set(repository, name, manifest);
        }

        assertThat(node.tags().names(repository, null, 100))
                .containsExactly("1.0.0", "1.10.0", "B", "_x", "a-1", "a.1", "a_1", "b");
        assertThat(node.tags().names(repository, "1.5", 3)).containsExactly("B", "_x", "a-1");
        assertThat(node.tags().names(repository("acme/other"), null, 3)).isEmpty();
    }

    @Test
    void aTagThatMovesIsSeenByEveryNodeThatHadItCached() {
        var repository = repository("acme/kit");
        var first = manifest(repository, 1);
        var second = manifest(repository, 2);
        set(repository, "stable", first);
        var other = restart();
        assertThat(other.manifests().find(repository, "stable").orElseThrow().id())
                .isEqualTo(first.id());

        set(repository, "stable", second);

        assertThat(other.manifests().find(repository, "stable").orElseThrow().id())
                .isEqualTo(second.id());
        assertThat(names(database.read(tx -> node.tags().pointingAt(tx, second.id()))))
                .containsExactly("stable");
        assertThat(names(database.read(tx -> node.tags().pointingAt(tx, first.id()))))
                .isEmpty();
    }

    @Test
    void aRemovedTagIsGoneAtOnce() {
        var repository = repository("acme/kit");
        set(repository, "stable", manifest(repository, 1));
        node.manifests().find(repository, "stable");

        boolean removed = database.write(tx -> node.tags().remove(tx, repository, "stable", caller.actor()));
        boolean again = database.write(tx -> node.tags().remove(tx, repository, "stable", caller.actor()));

        assertThat(removed).isTrue();
        assertThat(again).isFalse();
        assertThat(node.manifests().find(repository, "stable")).isEmpty();
        assertThat(tag(repository, "stable")).isEmpty();
    }

    @Test
    void aTagRemembersWhoSetItAndWhy() {
        var repository = repository("acme/kit");
        set(repository, "stable", manifest(repository, 1));

        var tag = tag(repository, "stable").orElseThrow();

        assertThat(tag.kind()).isEqualTo(Tags.Kind.USER);
        assertThat(tag.updatedBy()).isEqualTo(caller.actor());
        assertThat(tag.isProtected()).isFalse();
    }

    @Test
    void everyMoveOfATagIsRememberedExceptOfThoseThatAreVersions() {
        var repository = repository("acme/kit");
        var first = manifest(repository, 1);
        var second = manifest(repository, 2);
        set(repository, "stable", first);
        set(repository, "stable", first);
        set(repository, "stable", second);
        database.write(tx -> node.tags().remove(tx, repository, "stable", "key:x"));
        database.write(tx -> {
            node.tags().set(tx, repository, "1.0.0", first, Tags.Kind.VERSION, caller.actor());
            return true;
        });

        var moves = database.read(tx -> node.tags().history(tx, repository, "stable", Long.MAX_VALUE, 10));
        var older = database.read(tx ->
                node.tags().history(tx, repository, "stable", moves.getFirst().seq(), 1));

        assertThat(moves).extracting(TagMove::movedBy).containsExactly("key:x", caller.actor(), caller.actor());
        assertThat(moves.get(0).newDigest()).isNull();
        assertThat(moves.get(0).oldDigest()).isEqualTo(moves.get(1).newDigest());
        assertThat(moves.get(1).oldDigest()).isEqualTo(moves.get(2).newDigest());
        assertThat(moves.get(2).oldDigest()).isNull();
        assertThat(older).containsExactly(moves.get(1));
        assertThat(database.<List<TagMove>>read(tx -> node.tags().history(tx, repository, "1.0.0", Long.MAX_VALUE, 10)))
                .isEmpty();
    }

    @Test
    void protectionGoesWithTheHandThatSetTheTag() {
        var repository = repository("acme/kit");
        var first = manifest(repository, 1);
        set(repository, "latest", first);
        database.write(tx -> {
            node.tags().protect(tx, repository, "latest", true);
            return true;
        });
        assertThat(tag(repository, "latest").orElseThrow().isProtected()).isTrue();

        database.write(tx -> {
            node.tags().set(tx, repository, "latest", first, Tags.Kind.MANAGED, caller.actor());
            return true;
        });

        assertThat(tag(repository, "latest").orElseThrow().isProtected()).isFalse();
    }

    private Optional<TagRecord> tag(Repository repository, String name) {
        return database.read(tx -> node.tags().find(tx, repository, name));
    }

    private StoredManifest manifest(Repository repository, int size) {
        var document = image(null, push(repository, random(size)));
        return database.write(tx -> node.manifests().store(tx, repository, document));
    }

    private void set(Repository repository, String name, StoredManifest manifest) {
        database.write(tx -> {
            node.tags().set(tx, repository, name, manifest, Tags.Kind.USER, caller.actor());
            return true;
        });
    }

    private static List<String> names(List<TagRecord> tags) {
        return tags.stream().map(TagRecord::name).toList();
    }
}
