package dev.sheaf.model.wire.bundle;

import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a version can touch, as its files tell, and what of that is new since another version.
///
/// @param rules the date of the rules; the same files and rules always give the same passport
/// @param files the number of files that were read
/// @param complete whether everything was read
/// @param unread files that were not read as a whole
/// @param since the version with which it is compared; null if it was not asked for
/// @param added what that version did not have
/// @param gone what only that version had
public record VersionPassport(
        String namespace,
        String slug,
        String version,
        String ociDigest,
        String rules,
        int files,
        boolean complete,
        List<Passport.Unread> unread,
        Passport.Rows rows,
        VersionDiff.@Nullable Side since,
        Passport.@Nullable Rows added,
        Passport.@Nullable Rows gone) {
    /// Returns the passport without the version.
    public Passport passport() {
        return new Passport(rules, files, complete, unread, rows);
    }

    /// Returns what is new; null if it was not asked for.
    public @Nullable PassportChange change() {
        return added == null || gone == null ? null : new PassportChange(added, gone);
    }
}
