package dev.sheaf.server.skill.image;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.oci.DerivedImage;
import dev.sheaf.model.oci.DerivedImage.Part;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Writes the manifest and the config for a version.
///
/// @param version its number and time are part of them
record ImageDocuments(BundleSnapshot bundle, DerivedImages.Kind kind, VersionRow version) {
    private static final String PREFIX = "org.opencontainers.image.";

    /// Checks that the skill has a description, which its artifact contains.
    ///
    /// @throws ProblemException not-found if the skill lacks what an index lists
    void requireText(@Nullable SkillText text) {
        if (kind.dialect() == ImageDialect.AGENTSKILL && text == null) {
            throw new Problem.NotFound(
                            "an agent skill with a name and a description, which indexes list, in the SKILL.md of "
                                    + kind.skill() + " of version " + version.version() + " of " + bundle.name())
                    .raise();
        }
    }

    /// @param layer the compressed archive
    /// @param plain the digest of its tar archive
    /// @param text the text of the skill; null if an index would not list it, or if the whole version is meant
    MadeImage image(SkillArchive.Facts layer, Digest plain, @Nullable SkillText text) {
        byte[] config = DerivedImage.config(version.publishedAt(), plain, "sheaf " + source());
        var part = new Part(DerivedImage.IMAGE_LAYER, layer.digest(), layer.size(), Map.of());
        return made(null, DerivedImage.IMAGE_CONFIG, config, part, annotations(text));
    }

    /// Does not ask oras to unpack the layer: oras requires entries for folders, which archives here do not
    /// have.
    MadeImage skill(SkillArchive.Facts layer, SkillText text) {
        byte[] config = DerivedImage.config(new DerivedImage.SkillConfig(
                kind.skill(),
                version.version().toString(),
                text.description().orElse(null),
                text.license().orElse(null),
                text.compatibility().orElse(null),
                text.allowedTools(),
                text.metadata()));
        var part = new Part(
                DerivedImage.SKILL_LAYER,
                layer.digest(),
                layer.size(),
                Map.of(PREFIX + "title", kind.skill() + ".tar.gz"));
        var annotations = annotations(text);
        annotations.put("io.agentskills.skill.name", kind.skill());
        return made(DerivedImage.SKILL, DerivedImage.SKILL_CONFIG, config, part, annotations);
    }

    private String source() {
        return bundle.name() + "@" + version.digest();
    }

    private Map<String, String> annotations(@Nullable SkillText text) {
        var annotations = new TreeMap<String, String>();
        annotations.put(PREFIX + "created", version.publishedAt().toString());
        annotations.put(PREFIX + "version", version.version().toString());
        annotations.put(PREFIX + "title", kind.skill().isEmpty() ? bundle.name().toString() : kind.skill());
        if (text != null) {
            text.description().ifPresent(said -> annotations.put(PREFIX + "description", said));
            text.license().ifPresent(said -> annotations.put(PREFIX + "licenses", said));
        }
        annotations.put(DerivedImage.SOURCE, source());
        return annotations;
    }

    private MadeImage made(
            @Nullable String artifactType,
            String configType,
            byte[] config,
            Part layer,
            Map<String, String> annotations) {
        var configPart = Part.of(configType, config);
        byte[] manifest = DerivedImage.manifest(artifactType, configPart, layer, annotations);
        return new MadeImage(
                version.id(),
                Digest.sha256(manifest),
                manifest,
                configPart.digest(),
                config,
                layer.digest(),
                layer.size());
    }
}
