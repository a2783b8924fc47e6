package dev.sheaf.server.bundle.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleFixture;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.publish.PublishRules.Violation;
import dev.sheaf.server.registry.Repository;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What may stand against a version where its bundle is there already.
class BundleRulesTest extends BundleFixture {
    private static final PublishRules RULES = new PublishRules(new BundleLimits(1_000, 1_000, 10));
    private static final String OTHER = "other";

    /// Content that [#publish] gives a version of that number.
    private static NewVersion.Content content(String version, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var asset = Asset.declared(
                LogicalPath.parse("README.md"), null, Digest.sha256(bytes), bytes.length, "text/markdown", false);
        var number = Version.parse(version);
        var packaging = OciPackaging.of(NOTES, number, "Notes", null, List.of(asset.packed()), List.of());
        return NewVersion.Content.packed(number, List.of(asset), List.of(), packaging);
    }

    private List<Violation> of(
            BundleSnapshot bundle,
            @Nullable Visibility visibility,
            NewVersion.Content content,
            @Nullable String expected,
            String... tags) {
        var publication = new NewVersion(
                NOTES,
                visibility,
                BundleProfile.of("Notes", null, null, null),
                content,
                Stream.of(tags).map(Tag::parse).toList(),
                List.of(),
                new NewVersion.Notes(null, List.of()));
        return database.read(tx -> RULES.ofBundle(
                tx,
                bundle,
                publication,
                TakenNames.of(tx, node.tags(), bundle, publication),
                expected == null ? null : Version.parse(expected)));
    }

    private List<Violation> of(String version, String text, @Nullable String expected, String... tags) {
        return of(notes(), null, content(version, text), expected, tags);
    }

    private static void assertOne(List<Violation> found, String pointer, Class<? extends Problem> kind) {
        assertThat(found).singleElement().satisfies(violation -> {
            assertThat(violation.pointer()).isEqualTo(pointer);
            assertThat(violation.problem()).isInstanceOf(kind);
        });
    }

    private void protect(String tag) {
        sql("UPDATE tag SET protected = 1 WHERE name = '" + tag + "'");
    }

    private void sql(String statement) {
        assertThat(database.<Integer>write(
                        tx -> tx.handle().createUpdate(statement).execute()))
                .isPositive();
    }

    @Test
    void aNewNumberIsFree() {
        publish("1.0.0");

        assertThat(of("1.1.0", OTHER, null, "stable", "1", "latest")).isEmpty();
    }

    @Test
    void theSameContentAgainIsNoClash() {
        publish("1.0.0");

        assertThat(of("1.0.0", "version 1.0.0", null)).isEmpty();
    }

    @Test
    void otherContentUnderANumberThatIsTakenIs() {
        publish("1.0.0");

        assertOne(of("1.0.0", OTHER, null), "/version", Problem.VersionExists.class);
    }

    @Test
    void theLatestVersionIsTheOneExpected() {
        publish("1.0.0");

        assertThat(of("1.1.0", OTHER, "1.0.0")).isEmpty();
    }

    @Test
    void theLatestVersionIsAnother() {
        publish("1.0.0");

        assertOne(of("1.1.0", OTHER, "0.9.0"), "/expectedLatest", Problem.TagMoved.class);
    }

    @Test
    void whatWasHeardBeforeIsNotComparedAgain() {
        publish("1.0.0");
        publish("1.1.0");

        assertThat(of("1.1.0", "version 1.1.0", "1.0.0")).isEmpty();
    }

    @Test
    void aPublicBundleTakesNoPrivatePublication() {
        publish("1.0.0");
        var before = notes();
        var repository = before.repository();
        var open = new BundleSnapshot(
                new Repository(repository.id(), NOTES, repository.organizationId(), Visibility.PUBLIC),
                before.bundle());

        assertOne(
                of(open, Visibility.PRIVATE, content("1.1.0", OTHER), null),
                "/visibility",
                Problem.VisibilityMismatch.class);
        assertThat(of(open, null, content("1.1.0", OTHER), null)).isEmpty();
    }

    @Test
    void aPrivateBundleTakesBoth() {
        publish("1.0.0");

        for (var visibility : Visibility.values()) {
            assertThat(of(notes(), visibility, content("1.1.0", OTHER), null)).isEmpty();
        }
    }

    @Test
    void aTagThatReadsAsARangeMeansNoVersionOutside() {
        publish("1.0.0");

        assertOne(of("2.0.0", OTHER, null, "stable", "1"), "/tags/1", Problem.ValidationFailed.class);
    }

    @Test
    void aProtectedTagDoesNotMove() {
        publish("1.0.0", "stable");
        protect("stable");

        assertOne(of("1.1.0", OTHER, null, "new", "stable"), "/tags/1", Problem.TagProtected.class);
    }

    @Test
    void aProtectedTagMayStayWhereItIs() {
        publish("1.0.0", "stable");
        protect("stable");

        assertThat(of("1.0.0", "version 1.0.0", null, "stable")).isEmpty();
    }

    @Test
    void theTagThatTheServiceKeepsIsNoneOfThePublishers() {
        publish("1.0.0");
        protect("latest");

        assertThat(of("1.1.0", OTHER, null, "latest")).isEmpty();
    }

    @Test
    void noTagMovesToAVersionThatIsYanked() {
        publish("1.0.0");
        sql("UPDATE version SET state = 'yanked', yanked_at = 0");

        assertOne(of("1.0.0", "version 1.0.0", null, "stable"), "/tags/0", Problem.Conflict.class);
    }

    @Test
    void allThatIsWrongIsFound() {
        publish("1.0.0", "stable");
        protect("stable");

        assertThat(of("1.1.0", OTHER, "0.9.0", "stable", "2"))
                .extracting(Violation::pointer)
                .containsExactly("/expectedLatest", "/tags/0", "/tags/1");
    }
}
