package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.api.PassportApi;
import dev.sheaf.server.bundle.api.VersionDetails;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.publish.PublishRequest;
import dev.sheaf.server.bundle.publish.PublishWorkingSet;
import dev.sheaf.server.bundle.publish.Push;
import dev.sheaf.server.bundle.publish.PushRequest;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.bundle.version.NewBundle;
import dev.sheaf.server.console.PageCall;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Creates a bundle from chosen files. Thread-safe.
final class FirstPublish {
    private static final long MAX_PUSHED = 4 << 20; // bytes; as JSON they take a multiple of this in memory
    private static final int COPIES = 4; // base64, and the JSON text while it grows

    private final BundleEdits edits;
    private final PublishWorkingSet workingSet;
    private final Push push;
    private final VersionDetails details;
    private final WorkingFiles files;
    private final int mostFiles;

    FirstPublish(
            BundleEdits edits,
            PublishWorkingSet workingSet,
            Push push,
            VersionDetails details,
            WorkingFiles files,
            int mostFiles) {
        this.edits = edits;
        this.workingSet = workingSet;
        this.push = push;
        this.details = details;
        this.files = files;
        this.mostFiles = mostFiles;
    }

    /// Creates the bundle with its files and publishes none of them.
    ///
    /// @throws WorkingFiles.Stopped if a file is refused; the bundle then exists
    void create(PageCall page, NewPages.Wanted wanted, ChosenFiles chosen) throws WorkingFiles.Stopped {
        var members = texts(wanted);
        members.put("slug", wanted.slug());
        var namespace = RequestFields.named("namespace", wanted.in(), Namespace::parse);
        int readme = page.call().sizes().readme();
        var made = RequestFields.form(members).to(fields -> NewBundle.parse(fields, namespace, readme));
        edits.create(page.origin(), made);
        files.put(page, made.name(), chosen.files());
    }

    /// Creates the bundle and its first version: in one transaction, unless the files are too large for one
    /// request.
    ///
    /// @throws WorkingFiles.Stopped as [#create]
    PublishPages.Made publish(PageCall page, NewPages.Wanted wanted, ChosenFiles chosen) throws WorkingFiles.Stopped {
        var published =
                chosen.size() <= MAX_PUSHED ? push(page, wanted, chosen.files()) : written(page, wanted, chosen);
        var made = PublishPages.made(page, published, wanted.at("").toString(), details);
        return new PublishPages.Made(made.at(), FilesPages.notice(made.notice(), chosen.leftOut()));
    }

    private Publish.Outcome written(PageCall page, NewPages.Wanted wanted, ChosenFiles chosen)
            throws WorkingFiles.Stopped {
        create(page, wanted, chosen);
        try {
            var request =
                    RequestFields.form(Map.of("version", wanted.version())).to(PublishRequest::parse);
            return workingSet.publish(page.origin(), name(wanted), request, PassportApi.admitting(page.call()));
        } catch (ProblemException e) {
            throw new WorkingFiles.Stopped("version " + wanted.version(), 0, e);
        }
    }

    private static RepositoryName name(NewPages.Wanted wanted) {
        return new RepositoryName(
                RequestFields.named("namespace", wanted.in(), Namespace::parse),
                RequestFields.named("bundle", wanted.slug(), BundleName::parseBundle));
    }

    private Publish.Outcome push(PageCall page, NewPages.Wanted wanted, List<ChosenFiles.NewFile> files) {
        var name = name(wanted);
        push.admit(page.origin(), name);
        long size = files.stream().mapToLong(file -> file.content().length).sum();
        page.call().borrow("the push", size, COPIES);
        var members = texts(wanted);
        members.put("version", wanted.version());
        members.put("manifest", files.stream().map(FirstPublish::member).toList());
        var sizes = page.call().sizes();
        var request = page.call()
                .computed(
                        size,
                        budget -> RequestFields.form(members)
                                .to(fields ->
                                        PushRequest.parse(fields, name, mostFiles, sizes.text(), sizes.readme())));
        return push.push(page.origin(), request);
    }

    private static Map<String, Object> member(ChosenFiles.NewFile file) {
        return Map.of(
                "logicalPath", file.path().value(),
                "contentBase64", Base64.getEncoder().encodeToString(file.content()),
                "executable", file.isExecutable());
    }

    private static Map<String, @Nullable Object> texts(NewPages.Wanted wanted) {
        var members = new HashMap<String, @Nullable Object>();
        members.put("name", wanted.slug());
        members.put("description", wanted.description().isEmpty() ? null : wanted.description());
        members.put("visibility", wanted.visibility());
        return members;
    }
}
