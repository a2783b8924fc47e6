package dev.sheaf.server.v1.bundle;

import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.Packaging;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.Profile;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.check.SkillChecks;
import dev.sheaf.server.bundle.publish.Admission;
import dev.sheaf.server.bundle.publish.Publication;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Push in one request (contract 3.5).
public final class PushApi {
    private static final int MAX_NAME = 200;
    private static final int MAX_DESCRIPTION = 4_000;
    private static final int MAX_TAGS = 100;
    private static final Version NO_VERSION = Version.parse("0.0.0");
    private static final LogicalPath NO_PATH = new LogicalPath("none");

    private final Admission admission;
    private final Publish publish;
    private final Blobs blobs;
    private final ContentChecks checks;
    private final VersionDetails details;
    private final int maxAssets;

    public PushApi(
            Admission admission,
            Publish publish,
            Blobs blobs,
            ContentChecks checks,
            VersionDetails details,
            int maxAssets) {
        this.admission = admission;
        this.publish = publish;
        this.blobs = blobs;
        this.checks = checks;
        this.details = details;
        this.maxAssets = maxAssets;
    }

    public List<Route> routes() {
        return List.of(new Route(POST, BundleRoutes.BUNDLE + ":push", Need.WRITE, this::push));
    }

    /// What a push asks for, read and checked.
    private record Request(
            RepositoryName name,
            @Nullable Visibility visibility,
            Profile description,
            Version version,
            List<Tag> tags,
            List<Sent> assets) {}

    /// An asset with its bytes.
    private static final class Sent {
        private final Asset what;
        private final byte[] bytes;

        Sent(Asset what, byte[] bytes) {
            this.what = what;
            this.bytes = bytes;
        }
    }

    private Answer push(Call call) {
        var name = call.repository();
        admission.mayPublish(call.origin(), name);
        admission.mayCall(name);
        var fields = call.json(call.sizes().push());
        var request =
                call.computed(call.contentLength().orElse(Long.MAX_VALUE), budget -> read(fields, call.sizes(), name));
        var publication = publication(call.origin(), request);
        return details.published(call, publish.version(call.origin(), publication), publication.notes());
    }

    private Publication publication(Origin origin, Request request) {
        var assets = request.assets().stream().map(asset -> asset.what).toList();
        var packaging = Packaging.of(
                request.name(),
                request.version(),
                request.description().name(),
                request.description().description(),
                assets.stream().map(Asset::packed).toList());
        var content = Publication.Content.packed(request.version(), assets, packaging);
        admission.admit(origin, request.name(), content);
        var notes = new Publication.Notes(null, warnings(request));
        return new Publication(
                request.name(),
                request.visibility(),
                request.description(),
                content,
                request.tags(),
                stage(packaging, request.assets()),
                notes);
    }

    /// All of the content or, where some of it cannot be kept, none: on a full disk what is left behind would
    /// keep out what fits.
    private List<StagedBlob> stage(Packaging packaging, List<Sent> assets) {
        var staged = new ArrayList<StagedBlob>();
        try {
            staged.add(blobs.stage(packaging.config().bytes()));
            assets.forEach(asset -> staged.add(blobs.stage(asset.bytes)));
            return staged;
        } catch (RuntimeException e) {
            blobs.discard(staged, e);
            throw e;
        }
    }

    private List<ContentChecks.Warning> warnings(Request request) {
        var bytes = new HashMap<Asset, byte[]>();
        request.assets().forEach(asset -> bytes.put(asset.what, asset.bytes));
        var skills = SkillChecks.of(
                request.name().bundle().value(),
                request.assets().stream().map(asset -> asset.what).toList(),
                asset -> Optional.ofNullable(bytes.get(asset)));
        return Stream.concat(
                        request.assets().stream()
                                .flatMap(asset ->
                                        checks.of(asset.what.path(), asset.what.mediaType(), asset.bytes).stream()),
                        skills.stream())
                .toList();
    }

    private Request read(Fields fields, BodyLimits sizes, RepositoryName name) {
        String slug = fields.optional("slug", MAX_NAME);
        if (slug != null && !slug.equals(name.bundle().value())) {
            fields.error("slug", "format", "must be " + name.bundle() + ", as in the path");
        }
        String title = fields.optional("name", MAX_NAME);
        String description = fields.optional("description", MAX_DESCRIPTION);
        String readme = ProfileFields.readme(fields, sizes.readme());
        String format = fields.optional("readmeFormat", MAX_NAME);
        var visibility =
                fields.has("visibility") ? fields.parsed("visibility", Visibility::parse, Visibility.PRIVATE) : null;
        var version = fields.parsed("version", Version::parse, NO_VERSION);
        var tags = tags(fields);
        var assets = new ArrayList<Sent>();
        if (!fields.has("manifest")) {
            fields.error("manifest", "required", "is required: the assets of the version");
        }
        var entries = fields.objects("manifest", maxAssets);
        entries.forEach(entry -> assets.add(asset(entry, sizes.text())));
        fields.finish();
        return new Request(
                name,
                visibility,
                Profile.of(
                        title == null || title.isBlank() ? name.bundle().value() : title, description, readme, format),
                version,
                tags,
                assets);
    }

    static List<Tag> tags(Fields fields) {
        var words = fields.texts("tags");
        var tags = new ArrayList<Tag>();
        if (words != null && words.size() > MAX_TAGS) {
            fields.error("tags", "range", "has " + words.size() + " entries; at most " + MAX_TAGS);
            return tags;
        }
        for (int i = 0; words != null && i < words.size(); i++) {
            String word = words.get(i);
            fields.check("tags/" + i, () -> tags.add(Tag.parse(word)));
        }
        return tags;
    }

    private static Sent asset(Fields entry, int maxText) {
        var path = entry.parsed("logicalPath", LogicalPath::parse, NO_PATH);
        String declared = entry.optional("assetType", 100);
        var mediaType = entry.parsedOr("mediaType", MediaType::parse, MediaType.infer(path));
        byte[] bytes = bytes(entry, maxText);
        var executable = entry.flag("executable");
        var digest = Digest.sha256(bytes);
        if (entry.has("contentSha256")) {
            var claimed = entry.parsed("contentSha256", Digest::ofSha256Hex, digest);
            if (!claimed.equals(digest)) {
                entry.error("contentSha256", "format", "is not the hash of the content, which is " + digest.hex());
            }
        }
        return new Sent(
                Asset.declared(path, declared, digest, bytes.length, mediaType, Boolean.TRUE.equals(executable)),
                bytes);
    }

    /// The content, out of one of its two members. An empty text beside base64 is how a pulled binary asset
    /// looks.
    private static byte[] bytes(Fields entry, int maxText) {
        byte[] text = entry.utf8("contentText", maxText);
        if (entry.has("contentBase64")) {
            byte[] binary = entry.base64("contentBase64");
            if (text != null && text.length > 0) {
                entry.error("contentBase64", "range", "cannot be sent together with contentText");
            }
            return binary == null ? new byte[0] : binary;
        }
        if (!entry.has("contentText")) {
            entry.error("contentText", "required", "or contentBase64 is required");
        }
        return text == null ? new byte[0] : text;
    }
}
