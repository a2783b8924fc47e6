package dev.sheaf.server.skill.archive;

import java.util.Optional;

/// The archive formats in which a skill is available.
public enum ArchiveForm {
    /// The format that every client can unpack. It cannot hold long paths.
    TAR_GZ(".tar.gz", "application/gzip"),
    ZIP(".zip", "application/zip");

    private final String ending;
    private final String mediaType;

    ArchiveForm(String ending, String mediaType) {
        this.ending = ending;
        this.mediaType = mediaType;
    }

    /// Returns the extension of the file name, such as `.zip`.
    public String ending() {
        return ending;
    }

    public String mediaType() {
        return mediaType;
    }

    /// Returns the format of a file with this name.
    public static Optional<ArchiveForm> ofFile(String name) {
        for (var form : values()) {
            if (name.length() > form.ending.length() && name.endsWith(form.ending)) {
                return Optional.of(form);
            }
        }
        return Optional.empty();
    }
}
