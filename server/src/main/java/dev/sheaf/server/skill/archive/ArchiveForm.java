package dev.sheaf.server.skill.archive;

import java.util.Optional;

/// The forms in which a skill is offered.
public enum ArchiveForm {
    /// What every client unpacks; long paths do not fit.
    TAR_GZ(".tar.gz", "application/gzip"),
    ZIP(".zip", "application/zip");

    private final String ending;
    private final String mediaType;

    ArchiveForm(String ending, String mediaType) {
        this.ending = ending;
        this.mediaType = mediaType;
    }

    /// Of the file's name.
    public String ending() {
        return ending;
    }

    public String mediaType() {
        return mediaType;
    }

    /// The form of a file of that name.
    public static Optional<ArchiveForm> ofFile(String name) {
        for (var form : values()) {
            if (name.length() > form.ending.length() && name.endsWith(form.ending)) {
                return Optional.of(form);
            }
        }
        return Optional.empty();
    }
}
