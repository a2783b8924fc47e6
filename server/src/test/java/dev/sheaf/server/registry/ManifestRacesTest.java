package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Problem;
import dev.sheaf.server.testing.EveryStack;
import org.junit.jupiter.api.Test;

/// The collector against tags, indexes and referrers, in both orders.
@EveryStack
class ManifestRacesTest extends RacesFixture {
    // --- tags, indexes, referrers ---

    @Test
    void aManifestThatIsBeingTaggedStays() throws Exception {
        var repository = repository("acme/kit");
        var image = image(null, push(repository, random(1)));
        store(repository, image);
        clock.advance(DAY);

        var counts = whileOpen(
                tx -> tag(tx, repository, "word", image), () -> collect().counts());

        assertThat(counts).isEmpty();
        assertThat(node.manifests().find(repository, "word")).isPresent();
    }

    @Test
    void aManifestThatIsTaggedWhileItIsBeingCollectedIsMadeAgain() throws Exception {
        var repository = repository("acme/kit");
        var image = image(null, push(repository, random(1)));
        store(repository, image);
        clock.advance(DAY);

        whileOpen(this::sweepManifests, () -> {
            tag(repository, "word", image);
            return true;
        });

        collect();
        assertThat(node.manifests().find(repository, "word")).isPresent();
        assertThat(rows("manifest_blob")).isEqualTo(1);
    }

    @Test
    void aManifestWhoseLastTagIsBeingRemovedStaysOneRunLonger() throws Exception {
        var repository = repository("acme/kit");
        var image = image(null, push(repository, random(1)));
        tag(repository, "word", image);
        clock.advance(DAY.multipliedBy(9));

        whileOpen(tx -> node.tags().remove(tx, repository, "word", "key:x"), this::collect);
        collect();

        assertThat(holds(repository, image)).isFalse();
        assertThat(rows("link") + rows("blob") + rows("manifest_content")).isZero();
    }

    @Test
    void aChildOfAnIndexThatIsBeingPushedStays() throws Exception {
        var repository = repository("acme/kit");
        var child = image(null, push(repository, random(1)));
        store(repository, child);
        clock.advance(DAY);

        var counts = whileOpen(
                tx -> tag(tx, repository, "word", index(child)), () -> collect().counts());

        assertThat(counts).isEmpty();
        assertThat(holds(repository, child)).isTrue();
    }

    @Test
    void anIndexWhoseChildIsBeingCollectedIsRefused() throws Exception {
        var repository = repository("acme/kit");
        var child = image(null, push(repository, random(1)));
        store(repository, child);
        clock.advance(DAY);

        assertProblem(
                Problem.ManifestBlobUnknown.class,
                () -> whileOpen(this::sweepManifests, () -> store(repository, index(child))));
        assertThat(rows("manifest")).isZero();
    }

    @Test
    void aReferrerThatIsPushedWhileItsSubjectIsCollectedIsThere() throws Exception {
        var repository = repository("acme/kit");
        var subject = image(null, push(repository, random(1)));
        store(repository, subject);
        clock.advance(DAY);
        var layer = push(repository, random(2));
        var referrer = image(subject.digest(), layer);

        whileOpen(this::sweepManifests, () -> store(repository, referrer));

        assertThat(holds(repository, referrer)).isTrue();
        assertThat(holds(repository, subject)).isFalse();
    }
}
