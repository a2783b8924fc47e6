package dev.sheaf.model.wire.admin;

import dev.sheaf.model.text.WireWords;
import java.util.Optional;

/// The maintenance tasks that administrators can start. The console, the API and the commands take what they say
/// about a task from here, and whether they ask for its name.
public enum TaskKind {
    AUDIT_VERIFY("audit-verify", "Checks the chain of the audit log: that no entry was changed or removed.", ""),
    BACKUP(
            "backup",
            "Writes a backup into the folder of the setting backup-dir. Of its backups only the newest stay, as many as"
                    + " backup-keep says.",
            ""),
    FSCK("fsck", "Checks that the database and the stored content agree, and repairs what is safe to repair.", ""),
    GC(
            "gc",
            "Removes content that nothing refers to any more. The service does the same every gc-interval; nothing that"
                    + " can be pulled or restored goes.",
            ""),
    REPLACE_TOKEN_KEYS(
            "replace-token-keys",
            "Replaces the keys that sign access tokens, after a leak of the old ones.",
            "ends all access tokens at once"),
    RESCAN(
            "rescan",
            "Has all versions that readers can get read again for findings, also by the scanners of the policies. What is"
                    + " found hides nothing; events and the inbox tell of it.",
            ""),
    RETIRE_PEPPER(
            "retire-pepper",
            "Ends the older peppers of API keys, and the keys that were not used since the newest pepper took effect.",
            "ends the API keys that were not used since the newest pepper took effect"),
    ROTATE_PEPPER(
            "rotate-pepper",
            "Makes the next pepper for API keys. From half a minute later each key moves to it when it is used, and works"
                    + " as before.",
            ""),
    ROTATE_TOKEN_KEYS(
            "rotate-token-keys",
            "Makes the next key that signs access tokens. It signs ten minutes later; issued tokens stay valid.",
            ""),
    SCRUB(
            "scrub",
            "Reads all stored content and compares it with its digests. The next push of damaged content replaces it.",
            ""),
    SWEEP(
            "sweep",
            "Sets stored objects aside that no row of the database names, and removes them days later. The service does"
                    + " the same every sweep-interval.",
            "");

    private final String word;
    private final String purpose;
    private final String ending;

    TaskKind(String word, String purpose, String ending) {
        this.word = word;
        this.purpose = purpose;
        this.ending = ending;
    }

    /// Returns the task with that name; empty for an unknown name.
    public static Optional<TaskKind> find(String word) {
        return WireWords.find(TaskKind.class, word);
    }

    /// Returns what the task does: one or two sentences.
    public String purpose() {
        return purpose;
    }

    /// Returns what loses its access, as a clause such as `ends all access tokens at once`; empty if nothing does.
    public String ending() {
        return ending;
    }

    /// Returns whether the task ends access that somebody has. Then it starts only for a request that repeats its
    /// name.
    public boolean endsAccess() {
        return !ending.isEmpty();
    }

    /// Returns whether the task looks for faults, so that each of its findings is one. The commands then exit with
    /// status 1.
    public boolean isCheck() {
        return this == FSCK || this == SCRUB;
    }

    /// Returns the name in the API.
    @Override
    public String toString() {
        return word;
    }
}
