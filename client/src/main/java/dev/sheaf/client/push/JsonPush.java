package dev.sheaf.client.push;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.Progress.Activity;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.LocalAsset;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.PushRequest;
import dev.sheaf.model.wire.bundle.RequiredBundle;
import dev.sheaf.model.wire.bundle.VersionDetail;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Pushes a version in one request (contract 3.5). The request can be repeated: pushing the same content again
/// succeeds.
final class JsonPush {
    /// The limit for a README in bytes (contract 6).
    private static final int LARGEST_README = 512 << 10;

    /// The status for content that exists already; new content gets 201.
    private static final int KNOWN = 200;
    private static final int HELD = 202;

    private static final Pattern LINE = Pattern.compile("^: line ([0-9]+): ");

    private final RegistryTransport transport;
    private final Progress progress;

    JsonPush(RegistryTransport transport, Progress progress) {
        this.transport = transport;
        this.progress = progress;
    }

    /// Returns the request body: text if the bytes are text, otherwise base64.
    static byte[] body(BundlePush.Content content, PushOptions options) {
        var manifest = new ArrayList<PushRequest.Asset>();
        String readme = null;
        for (int i = 0; i < content.files().size(); i++) {
            LocalAsset file = content.files().get(i);
            OciPackaging.Asset asset = content.assets().get(i);
            byte[] bytes = read(file);
            String text = text(bytes);
            if (file.path().value().equals("README.md") && bytes.length <= LARGEST_README) {
                readme = text;
            }
            manifest.add(new PushRequest.Asset(
                    file.path().value(),
                    file.type().toString(),
                    text,
                    text == null ? Base64.getEncoder().encodeToString(bytes) : null,
                    file.mediaType(),
                    asset.digest().hex(),
                    asset.executable() ? true : null));
        }
        return WireJson.write(new PushRequest(
                content.repository().bundle().value(),
                content.name(),
                options.description(),
                options.visibility() == null ? null : options.visibility().toString(),
                content.version().toString(),
                readme,
                readme == null ? null : "markdown",
                options.message(),
                options.tags().isEmpty()
                        ? null
                        : options.tags().stream().map(Object::toString).toList(),
                manifest,
                options.requires().isEmpty()
                        ? null
                        : options.requires().stream().map(RequiredBundle::of).toList()));
    }

    private static byte[] read(LocalAsset asset) {
        try {
            return Files.readAllBytes(asset.file());
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + asset.file(), e);
        }
    }

    /// Decodes UTF-8; null if the bytes are not UTF-8. Text with NUL or U+FFFD is sent as base64 too, because
    /// registries treat these characters as signs of a damaged binary file.
    private static @Nullable String text(byte[] bytes) {
        return Utf8Text.of(bytes)
                .filter(text -> text.indexOf('\0') < 0 && text.indexOf('\uFFFD') < 0)
                .orElse(null);
    }

    Pushed run(Reference reference, BundlePush.Content content, byte[] json) {
        var repository = content.repository();
        var call = HttpCall.of("POST", transport.at(repository, ":push"))
                .sending("application/json", () -> BodyPublishers.ofByteArray(json))
                .expecting(200, 201, HELD);
        JsonNode answer;
        var status = new AtomicInteger();
        try (var transfer = progress.begin(Activity.UPLOAD, reference.toString(), content.sizeBytes())) {
            progress.step(Progress.Step.CHANGING);
            answer = transport.json(call, JsonNode.class, status::set);
            progress.step(Progress.Step.CHANGED);
            transfer.advance(content.sizeBytes());
        }
        if (status.get() == HELD) {
            return content.held(Pushed.Route.JSON, WireJson.read(answer, HeldVersion.class));
        }
        var detail = WireJson.read(answer, VersionDetail.class);
        if (detail.warnings() != null) {
            detail.warnings().stream()
                    .filter(warning -> !"visibility".equals(warning.code())) // Push reports it, with a remedy
                    .forEach(warning -> progress.notice(ErrorResponses.showable(sentence(warning))));
            if (detail.warnings().stream().anyMatch(warning -> "probable-secret".equals(warning.code()))) {
                progress.hint("to erase the bytes too, with an admin key: sheaf delete " + repository + ":"
                        + content.version() + " --purge --reason TEXT; others may have read them already");
            }
        }
        content.yanked(detail).ifPresent(said -> {
            progress.notice(said);
            progress.hint("to undo the yank: sheaf unyank " + repository + ":" + content.version());
        });
        return content.pushed(digest(content, detail, progress), Pushed.Route.JSON, status.get() == KNOWN);
    }

    /// Formats a warning like a [dev.sheaf.client.bundle.Finding], so that the same warning looks the same.
    private static String sentence(VersionDetail.Warning warning) {
        String path = warning.logicalPath();
        return path == null || path.isEmpty()
                ? warning.detail()
                : path + LINE.matcher(": " + warning.detail()).replaceFirst(":$1: ");
    }

    /// Returns the registry's digest, and checks it: if it differs from the digest computed here, something
    /// else was published.
    private static Digest digest(BundlePush.Content content, VersionDetail detail, Progress progress) {
        try {
            var digest = Digest.parse(WireJson.present(detail.ociDigest(), "ociDigest"));
            content.published(digest, progress);
            return digest;
        } catch (ProblemException e) {
            throw new SheafException.Server("the registry's answer is malformed: " + e.getMessage());
        }
    }
}
