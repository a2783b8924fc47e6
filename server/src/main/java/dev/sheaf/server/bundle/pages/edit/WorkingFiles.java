package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.api.BundleRecords;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.publish.AssetEdit;
import dev.sheaf.server.bundle.publish.WorkingAssets;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads and writes the working files of a bundle. Thread-safe.
final class WorkingFiles {
    private static final int COPIES = 3; // bytes, text, and the page

    private final BundleReader bundles;
    private final WorkingAssets working;

    WorkingFiles(BundleReader bundles, WorkingAssets working) {
        this.bundles = bundles;
        this.working = working;
    }

    /// Returns the path of a file in the API, to show to programs.
    static ApiPath api(PageCall page, String path) {
        return ApiPath.of(EditableBundle.api(page, "") + "/assets/{}", path);
    }

    /// Returns a part of the working files, by path.
    Page<Asset> some(PageCall page, BundleSnapshot bundle, PageRequest paging) {
        String after = Objects.requireNonNullElse(paging.after(), "");
        var rows = working.list(page.caller(), bundle, after, paging.fetch());
        return paging.list(rows, row -> row.path().value(), row -> shown(page, bundle, row));
    }

    /// Returns the working files, or the files of a version, by path.
    ///
    /// @param version the version; null for the working files
    List<Asset> all(PageCall page, BundleSnapshot bundle, @Nullable String version) {
        return rows(page, bundle, version).stream()
                .map(row -> shown(page, bundle, row))
                .toList();
    }

    private List<StoredAsset> rows(PageCall page, BundleSnapshot bundle, @Nullable String version) {
        return version == null
                ? working.list(page.caller(), bundle, "", Integer.MAX_VALUE)
                : bundles.resolve(bundle, version).resolved().assets();
    }

    private static Asset shown(PageCall page, BundleSnapshot bundle, StoredAsset row) {
        return BundleRecords.asset(page.call(), bundle, row);
    }

    /// Returns the paths of the working files.
    Set<String> paths(PageCall page, BundleSnapshot bundle) {
        return rows(page, bundle, null).stream().map(row -> row.path().value()).collect(Collectors.toSet());
    }

    /// Returns a file.
    ///
    /// @param version the version; null for the working file
    /// @throws ProblemException asset-not-found
    StoredAsset get(PageCall page, BundleSnapshot bundle, String path, @Nullable String version) {
        var name = RequestFields.named("path", path, LogicalPath::new);
        return version == null
                ? working.get(page.caller(), bundle, name)
                : rows(page, bundle, version).stream()
                        .filter(row -> row.path().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new Problem.AssetNotFound(path, "version " + version).raise());
    }

    /// Returns the text of a file that a page can edit; null if it is not text or too long.
    @Nullable
    String text(PageCall page, BundleSnapshot bundle, StoredAsset file, long max) {
        if (file.size() > max) {
            return null;
        }
        return Utf8Text.of(bytes(page, bundle, file, COPIES))
                .filter(text -> text.indexOf(0) < 0)
                .orElse(null);
    }

    private byte[] bytes(PageCall page, BundleSnapshot bundle, StoredAsset file, int copies) {
        page.call().borrow("the file " + file.path(), file.size(), copies);
        return bundles.open(bundle.repository(), file.digest(), file.size()).bytes();
    }

    /// Returns the validator of a file's content.
    static String etag(StoredAsset file) {
        return ConditionalRead.etag(file.digest());
    }

    /// Writes a file.
    ///
    /// @param isExecutable the new mode; null leaves it unchanged
    void put(PageCall page, RepositoryName bundle, String path, byte[] content, @Nullable Boolean isExecutable) {
        put(page, bundle, edit(path, isExecutable), content, any -> {});
    }

    /// Writes a file that must not exist yet.
    void create(PageCall page, RepositoryName bundle, String path, byte[] content) {
        put(page, bundle, edit(path, null), content, current -> ConditionalWrite.checkNew(tags(current)));
    }

    /// Writes a file if its content is still as it was shown.
    ///
    /// @param etag the validator of the shown content
    void replace(PageCall page, RepositoryName bundle, String path, byte[] content, String etag) {
        put(page, bundle, edit(path, null), content, current -> ConditionalWrite.checkTags(etag, tags(current)));
    }

    private static AssetEdit edit(String path, @Nullable Boolean isExecutable) {
        var name = RequestFields.named("path", path, LogicalPath::parse);
        return new AssetEdit(name, null, MediaType.infer(name), isExecutable);
    }

    private static List<String> tags(WorkingAssets.@Nullable BundleAsset current) {
        return current == null ? List.of() : List.of(etag(current.asset()));
    }

    private void put(
            PageCall page,
            RepositoryName bundle,
            AssetEdit edit,
            byte[] content,
            Consumer<WorkingAssets.@Nullable BundleAsset> check) {
        var origin = page.origin();
        var staged = working.stage(origin, edit.path(), content.length, () -> new ByteArrayInputStream(content));
        working.put(origin, bundle, edit.of(staged), staged, check);
    }

    /// Removes a file.
    ///
    /// @throws ProblemException asset-not-found
    void delete(PageCall page, RepositoryName bundle, String path) {
        working.delete(page.origin(), bundle, RequestFields.named("path", path, LogicalPath::new), any -> {});
    }

    /// Resets all files to the files of a version.
    void restore(PageCall page, BundleSnapshot bundle, PublishChanges changes, String version) {
        for (var change : changes.changes()) {
            if (change.before() == null) {
                delete(page, bundle.name(), change.path());
            } else {
                restore(page, bundle, get(page, bundle, change.path(), version));
            }
        }
    }

    private void restore(PageCall page, BundleSnapshot bundle, StoredAsset file) {
        String declared = file.declaredType();
        var edit = new AssetEdit(
                file.path(),
                declared == null ? file.assetType().toString() : declared,
                file.mediaType(),
                file.executable());
        put(page, bundle.name(), edit, bytes(page, bundle, file, 1), any -> {});
    }

    /// Writes files, one after the other.
    ///
    /// @throws Stopped if one is refused
    void put(PageCall page, RepositoryName bundle, List<ChosenFiles.NewFile> files) throws Stopped {
        int done = 0;
        for (var file : files) {
            try {
                put(page, bundle, file.path().value(), file.content(), file.isExecutable() ? true : null);
                done++;
            } catch (ProblemException e) {
                throw new Stopped(file.path().value(), done, e);
            }
        }
    }

    /// Thrown if a file is refused.
    static final class Stopped extends Exception {
        private static final long serialVersionUID = 1;

        final transient ProblemException why;
        private final String said;

        Stopped(String path, int done, ProblemException why) {
            super(path, why);
            this.why = why;
            this.said = path + ": " + why.problem().detail()
                    + (done == 0 ? "" : "; the " + done + " before it were written");
        }

        /// Reports the outcome for the files.
        String outcome() {
            return said;
        }
    }
}
