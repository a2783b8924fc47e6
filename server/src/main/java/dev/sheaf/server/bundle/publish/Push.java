package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.check.PluginChecks;
import dev.sheaf.server.bundle.check.SkillChecks;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Publishes a version that is sent in one request (contract 3.5). Thread-safe.
public final class Push {
    private final PublishPrecheck admission;
    private final Publish publish;
    private final Blobs blobs;
    private final ContentChecks checks;
    private final VersionPassports passports;

    public Push(
            PublishPrecheck admission, Publish publish, Blobs blobs, ContentChecks checks, VersionPassports passports) {
        this.admission = admission;
        this.publish = publish;
        this.blobs = blobs;
        this.checks = checks;
        this.passports = passports;
    }

    /// Refuses a caller who may not publish under the name, before the request's body is read.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [PublishPrecheck#mayPublish], [PublishPrecheck#mayCall]
    public void admit(ChangeOrigin origin, RepositoryName name) {
        admission.mayPublish(origin, name);
        admission.mayCall(name);
    }

    /// @throws dev.sheaf.model.ProblemException those of [PublishPrecheck#admit], [Publish#version]
    public Publish.Outcome push(ChangeOrigin origin, PushRequest request) {
        return push(origin, request, Publish.With.NOTHING);
    }

    /// Publishes a version together with something else.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [#push(ChangeOrigin, PushRequest)], and of `with`
    public Publish.Outcome push(ChangeOrigin origin, PushRequest request, Publish.With with) {
        var assets = request.assets();
        var profile = request.profile();
        var packaging = OciPackaging.of(
                request.name(),
                request.version(),
                profile.name(),
                profile.description(),
                assets.stream().map(Asset::packed).toList(),
                request.requires());
        var content = NewVersion.Content.packed(request.version(), assets, request.requires(), packaging);
        admission.admit(origin, request.name(), content);
        var notes = new NewVersion.Notes(request.message(), warnings(request), List.of(), passport(packaging, request));
        var staged = stage(packaging, request.content(), with.content());
        var publication =
                new NewVersion(request.name(), request.visibility(), profile, content, request.tags(), staged, notes);
        return publish.version(origin, publication, with, new Publish.Reading() {
            @Override
            public Passport passport(NewVersion.Content read) {
                return passports.required(packaging.manifest().digest(), assets, bytes(request));
            }

            @Override
            public Passport passport(AutomaticApproval.Base base) {
                return base.passport(passports, bytes -> {});
            }
        });
    }

    /// Stages all content or none: on a full disk, content left behind would take the room of a push that fits.
    private List<StagedBlob> stage(OciPackaging packaging, List<SentAsset> content, List<byte[]> more) {
        var staged = new ArrayList<StagedBlob>();
        try {
            staged.add(blobs.stage(packaging.config().bytes()));
            content.forEach(sent -> staged.add(blobs.stage(sent.bytes)));
            more.forEach(bytes -> staged.add(blobs.stage(bytes)));
            return staged;
        } catch (RuntimeException e) {
            blobs.discard(staged, e);
            throw e;
        }
    }

    /// Makes the passport while the files are in memory; null if the processors are busy, so that it is made later.
    private @Nullable Passport passport(OciPackaging packaging, PushRequest request) {
        return passports
                .ofContent(packaging.manifest().digest(), request.assets(), bytes(request))
                .orElse(null);
    }

    private static Function<String, Optional<byte[]>> bytes(PushRequest request) {
        var bytes = new HashMap<String, byte[]>();
        request.content().forEach(sent -> bytes.put(sent.asset.path().value(), sent.bytes));
        return path -> Optional.ofNullable(bytes.get(path));
    }

    private List<ContentChecks.Warning> warnings(PushRequest request) {
        var bytes = new HashMap<Asset, byte[]>();
        request.content().forEach(sent -> bytes.put(sent.asset, sent.bytes));
        Function<Asset, Optional<byte[]>> document = asset -> Optional.ofNullable(bytes.get(asset));
        return Stream.of(
                        request.content().stream()
                                .flatMap(sent ->
                                        checks.of(sent.asset.path(), sent.asset.mediaType(), sent.bytes).stream()),
                        SkillChecks.of(request.name().bundle().value(), request.assets(), document).stream(),
                        PluginChecks.of(request.name().bundle().value(), request.version(), request.assets(), document)
                                .stream())
                .flatMap(warnings -> warnings)
                .toList();
    }
}
