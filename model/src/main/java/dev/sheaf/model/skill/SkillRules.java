package dev.sheaf.model.skill;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.skill.SkillNote.Level;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.ScanEffort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The checks of skills, based on the Agent Skills specification and on the limits of its clients. `sheaf lint`
/// runs them, a push before it sends anything, and a registry when it publishes.
public final class SkillRules {
    private static final int LONGEST_DESCRIPTION = 1024; // UTF-16 units, as clients count
    private static final int LONGEST_COMPATIBILITY = 500;
    private static final int LONGEST_BODY = 500; // lines
    private static final int MOST_FILES = 512;
    private static final long MOST_BYTES = 16L << 20;
    private static final int MAX_NOTES = 50;
    private static final int MOST_PARTS = 5; // of a skill that are named

    private static final Set<String> KNOWN =
            Set.of("name", "description", "license", "compatibility", "metadata", "allowed-tools");

    /// Fields that some clients use and others ignore.
    private static final Set<String> OF_CLIENTS = Set.of(
            "agent",
            "argument-hint",
            "author",
            "context",
            "disable-model-invocation",
            "hooks",
            "keywords",
            "mode",
            "model",
            "paths",
            "tags",
            "user-invocable",
            "version",
            "when-to-use",
            "when_to_use");

    private final @Nullable String slug;
    private final LogicalPath path;
    private final List<SkillNote> notes = new ArrayList<>();

    private SkillRules(@Nullable String slug, LogicalPath path) {
        this.slug = slug;
        this.path = path;
    }

    /// Returns whether an index for clients can list a skill with this text.
    public static boolean isListed(SkillText text) {
        return text.name().isPresent() && text.description().isPresent();
    }

    /// Returns the description as indexes list it: cut, with an ellipsis at the end, if it is longer than 1,024 UTF-16
    /// units, which is the most that clients take.
    public static String listed(String description) {
        if (description.length() <= LONGEST_DESCRIPTION) {
            return description;
        }
        int end = LONGEST_DESCRIPTION - 1;
        boolean splits = Character.isHighSurrogate(description.charAt(end - 1));
        return description.substring(0, splits ? end - 1 : end) + "…";
    }

    /// Checks a SKILL.md.
    ///
    /// @param slug the bundle's slug, which is the name of a skill at the root; null if it is not known yet
    /// @param bytes see [SkillText#parse]
    public static List<SkillNote> ofDocument(@Nullable String slug, LogicalPath path, byte[] bytes) {
        var rules = new SkillRules(slug, path);
        try {
            rules.check(SkillText.parse(bytes));
        } catch (SkillText.Wrong e) {
            rules.note(Level.ERROR, e.line(), e.getMessage());
        }
        return rules.notes.size() <= MAX_NOTES
                ? List.copyOf(rules.notes)
                : List.copyOf(rules.notes.subList(0, MAX_NOTES));
    }

    /// Checks the folders of a bundle's skills.
    ///
    /// @param script tests whether a file begins as a script but is not executable
    public static <T> List<SkillNote> ofFolders(
            SkillFolders.Found<T> found, SkillFolders.Reading<T> reading, Predicate<T> script) {
        var notes = new ArrayList<SkillNote>();
        found.leftOut()
                .forEach(left -> notes.add(new SkillNote(
                        left.path(), Level.WARNING, 0, "clients do not get this skill: " + left.reason())));
        found.skills().forEach(skill -> ofFiles(skill, reading, script, notes));
        return notes;
    }

    private static <T> void ofFiles(
            Skill<T> skill, SkillFolders.Reading<T> reading, Predicate<T> script, List<SkillNote> notes) {
        var document = reading.path().apply(skill.document());
        if (skill.files().size() > MOST_FILES) {
            notes.add(new SkillNote(
                    document,
                    Level.WARNING,
                    0,
                    "the skill has " + skill.files().size() + " files; some clients take at most " + MOST_FILES));
        }
        long bytes = skill.files().stream().mapToLong(reading.size()).sum();
        if (bytes > MOST_BYTES) {
            notes.add(new SkillNote(
                    document,
                    Level.WARNING,
                    0,
                    "the files of the skill have " + bytes + " bytes; some clients take at most " + MOST_BYTES
                            + " (16 MiB)"));
        }
        for (T file : skill.files()) {
            var path = reading.path().apply(file);
            if (UstarName.of(skill.inside(path)).isEmpty()) {
                notes.add(new SkillNote(
                        path,
                        Level.WARNING,
                        0,
                        "the path is too long for a tar archive, so clients get the skill as a zip"));
            }
            if (script.test(file)) {
                notes.add(new SkillNote(
                        path,
                        Level.WARNING,
                        0,
                        "begins with #! but is not executable; if it is a script, run chmod +x"));
            }
        }
    }

    /// Returns a note for each skill with parts that an agent program may run by itself, or that it lets the agent do
    /// without a question. Clients install such a skill only with consent.
    ///
    /// @param document returns the bytes of a file that is read as text; empty to skip it
    public static <T> List<SkillNote> ofRunning(
            SkillFolders.Found<T> found, SkillFolders.Reading<T> reading, Function<T, Optional<byte[]>> document) {
        var notes = new ArrayList<SkillNote>();
        var effort = new ScanEffort();
        for (var skill : found.skills()) {
            var parts = new ArrayList<String>();
            for (T file : skill.files()) {
                String inside = skill.inside(reading.path().apply(file));
                AutomaticFiles.why(inside).ifPresent(why -> parts.add(inside + " " + why));
                if (AutomaticCommands.isRead(inside)) {
                    document.apply(file)
                            .map(bytes -> AutomaticCommands.of(new String(bytes, StandardCharsets.UTF_8), effort))
                            .ifPresent(commands -> commands.runs()
                                    .forEach(what -> parts.add(
                                            AutomaticCommands.isUsual(inside) ? what : inside + ": " + what)));
                }
            }
            if (!parts.isEmpty()) {
                String named = parts.stream().limit(MOST_PARTS).collect(Collectors.joining("; "));
                String more = parts.size() > MOST_PARTS ? "; and " + (parts.size() - MOST_PARTS) + " more" : "";
                notes.add(new SkillNote(
                        reading.path().apply(skill.document()),
                        Level.WARNING,
                        0,
                        "may run programs by itself, so `sheaf add` writes it only with --allow-exec: " + named
                                + more));
            }
        }
        return notes;
    }

    // --- the document ---

    private void note(Level level, int line, String message) {
        notes.add(new SkillNote(path, level, line, message));
    }

    private void check(SkillText text) {
        checkName(text);
        checkDescription(text);
        checkCompatibility(text);
        if (text.members().get("allowed-tools") instanceof SkillValue value && !(value instanceof SkillValue.Text)) {
            note(
                    Level.WARNING,
                    value.line(),
                    "allowed-tools: write one string with spaces between the tools; some clients do not read a list");
        }
        checkMetadata(text);
        long lines = text.body().lines().count();
        if (lines > LONGEST_BODY) {
            note(
                    Level.WARNING,
                    0,
                    "the text has " + lines + " lines; an agent reads all of it, so keep it below " + LONGEST_BODY
                            + " and move details to other files of the skill");
        }
        text.members().forEach((name, value) -> {
            if (OF_CLIENTS.contains(name)) {
                note(Level.INFO, value.line(), "\"" + name + "\" is for some clients; others ignore it");
            } else if (!KNOWN.contains(name)) {
                note(Level.WARNING, value.line(), Quoted.of(name) + " is not a field of a skill's front matter");
            }
        });
    }

    private void checkName(SkillText text) {
        var value = required(text, "name");
        if (value == null) {
            return;
        }
        String name = value.value().strip();
        int length = name.codePointCount(0, name.length());
        var folders = path.folders();
        if (length > SkillFolders.MAX_NAME) {
            note(Level.ERROR, value.line(), "name: " + length + " characters; at most " + SkillFolders.MAX_NAME);
        } else if (!SkillFolders.isName(name)) {
            note(
                    Level.ERROR,
                    value.line(),
                    "name: use a-z, 0-9 and single hyphens between them, as in \"linux-triage\"");
        } else if (!folders.isEmpty() && !folders.getLast().equals(name)) {
            boolean amongSkills =
                    folders.size() > 1 && folders.get(folders.size() - 2).equals("skills");
            note(
                    amongSkills ? Level.ERROR : Level.WARNING,
                    value.line(),
                    "name: \"" + name + "\" is not the name of the folder, " + Quoted.of(folders.getLast()));
        } else if (folders.isEmpty() && slug != null && !slug.equals(name) && SkillFolders.isName(slug)) {
            note(
                    Level.WARNING,
                    value.line(),
                    "name: \"" + name + "\" is not the slug of the bundle, \"" + slug + "\"; a skill at the root is"
                            + " installed under the slug, so give both the same name or move the skill to skills/"
                            + name
                            + "/");
        }
    }

    private void checkDescription(SkillText text) {
        var value = required(text, "description");
        int length = value == null ? 0 : value.value().strip().length();
        if (value != null && length > LONGEST_DESCRIPTION) {
            note(
                    Level.WARNING,
                    value.line(),
                    "description: " + length + " characters (UTF-16 units); clients take at most " + LONGEST_DESCRIPTION
                            + ", so indexes list it cut");
        }
    }

    /// Returns a required field; null, with a note, if it is missing, empty or not a string.
    private SkillValue.@Nullable Text required(SkillText text, String name) {
        var value = text.members().get(name);
        if (value != null && !(value instanceof SkillValue.Text)) {
            note(Level.ERROR, value.line(), name + ": write a string here");
            return null;
        }
        if (!(value instanceof SkillValue.Text found)
                || found.isNull()
                || found.value().isBlank()) {
            note(Level.ERROR, value == null ? 2 : value.line(), "\"" + name + "\" is missing");
            return null;
        }
        return found;
    }

    private void checkCompatibility(SkillText text) {
        var value = text.members().get("compatibility");
        if (value == null) {
            return;
        }
        int length = value instanceof SkillValue.Text(int line, String said, boolean plain)
                ? said.strip().codePointCount(0, said.strip().length())
                : 0;
        if (length == 0 || length > LONGEST_COMPATIBILITY) {
            note(
                    Level.ERROR,
                    value.line(),
                    "compatibility: write a text of 1 to " + LONGEST_COMPATIBILITY + " characters, or leave it out");
        }
    }

    private void checkMetadata(SkillText text) {
        var value = text.members().get("metadata");
        if (value == null) {
            return;
        }
        if (!(value instanceof SkillValue.Members metadata)) {
            note(Level.WARNING, value.line(), "metadata: write fields here whose values are strings");
            return;
        }
        metadata.values().forEach((name, said) -> {
            if (!(said instanceof SkillValue.Text word) || !word.isText()) {
                note(
                        Level.WARNING,
                        said.line(),
                        "metadata: " + Quoted.of(name) + " is not a string; put it in quotes, such as \"1.0\"");
            }
        });
    }
}
