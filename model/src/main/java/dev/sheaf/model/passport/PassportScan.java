package dev.sheaf.model.passport;

import dev.sheaf.model.passport.Passport.Unread;
import dev.sheaf.model.skill.AgentSettings;
import dev.sheaf.model.skill.AutomaticFiles;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.model.text.ScanEffort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Makes the passport of a version: a pure function of the paths, the modes and the beginnings of its files. Time and
/// memory are limited whatever the files contain. What programs load and run is read first, so that other files
/// cannot push it out.
public final class PassportScan {
    /// The number of bytes that are read of a file.
    public static final int MAX_FILE = 256 << 10;
    /// The number of files that are read.
    public static final int MAX_FILES = 2_000;
    /// The number of bytes that are read in all.
    public static final long MAX_BYTES = 8 << 20;

    /// A file of a version.
    ///
    /// @param size its size in bytes
    public record Source(String path, long size, boolean executable) {}

    /// The beginning of a file that is to be read.
    public record Part(Source source, int bytes) {}

    private final List<Part> wanted;
    private final Set<Unread> unread =
            new TreeSet<>(Comparator.comparing(Unread::path).thenComparing(Unread::reason));
    private final Set<String> skills = new HashSet<>();

    private PassportScan(List<Part> wanted) {
        this.wanted = wanted;
    }

    /// Plans the scan of a version.
    public static PassportScan of(Collection<Source> files) {
        var order = new ArrayList<>(files);
        order.sort(Comparator.comparing(PassportScan::rank).thenComparing(Source::path));
        var wanted = new ArrayList<Part>();
        var scan = new PassportScan(wanted);
        long left = MAX_BYTES;
        for (Source file : order) {
            int bytes = (int) Math.min(file.size(), MAX_FILE);
            if (wanted.size() == MAX_FILES || bytes > left) {
                scan.unread.add(new Unread(file.path(), "too-much"));
                continue;
            }
            if (file.size() > bytes && !FileKind.of(file.path()).isPicture()) {
                scan.unread.add(new Unread(file.path(), "beginning"));
            }
            wanted.add(new Part(file, bytes));
            left -= bytes;
        }
        files.stream()
                .map(Source::path)
                .filter(path -> path.substring(path.lastIndexOf('/') + 1).equals(SkillText.FILE))
                .forEach(path -> scan.skills.add(path.substring(0, path.lastIndexOf('/') + 1)));
        return scan;
    }

    private static int rank(Source file) {
        String name = file.path().substring(file.path().lastIndexOf('/') + 1);
        var kind = FileKind.of(file.path());
        if (name.equals(SkillText.FILE) || AgentSettings.isRead(file.path())) {
            return 0;
        }
        return file.executable() || kind.interpreter() != null ? 1 : kind.isMarkdown() ? 2 : kind.isPicture() ? 4 : 3;
    }

    /// Returns the files to read, in the order of their importance.
    public List<Part> wanted() {
        return List.copyOf(wanted);
    }

    /// Scans the files.
    ///
    /// @param beginning returns the beginning of a file by its path, at least as long as its part says; empty if it
    ///     cannot be read
    /// @param step is run very often, and may end the scan by throwing
    public Passport scan(Function<String, Optional<byte[]>> beginning, Runnable step) {
        return scan(beginning, step, new ScanEffort());
    }

    Passport scan(Function<String, Optional<byte[]>> beginning, Runnable step, ScanEffort effort) {
        var found = new PassportEntries();
        int read = 0;
        for (Part part : wanted) {
            step.run();
            String path = part.source().path();
            var bytes = beginning.apply(path);
            if (bytes.isEmpty()) {
                unread.add(new Unread(path, "too-much"));
                continue;
            }
            read++;
            if (AutomaticFiles.isArchive(path, bytes.get())) {
                unread.add(new Unread(path, "archive"));
            }
            var kind = FileKind.of(path);
            var text = PlainText.decode(bytes.get(), part.bytes(), kind);
            if (text.isPresent() && kind.isPicture() && part.source().size() > part.bytes()) {
                unread.add(new Unread(path, "beginning")); // a text under the name of a picture
            }
            new FileScan(part.source(), inSkill(path).orElse(null), text.orElse(""), bytes.get(), found, effort, step)
                    .scan();
            if (text.isPresent() && effort.isSpent()) {
                unread.add(new Unread(path, "too-much"));
            }
        }
        var rows = found.rows();
        if (found.isFull()) {
            unread.add(new Unread("", "more-entries"));
        }
        return new Passport(
                PassportRules.DATE,
                read,
                unread.isEmpty(),
                unread.stream().limit(Passport.MAX_UNREAD).toList(),
                rows);
    }

    /// Returns the path in the outermost skill; empty if the file is in none.
    private Optional<String> inSkill(String path) {
        for (int end = 0; end >= 0; end = next(path, end)) {
            if (skills.contains(path.substring(0, end))) {
                return Optional.of(path.substring(end));
            }
        }
        return Optional.empty();
    }

    private static int next(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? -1 : slash + 1;
    }
}
