package dev.sheaf.server.bundle.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleFixture;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.org.quota.QuotaCheck;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The assets of a bundle that is being edited (contract 3.4).
@SuppressWarnings("NullAway.Init") // set before each test
class WorkingAssetsTest extends BundleFixture {
    private static final int MOST = 3;
    private static final int MOST_BYTES = 40;

    private WorkingAssets assets;

    @BeforeEach
    void begin() {
        var limits = new BundleLimits(MOST_BYTES, MOST_BYTES, MOST);
        assets = new WorkingAssets(database, bundles, node.blobs(), new QuotaCheck(database, quota), limits);
        publish("1.0.0");
    }

    private WorkingAssets.Put put(String path, String text, @Nullable Boolean executable) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var asset = Asset.declared(
                LogicalPath.parse(path), null, Digest.sha256(bytes), bytes.length, "text/plain", executable);
        return assets.put(origin, NOTES, asset, node.blobs().stage(bytes), before -> {});
    }

    private WorkingAssets.Put put(String path, String text) {
        return put(path, text, null);
    }

    private void delete(String path) {
        assets.delete(origin, NOTES, LogicalPath.parse(path), before -> {});
    }

    private List<String> paths() {
        return assets.list(caller, notes(), "", 100).stream()
                .map(StoredAsset::path)
                .map(LogicalPath::value)
                .toList();
    }

    private static Problem problem(Runnable refused) {
        try {
            refused.run();
        } catch (ProblemException e) {
            return e.problem();
        }
        throw new AssertionError("it was not refused");
    }

    @Test
    void theFirstEditBeginsWithTheLatestVersion() {
        put("notes.txt", "new");
        assertThat(paths()).containsExactly("README.md", "notes.txt");
    }

    @Test
    void theLatestVersionStaysAsItIs() {
        put("notes.txt", "new");
        assertThat(resolve.resolve(notes(), Resolve.Question.parse("1.0.0"))
                        .resolved()
                        .assets())
                .hasSize(1);
    }

    @Test
    void anAssetIsMadeOnce() {
        assertThat(put("notes.txt", "new").created()).isTrue();
    }

    @Test
    void theSameAgainIsNotMade() {
        var first = put("notes.txt", "new");
        var again = put("notes.txt", "new");
        assertThat(again.created()).isFalse();
        assertThat(again.asset().id()).isEqualTo(first.asset().id());
    }

    @Test
    void aModeThatIsNotSentStays() {
        put("run.sh", "one", true);
        assertThat(put("run.sh", "two").asset().executable()).isTrue();
    }

    @Test
    void whatIsDeletedIsGone() {
        delete("README.md");
        assertThat(paths()).isEmpty();
    }

    @Test
    void whatIsNotThereIsNotDeleted() {
        assertThat(problem(() -> delete("missing.txt"))).isInstanceOf(Problem.AssetNotFound.class);
    }

    @Test
    void aPathThatDiffersInItsLettersAloneIsRefused() {
        assertThat(problem(() -> put("readme.MD", "other"))).isInstanceOf(Problem.ValidationFailed.class);
        assertThat(paths()).containsExactly("README.md");
    }

    @Test
    void aFileThatIsAFolderOfAnotherIsRefused() {
        put("lib/a.txt", "a");
        assertThat(problem(() -> put("lib", "file"))).isInstanceOf(Problem.ValidationFailed.class);
    }

    @Test
    void moreAssetsThanMayBeAreRefusedAndNothingIsKept() {
        put("b.txt", "b");
        put("c.txt", "c");
        assertThat(problem(() -> put("d.txt", "d"))).isInstanceOf(Problem.PayloadTooLarge.class);
        assertThat(paths()).containsExactly("README.md", "b.txt", "c.txt");
    }

    @Test
    void moreBytesThanMayBeAreRefused() {
        assertThat(problem(() -> put("b.txt", "b".repeat(MOST_BYTES)))).isInstanceOf(Problem.PayloadTooLarge.class);
    }

    @Test
    void whoDoesNotOwnItSeesTheLatestVersion() {
        put("notes.txt", "new");
        assertThat(assets.list(Caller.ANONYMOUS, notes(), "", 100)).hasSize(1);
    }

    @Test
    void aPreconditionSeesWhatIsThereAndMayRefuse() {
        var asset = LogicalPath.parse("README.md");
        assertThatThrownBy(() -> assets.delete(origin, NOTES, asset, before -> {
                    assertThat(before).isNotNull();
                    throw new Problem.Conflict("it was changed").raise();
                }))
                .isInstanceOf(ProblemException.class);
        assertThat(paths()).containsExactly("README.md");
    }
}
