package dev.sheaf.server.console.edit;

import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Method;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The files of a bundle as it is being edited, by the API.
final class WorkingFiles {
    private static final int PAGE = 100;
    private static final String BYTES = "application/octet-stream";

    private final PageCall page;
    private final ApiPath bundle;

    /// Those of the bundle of a page.
    WorkingFiles(PageCall page) {
        this(page, Edited.api(page, ""));
    }

    /// @param bundle the API's path of it
    WorkingFiles(PageCall page, ApiPath bundle) {
        this.page = page;
        this.bundle = bundle;
    }

    /// Those of the bundle as it is being edited, or of a version, by path.
    ///
    /// @param version null: as it is being edited
    List<Asset> all(@Nullable String version) {
        var all = new ArrayList<Asset>();
        String cursor = null;
        do {
            var some = page.api()
                    .list(
                            Asset.class,
                            ApiPath.of(bundle + "/assets")
                                    .with("version", version)
                                    .with("limit", PAGE)
                                    .with("cursor", cursor));
            all.addAll(some.data());
            cursor = some.meta().nextCursor();
        } while (cursor != null);
        return all;
    }

    /// Its slashes encoded: whatever somebody sends for a path, it is one of a file.
    ApiPath path(String path) {
        return ApiPath.of(bundle + "/assets/{}", path);
    }

    /// One with its text, where it is text.
    ///
    /// @param version null: as it is being edited
    Asset get(String path, @Nullable String version) {
        return page.api().get(Asset.class, path(path).with("version", version));
    }

    /// The validator of a file's content.
    static String etag(Asset file) {
        return ConditionalRead.etag(Digest.ofSha256Hex(file.contentSha256()));
    }

    /// Writes a file.
    ///
    /// @param isExecutable null: as it is
    /// @param precondition a header, `if-match` or `if-none-match`, with its value; empty: whatever is there
    void put(String path, byte[] content, @Nullable Boolean isExecutable, Map<String, String> precondition) {
        var headers = new HashMap<>(precondition);
        headers.put("content-type", BYTES);
        page.api().answer(Method.PUT, path(path).with("executable", isExecutable), headers, content);
    }

    /// Puts all back as a version has it.
    void restore(Changes changes, String version) {
        for (var change : changes.changes()) {
            var before = change.before();
            if (before == null) {
                page.api().delete(path(change.path()));
            } else {
                restore(before, version);
            }
        }
    }

    private void restore(Asset file, String version) {
        page.call().borrow("a file of the version", file.sizeBytes(), 1);
        var read = page.api()
                .answer(
                        Method.GET,
                        path(file.logicalPath()).with("version", version),
                        Map.of("accept", BYTES),
                        new byte[0]);
        if (!(read.body() instanceof Answer.Body.Content content)) {
            throw new IllegalStateException("the API answered no content");
        }
        var bytes = new ByteArrayOutputStream((int) file.sizeBytes());
        try {
            content.writer().writeTo(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String declared = file.declaredType();
        var put = path(file.logicalPath())
                .with("assetType", declared == null ? file.assetType() : declared)
                .with("mediaType", file.mediaType())
                .with("executable", file.executable());
        page.api().answer(Method.PUT, put, Map.of("content-type", BYTES), bytes.toByteArray());
    }

    /// Writes files, one after the other.
    ///
    /// @throws Stopped where the API refused one
    void put(List<ChosenFiles.NewFile> files) throws Stopped {
        int done = 0;
        for (var file : files) {
            try {
                put(file.path().value(), file.content(), file.isExecutable() ? true : null, Map.of());
                done++;
            } catch (ProblemException e) {
                throw new Stopped(file.path().value(), done, e);
            }
        }
    }

    /// The API refused a file.
    static final class Stopped extends Exception {
        private static final long serialVersionUID = 1;

        final transient ProblemException why;
        private final String said;

        Stopped(String path, int done, ProblemException why) {
            super(path, why);
            this.why = why;
            this.said = path + ": " + why.problem().detail()
                    + (done == 0 ? "" : "; the " + done + " before it are written");
        }

        /// What became of the files.
        String said() {
            return said;
        }
    }

    /// The text of a file that a page can have edited; null: it is none, or too long.
    static @Nullable String editable(Asset file, long max) {
        String text = file.contentText();
        return text == null || text.indexOf(0) >= 0 || text.getBytes(StandardCharsets.UTF_8).length > max ? null : text;
    }
}
