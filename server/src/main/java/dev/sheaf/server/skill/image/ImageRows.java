package dev.sheaf.server.skill.image;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.util.Optional;
import java.util.UUID;

/// Images and artifacts that were made from versions.
final class ImageRows {
    private static final String COLUMNS = """
            SELECT version_id, digest, manifest, config_digest, config, layer_digest, layer_size FROM derived_image
            """;

    private ImageRows() {}

    static Optional<MadeImage> find(Tx tx, UUID version, ImageDialect dialect, String skill) {
        return tx.find(
                COLUMNS + "WHERE version_id = :version AND dialect = :dialect AND skill = :skill",
                MadeImage.class,
                "version",
                version,
                "dialect",
                dialect.toString(),
                "skill",
                skill);
    }

    /// Returns the image with this manifest, config or layer. If several match, returns any of them: the
    /// bytes are the same.
    static Optional<MadeImage> find(Tx tx, long repository, ImageDialect dialect, String skill, Digest digest) {
        return tx.first(
                COLUMNS + """
                 WHERE repository_id = :repository AND dialect = :dialect AND skill = :skill
                  AND (digest = :digest OR config_digest = :digest OR layer_digest = :digest)
                ORDER BY version_id LIMIT 1
                """,
                MadeImage.class,
                "repository",
                repository,
                "dialect",
                dialect.toString(),
                "skill",
                skill,
                "digest",
                digest);
    }

    /// Does nothing if another node was first.
    static void insert(Tx tx, long repository, ImageDialect dialect, String skill, MadeImage made) {
        tx.change("""
                INSERT INTO derived_image (version_id, dialect, skill, repository_id, digest, manifest, config_digest,
                    config, layer_digest, layer_size)
                VALUES (:versionId, :dialect, :skill, :repository, :digest, :manifest, :configDigest,
                    :config, :layerDigest, :layerSize)
                ON CONFLICT (version_id, dialect, skill) DO NOTHING
                """, made, "repository", repository, "dialect", dialect.toString(), "skill", skill);
    }
}
