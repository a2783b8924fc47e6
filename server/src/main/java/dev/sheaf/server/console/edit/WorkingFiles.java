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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads and writes the working files of a bundle through the API.
final class WorkingFiles {
    private static final int PAGE = 100;
    private static final String BYTES = "application/octet-stream";

    private final PageCall page;
    private final ApiPath bundle;

    /// Creates the access to the working files of the bundle of a page.
    WorkingFiles(PageCall page) {
        this(page, Edited.api(page, ""));
    }

    /// @param bundle the bundle's path in the API
    WorkingFiles(PageCall page, ApiPath bundle) {
        this.page = page;
        this.bundle = bundle;
    }

    /// Returns the working files, or the files of a version, by path.
    ///
    /// @param version the version; null for the working files
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

    /// Returns the paths of the working files.
    Set<String> paths() {
        return all(null).stream().map(Asset::logicalPath).collect(Collectors.toSet());
    }

    /// Returns the API's path of a file. Encodes slashes too, so that any sent path names one file.
    ApiPath path(String path) {
        return ApiPath.of(bundle + "/assets/{}", path);
    }

    /// Returns a file, with its text if it is text.
    ///
    /// @param version the version; null for the working file
    Asset get(String path, @Nullable String version) {
        return page.api().get(Asset.class, path(path).with("version", version));
    }

    /// Returns the validator of a file's content.
    static String etag(Asset file) {
        return ConditionalRead.etag(Digest.ofSha256Hex(file.contentSha256()));
    }

    /// Writes a file.
    ///
    /// @param isExecutable the new mode; null leaves it unchanged
    /// @param precondition a header, `if-match` or `if-none-match`, with its value; empty means no condition
    void put(String path, byte[] content, @Nullable Boolean isExecutable, Map<String, String> precondition) {
        var headers = new HashMap<>(precondition);
        headers.put("content-type", BYTES);
        page.api().answer(Method.PUT, path(path).with("executable", isExecutable), headers, content);
    }

    /// Resets all files to the files of a version.
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
            throw new IllegalStateException("the API's answer has no content");
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
    /// @throws Stopped if the API refused one
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

    /// Thrown if the API refuses a file.
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

    /// Returns the text of a file that a page can edit; null if it is not text or too long.
    static @Nullable String editable(Asset file, long max) {
        String text = file.contentText();
        return text == null || text.indexOf(0) >= 0 || text.getBytes(StandardCharsets.UTF_8).length > max ? null : text;
    }
}
