package dev.sheaf.client;

import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.PushPlan;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.BundleFile;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.Finding;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.bundle.BundlePatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Publishes a folder as its `sheaf.yaml` describes.
final class SourcePush {
    private final SheafClient client;

    SourcePush(SheafClient client) {
        this.client = client;
    }

    Pushed run(BundleSource source, PushOptions options) {
        var file = sound(source);
        String readme = readme(source);
        var pushed = client.push(source.assets(), file.reference(), options.orElse(file.options()));
        describe(file, readme);
        return pushed;
    }

    /// Returns what [#run] would do.
    PushPlan plan(BundleSource source, PushOptions options) {
        var file = sound(source);
        return client.plan(source.assets(), file.reference(), options.orElse(file.options()));
    }

    private static BundleFile sound(BundleSource source) {
        var file = source.file();
        if (file == null || !source.isSound()) {
            List<Problem.FieldError> errors = source.findings().stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(finding -> new Problem.FieldError("", "invalid", finding.toString()))
                    .toList();
            throw new SheafException.InvalidRequest(
                    "the bundle in " + source.folder().toAbsolutePath().normalize() + " cannot be published",
                    SheafException.Answer.NONE,
                    errors);
        }
        return file;
    }

    private void describe(BundleFile file, @Nullable String readme) {
        if (file.license() == null && file.keywords().isEmpty() && readme == null) {
            return;
        }
        var bundle = client.bundle(file.reference().repository());
        var now = bundle.info();
        boolean same = (file.license() == null || file.license().equals(now.license()))
                && (file.keywords().isEmpty() || file.keywords().equals(now.keywords()))
                && (readme == null || Objects.equals(readme, now.readmeContent()));
        if (!same) {
            bundle.describe(new BundlePatch(
                    file.license(),
                    file.keywords().isEmpty() ? null : file.keywords(),
                    readme,
                    readme == null ? null : "markdown"));
        }
    }

    private static @Nullable String readme(BundleSource source) {
        Path readme = source.readme();
        try {
            return readme == null ? null : Files.readString(readme);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + readme, e);
        }
    }
}
