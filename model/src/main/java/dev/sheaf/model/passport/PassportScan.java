package dev.sheaf.model.passport;

import dev.sheaf.model.archive.ProgramFormat;
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
    /// How much is read.
    ///
    /// @param file the number of bytes of a file
    /// @param files the number of files
    /// @param bytes the number of bytes in all, besides those of pictures
    /// @param effort the effort, see [ScanEffort]
    public record Limits(int file, int files, long bytes, long effort) {
        /// What a registry reads of a version, whose memory many share.
        public static final Limits REGISTRY = new Limits(256 << 10, 2_000, 8 << 20, ScanEffort.MOST);
        /// What an installation reads. It is more, since a person is asked about what is not read.
        public static final Limits INSTALLATION = new Limits(4 << 20, 5_000, 24 << 20, 4 * ScanEffort.MOST);
    }

    private static final int ALL_PICTURES = 2 << 20; // bytes
    private static final int MOST_OF_PICTURE = 32 << 10;
    private static final int LEAST_OF_PICTURE = 1 << 10;

    /// A file of a version.
    ///
    /// @param size its size in bytes
    public record Source(String path, long size, boolean executable) {}

    /// The beginning of a file that is to be read.
    public record Part(Source source, int bytes) {}

    private final Limits limits;
    private final List<Part> wanted = new ArrayList<>();
    private final Set<Unread> unread = new TreeSet<>(Unread.ORDER);
    private final Set<String> skills = new HashSet<>();

    private PassportScan(Limits limits) {
        this.limits = limits;
    }

    /// Plans the scan of a version by a registry.
    public static PassportScan of(Collection<Source> files) {
        return of(files, Limits.REGISTRY);
    }

    /// Plans the scan of a version.
    public static PassportScan of(Collection<Source> files, Limits limits) {
        var order = new ArrayList<>(files);
        order.sort(Comparator.comparing(PassportScan::rank)
                .thenComparing(PassportScan::depth)
                .thenComparing(Source::path));
        var scan = new PassportScan(limits);
        int ofPicture = ofPicture(files);
        long left = limits.bytes();
        for (Source file : order) {
            boolean isPicture = FileKind.of(file.path()).isPicture();
            int bytes = (int) Math.min(file.size(), isPicture ? ofPicture : limits.file());
            if (scan.wanted.size() == limits.files() || !isPicture && bytes > left) {
                scan.unread.add(new Unread(file.path(), Unread.TOO_MUCH));
                continue;
            }
            scan.wanted.add(new Part(file, bytes));
            left -= isPicture ? 0 : bytes;
        }
        files.stream()
                .map(Source::path)
                .filter(path -> path.substring(path.lastIndexOf('/') + 1).equals(SkillText.FILE))
                .forEach(path -> scan.skills.add(path.substring(0, path.lastIndexOf('/') + 1)));
        return scan;
    }

    /// Returns how much of a picture is read, which is only to see whether it is one. Pictures have bytes of their
    /// own, so that a guide with many screenshots is read like one without.
    private static int ofPicture(Collection<Source> files) {
        long pictures = files.stream()
                .filter(file -> FileKind.of(file.path()).isPicture())
                .count();
        return Math.clamp(ALL_PICTURES / Math.max(1, pictures), LEAST_OF_PICTURE, MOST_OF_PICTURE);
    }

    private static long depth(Source file) {
        return file.path().chars().filter(c -> c == '/').count();
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
        return scan(beginning, step, new ScanEffort(limits.effort()));
    }

    Passport scan(Function<String, Optional<byte[]>> beginning, Runnable step, ScanEffort effort) {
        var found = new PassportEntries();
        int read = 0;
        for (Part part : wanted) {
            step.run();
            String path = part.source().path();
            var bytes = beginning.apply(path);
            if (bytes.isEmpty()) {
                unread.add(new Unread(path, Unread.TOO_MUCH));
                continue;
            }
            read++;
            var kind = FileKind.of(path);
            var text = PlainText.decode(bytes.get(), part.bytes(), kind)
                    .or(() -> kind.isPicture()
                            ? Optional.empty()
                            : PlainText.withoutNuls(bytes.get(), part.bytes(), kind));
            boolean isArchive = AutomaticFiles.isArchive(path, bytes.get())
                    || text.isEmpty() && AutomaticFiles.hasArchiveName(path);
            if (isArchive) {
                unread.add(new Unread(path, Unread.ARCHIVE));
            } else if (PlainText.isDocument(bytes.get()) || text.isEmpty() && kind.isDocument()) {
                unread.add(new Unread(path, Unread.DOCUMENT));
            }
            boolean isBinary = text.isEmpty() && (kind.isPicture() || PlainText.isProgramData(bytes.get()));
            boolean isUnreadable = text.isEmpty()
                    && !isBinary
                    && !isArchive
                    && ProgramFormat.of(bytes.get()).isEmpty(); // odd bytes among text, which a shell or an agent reads
            if (isUnreadable || part.source().size() > part.bytes() && !isBinary) {
                unread.add(new Unread(path, Unread.BEGINNING));
            }
            new FileScan(part.source(), inSkill(path).orElse(null), text.orElse(""), bytes.get(), found, effort, step)
                    .scan();
            if (text.isPresent() && effort.isSpent()) {
                unread.add(new Unread(path, Unread.TOO_MUCH));
            }
        }
        var rows = found.rows();
        if (found.isFull()) {
            unread.add(new Unread("", Unread.MORE_ENTRIES));
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
