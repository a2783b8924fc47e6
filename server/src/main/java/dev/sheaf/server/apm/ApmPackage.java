package dev.sheaf.server.apm;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.archive.PlainArchive;
import dev.sheaf.model.archive.PlainFile;
import dev.sheaf.model.archive.UnfitArchive;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.model.skill.YamlFields;
import dev.sheaf.model.text.Quoted;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A package as a client sends it: an archive with an `apm.yml` (APM, registry HTTP API, section 6).
///
/// @param archive the bytes, not copied; must not change
/// @param description as `apm.yml` says; null if it says none
public record ApmPackage(
        PlainArchive.Form form,
        byte[] archive,
        List<PlainFile> files,
        @Nullable String description) {
    private static final String MANIFEST = "apm.yml";
    private static final int MAX_DESCRIPTION = 4_000;

    public ApmPackage {
        files = List.copyOf(files);
    }

    /// Reads an archive.
    ///
    /// @param step runs before each file, and may throw to end the work
    /// @throws ProblemException validation-failed if the archive is not plain, or its `apm.yml` is missing or says
    /// something else than the path
    public static ApmPackage read(
            PlainArchive.Form form, byte[] archive, RepositoryName name, Version version, Runnable step) {
        try {
            var files = PlainArchive.read(form, archive, step);
            var manifest = files.stream()
                    .filter(file -> file.path().value().equals(MANIFEST))
                    .findFirst()
                    .orElseThrow(() -> unfit("has no apm.yml at its root"));
            var fields = fields(manifest);
            check(fields, name, version);
            String description = fields.get("description");
            boolean isShort = description != null && description.length() <= MAX_DESCRIPTION;
            return new ApmPackage(form, archive, files, isShort ? description : null);
        } catch (UnfitArchive e) {
            throw unfit(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the unpacked size of an archive in bytes, before it is read.
    ///
    /// @throws ProblemException validation-failed if it is not an archive of this form, or too large
    public static long size(PlainArchive.Form form, byte[] archive) {
        try {
            return PlainArchive.size(form, archive);
        } catch (UnfitArchive e) {
            throw unfit(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the refusal of an archive; `why` completes "the archive ".
    static ProblemException unfit(String why) {
        return Problem.invalid("format", "the archive " + why);
    }

    private static Map<String, String> fields(PlainFile manifest) {
        try {
            return YamlFields.read(manifest.content());
        } catch (SkillText.Wrong e) {
            throw unfit("has an apm.yml that cannot be read, line " + e.line() + ": " + e.getMessage());
        }
    }

    private static void check(Map<String, String> fields, RepositoryName name, Version version) {
        String slug = name.bundle().value();
        String named = fields.getOrDefault("name", "");
        if (!named.equals(slug) && !named.endsWith("/" + slug)) {
            throw other("name", named, slug + ", or end in /" + slug);
        }
        String numbered = fields.getOrDefault("version", "");
        if (!numbered.equals(version.toString())) {
            throw other("version", numbered, version.toString());
        }
    }

    private static ProblemException other(String field, String found, String expected) {
        return unfit("has an apm.yml with the " + field + " " + Quoted.of(found) + "; it must be " + expected
                + ", as in the path");
    }
}
