package dev.sheaf.model.passport;

import dev.sheaf.model.text.WireWords;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a version of a bundle can touch, as its files tell. It is the same for the same files. Immutable.
///
/// @param rules the date of the rules, such as `2026-11-29`
/// @param files the number of files that were read
/// @param complete whether everything was read; if not, `unread` says what was not
/// @param unread at most [#MAX_UNREAD] files that were not read as a whole; archives and full rows last
public record Passport(String rules, int files, boolean complete, List<Unread> unread, Rows rows) {
    /// The largest number of entries in a row; if there are more, the passport is not complete.
    public static final int MAX_ENTRIES = 200;
    /// The largest number of places of an entry; its count has all of them.
    public static final int MAX_PLACES = 5;

    /// The largest number of files that are named as unread.
    public static final int MAX_UNREAD = 50;

    public Passport {
        unread = List.copyOf(unread);
    }

    /// A file that was not read as a whole.
    ///
    /// @param path the path; empty if it is about all files
    /// @param reason `beginning` (only its beginning was read), `too-much` (the limit for all files was reached),
    ///     `archive` (its content is not unpacked), `document` (a document or database, whose text is packed) or
    ///     `more-entries` (a row was full)
    public record Unread(String path, String reason) {
        static final String BEGINNING = "beginning";
        static final String TOO_MUCH = "too-much";
        static final String ARCHIVE = "archive";
        static final String DOCUMENT = "document";
        static final String MORE_ENTRIES = "more-entries";

        static final Comparator<Unread> ORDER = Comparator.comparing(Unread::wantsConsent)
                .reversed()
                .thenComparing(Unread::path)
                .thenComparing(Unread::reason);

        /// Returns whether it is a text that a person or an agent may read further than the scan did. An
        /// archive is not: nothing reads it before it is unpacked, and an installation asks about it by its
        /// name. Nor is a document: many skills have templates, and a policy can hold them.
        public boolean wantsConsent() {
            return !reason.equals(ARCHIVE) && !reason.equals(DOCUMENT) && !reason.equals(MORE_ENTRIES);
        }
    }

    /// Returns whether all files were read to their end, although a row may be full.
    public boolean isRead() {
        return unread.stream().allMatch(one -> one.reason().equals(Unread.MORE_ENTRIES));
    }

    /// A line of a file.
    ///
    /// @param line from 1
    public record Place(String path, int line) {}

    /// One thing that a version can touch, or a finding.
    ///
    /// @param rule the id of the rule, which never changes
    /// @param what a short text in one line, such as a host; hidden characters are written out
    /// @param skill the skill or agent that asks for a tool; null for other rows
    /// @param severity `info`, `low`, `medium` or `high`; null for a fact that is no finding
    /// @param places the first places
    /// @param count the number of all places
    public record Entry(
            String rule,
            String what,
            @Nullable String skill,
            @Nullable String severity,
            List<Place> places,
            int count) {
        static final Comparator<Entry> ORDER = Comparator.comparing(Entry::order)
                .thenComparing(Entry::what)
                .thenComparing(entry -> Objects.requireNonNullElse(entry.skill(), ""));

        public Entry {
            places = List.copyOf(places);
        }

        private int order() {
            return PassportRules.ALL.order(rule);
        }

        /// Returns the severity; empty for a fact, and for a severity that this version does not know.
        public Optional<Severity> level() {
            return severity == null ? Optional.empty() : WireWords.find(Severity.class, severity);
        }

        /// Returns whether both are the same thing, perhaps in other places.
        boolean isSame(Entry other) {
            return rule.equals(other.rule) && what.equals(other.what) && Objects.equals(skill, other.skill);
        }
    }

    /// The six rows, each in a fixed order.
    public record Rows(
            List<Entry> runs,
            List<Entry> reaches,
            List<Entry> tools,
            List<Entry> secrets,
            List<Entry> leavesBehind,
            List<Entry> instructions) {
        /// No entries.
        public static final Rows NONE = new Rows(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

        public Rows {
            runs = List.copyOf(runs);
            reaches = List.copyOf(reaches);
            tools = List.copyOf(tools);
            secrets = List.copyOf(secrets);
            leavesBehind = List.copyOf(leavesBehind);
            instructions = List.copyOf(instructions);
        }

        /// Returns the entries of a row.
        public List<Entry> of(PassportRow row) {
            return switch (row) {
                case RUNS -> runs;
                case REACHES -> reaches;
                case TOOLS -> tools;
                case SECRETS -> secrets;
                case LEAVES_BEHIND -> leavesBehind;
                case INSTRUCTIONS -> instructions;
            };
        }

        /// Returns the entries of all rows.
        public Stream<Entry> all() {
            return Stream.of(PassportRow.values()).flatMap(row -> of(row).stream());
        }

        /// Returns the findings of at least this severity, the worst first.
        public List<Entry> findings(Severity least) {
            return all().filter(entry -> entry.level()
                            .filter(level -> level.compareTo(least) >= 0)
                            .isPresent())
                    .sorted(Comparator.comparing((Entry entry) -> entry.level().orElse(Severity.INFO))
                            .reversed())
                    .toList();
        }
    }
}
