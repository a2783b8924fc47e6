package dev.sheaf.model.archive;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Archives that every program unpacks to the same files. Readers of zip and tar disagree about anything unusual: a
/// name that is there twice, two headers that differ, bytes between entries, old forms of names. Somebody could show a
/// reviewer other files than users get. So only what all of them read alike is accepted, and an archive is refused as
/// a whole.
public final class PlainArchive {
    /// The limit for the number of files.
    public static final int MAX_FILES = PackedFiles.MAX_FILES;
    /// The limit for all files together, and for the archive itself.
    public static final long MAX_BYTES = PackedFiles.MAX_BYTES;

    static final int MAX_ENTRIES = 2 * MAX_FILES; // with folders

    /// The formats.
    public enum Form {
        /// One member of gzip with a tar archive of POSIX.1-1988 (ustar), with paths and sizes of POSIX.1-2001 (pax).
        TAR_GZ("application/gzip"),
        /// Zip, stored or deflated, without Zip64.
        ZIP("application/zip");

        private final String mediaType;

        Form(String mediaType) {
            this.mediaType = mediaType;
        }

        /// Returns the media type of the archive.
        public String mediaType() {
            return mediaType;
        }

        /// Returns the form of a media type, which may have parameters.
        public static Optional<Form> of(String mediaType) {
            String bare = mediaType.split(";", 2)[0].strip();
            return Arrays.stream(values())
                    .filter(form -> form.mediaType.equalsIgnoreCase(bare))
                    .findFirst();
        }
    }

    private PlainArchive() {}

    /// Returns the unpacked size that the archive states, in bytes. It unpacks to no more.
    ///
    /// @throws UnfitArchive if it is not an archive of this form, or is too large
    public static long size(Form form, byte[] archive) throws UnfitArchive {
        return switch (form) {
            case TAR_GZ -> PlainTar.size(archive);
            case ZIP -> ZippedFiles.open(archive, MAX_ENTRIES, MAX_BYTES).size();
        };
    }

    /// Reads all files, in the order of the archive.
    ///
    /// @param step runs before each file, and may throw to end the work
    /// @throws UnfitArchive if the archive has anything that programs read differently; names the entry
    public static List<PlainFile> read(Form form, byte[] archive, Runnable step) throws UnfitArchive {
        var files = switch (form) {
            case TAR_GZ -> PlainTar.read(archive, step);
            case ZIP -> PlainZip.read(archive, step);
        };
        if (files.size() > MAX_FILES) {
            throw new UnfitArchive("has " + files.size() + " files; at most " + MAX_FILES);
        }
        return files;
    }
}
