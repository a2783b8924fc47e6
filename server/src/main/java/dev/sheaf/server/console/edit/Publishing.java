package dev.sheaf.server.console.edit;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Creates a bundle from chosen files.
final class Publishing {
    private static final long MAX_PUSHED = 4 << 20; // bytes; as JSON they take a multiple of this in memory
    private static final int COPIES = 4; // base64, and the JSON text while it grows

    private final PageCall page;
    private final NewPages.Wanted wanted;

    Publishing(PageCall page, NewPages.Wanted wanted) {
        this.page = page;
        this.wanted = wanted;
    }

    /// Creates the bundle with its files and publishes none of them.
    ///
    /// @throws WorkingFiles.Stopped if the API refuses a file; the bundle then exists
    void create(ChosenFiles chosen) throws WorkingFiles.Stopped {
        var members = texts();
        members.put("slug", wanted.slug());
        page.api().post(BundleRecord.class, ApiPath.of("/v1/namespaces/{}/bundles", wanted.in()), members);
        new WorkingFiles(page, wanted.api("")).put(chosen.files());
    }

    /// Creates the bundle and its first version: in one transaction, unless the files are too large for one
    /// request.
    ///
    /// @throws WorkingFiles.Stopped as [#create]
    Notice publish(ChosenFiles chosen) throws WorkingFiles.Stopped {
        var made = chosen.size() <= MAX_PUSHED ? push(chosen.files()) : written(chosen);
        return FilesPages.notice(PublishPages.published(made), chosen.leftOut());
    }

    private VersionDetail written(ChosenFiles chosen) throws WorkingFiles.Stopped {
        create(chosen);
        try {
            return page.api().post(VersionDetail.class, wanted.api(":publish"), Map.of("version", wanted.version()));
        } catch (ProblemException e) {
            throw new WorkingFiles.Stopped("version " + wanted.version(), 0, e);
        }
    }

    private VersionDetail push(List<ChosenFiles.NewFile> files) {
        page.call()
                .borrow(
                        "the push",
                        files.stream().mapToLong(file -> file.content().length).sum(),
                        COPIES);
        var members = texts();
        members.put("version", wanted.version());
        members.put("manifest", files.stream().map(Publishing::member).toList());
        return page.api().post(VersionDetail.class, wanted.api(":push"), members);
    }

    private static Map<String, Object> member(ChosenFiles.NewFile file) {
        return Map.of(
                "logicalPath", file.path().value(),
                "contentBase64", Base64.getEncoder().encodeToString(file.content()),
                "executable", file.isExecutable());
    }

    private Map<String, @Nullable Object> texts() {
        var members = new HashMap<String, @Nullable Object>();
        members.put("name", wanted.slug());
        members.put("description", wanted.description().isEmpty() ? null : wanted.description());
        members.put("visibility", wanted.visibility());
        return members;
    }
}
