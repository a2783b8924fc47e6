package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.maintenance.backup.BackupManifest.ListedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Checks that a backup is complete: every file exists and has the hash that the backup lists.
final class RestoreCheck {
    private static final int NAMED = 20;
    private static final Pattern FILE = Pattern.compile("(tables/)?[a-z0-9_]{1,100}\\.jsonl");

    private final Path backup;
    private static final int MAX_MANIFEST = 1 << 20;

    private final byte[] text;
    private final BackupManifest manifest;

    /// @throws dev.sheaf.model.ProblemException conflict if the directory contains no finished backup in a
    /// format that this program supports
    RestoreCheck(Path backup) {
        this.backup = backup;
        this.text = text(backup);
        this.manifest = manifest(backup.resolve(BackupManifest.NAME), text);
    }

    private static byte[] text(Path backup) {
        Path file = backup.resolve(BackupManifest.NAME);
        try (var in = BackupFolder.open(file)) {
            byte[] text = in.readNBytes(MAX_MANIFEST + 1);
            if (text.length > MAX_MANIFEST) {
                throw BackupErrors.backup(file + " is larger than any file that this program writes");
            }
            return text;
        } catch (IOException e) {
            throw BackupErrors.backup(
                    file + " cannot be read, so " + backup + " is not a finished backup; choose another");
        }
    }

    private static BackupManifest manifest(Path file, byte[] text) {
        try {
            @Nullable BackupManifest manifest = JsonLines.JSON.readValue(text, BackupManifest.class);
            if (manifest == null) {
                throw BackupErrors.backup(file + " is damaged; choose another backup");
            }
            if (manifest.format() != BackupManifest.FORMAT) {
                throw BackupErrors.backup(file + " has the format " + manifest.format()
                        + ", which this program does not know; restore it with Sheaf " + manifest.sheaf());
            }
            return manifest;
        } catch (JacksonException e) {
            throw BackupErrors.backup(file + " is damaged; choose another backup");
        }
    }

    /// Returns why the origin of the backup is not proved; empty if its seal proves that a node of the
    /// installation wrote it.
    Optional<String> unsealed(MasterSecret master) {
        Path file = backup.resolve(BackupManifest.SEAL);
        byte[] seal;
        try (var in = BackupFolder.open(file)) {
            seal = in.readNBytes(MAX_MANIFEST);
        } catch (NoSuchFileException e) {
            return Optional.of(file + " is missing, so another person may have written or changed this backup. Backups"
                    + " of earlier versions have no seal. If you know that nobody else could write to the folder, add"
                    + " --unsealed");
        } catch (IOException e) {
            return Optional.of(file + " cannot be read: " + e.getMessage());
        }
        byte[] right = BackupManifest.seal(master, text).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(right, seal)
                ? Optional.empty()
                : Optional.of("its seal " + file + " does not match: " + BackupManifest.NAME
                        + " was changed after it was written, or"
                        + " the backup was made with a different master key, so no API key would work here; give this"
                        + " installation the master-key of the other one first (SHEAF_MASTER_KEY, or"
                        + " secrets/master-key in its data directory)");
    }

    BackupManifest manifest() {
        return manifest;
    }

    /// Checks every table and the list of objects.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict that names the first damaged file
    void tables(TaskRun run) {
        for (var table : manifest.tables()) {
            file(table.file());
            run.checkpoint();
        }
        file(manifest.objects().file());
    }

    private void file(ListedFile listed) {
        if (!FILE.matcher(listed.name()).matches()) {
            throw BackupErrors.backup(backup.resolve(BackupManifest.NAME)
                    + " names a file outside the backup, or one that no backup has; choose another backup");
        }
        Path file = backup.resolve(listed.name());
        var hash = Digest.Algorithm.SHA256.newHash();
        if (BackupFolder.size(file) != listed.bytes()
                || !copy(file, new DigestOutputStream(OutputStream.nullOutputStream(), hash))
                || !HexFormat.of().formatHex(hash.digest()).equals(listed.sha256())) {
            throw BackupErrors.backup(file + " is missing or damaged; nothing was restored. Choose another backup");
        }
    }

    /// Checks every object.
    ///
    /// @param mayBeDamaged whether damaged objects are only reported
    /// @throws dev.sheaf.model.ProblemException conflict that names damaged objects
    int objects(TaskRun run, boolean mayBeDamaged) {
        List<String> damaged = new ArrayList<>();
        JsonLines.read(backup.resolve(Backup.OBJECTS), row -> {
            run.checkpoint();
            var digest = Digest.parse(String.valueOf(row.get("digest")));
            if (!isWhole(digest, row.get("size") instanceof Long size ? size : -1)) {
                damaged.add(BackupFolder.object(BackupFolder.objectsOf(backup), digest)
                        .toString());
                run.find(digest.toString(), "its bytes are missing or damaged in the backup");
            }
            run.advance(1);
        });
        if (!damaged.isEmpty() && !mayBeDamaged) {
            throw BackupErrors.backup(damaged.size() + " objects of the backup are missing or damaged; nothing was"
                    + " restored. Choose another backup, or restore without them: "
                    + String.join(", ", damaged.subList(0, Math.min(NAMED, damaged.size()))));
        }
        return damaged.size();
    }

    private boolean isWhole(Digest digest, long size) {
        Path file = BackupFolder.object(BackupFolder.objectsOf(backup), digest);
        var hash = digest.algorithm().newHash();
        return BackupFolder.size(file) == size
                && copy(file, new DigestOutputStream(OutputStream.nullOutputStream(), hash))
                && Digest.finish(digest.algorithm(), hash.digest()).equals(digest);
    }

    private static boolean copy(Path file, OutputStream out) {
        try (var in = BackupFolder.open(file)) {
            in.transferTo(out);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
