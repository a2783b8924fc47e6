import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.passport.PassportScan;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.passport.ScanFindings;
import dev.sheaf.server.http.message.Json;
import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Scans the skills of a list as a registry scans a push, and counts what it finds. The list names folders of public git
/// repositories; their content is read as text, and nothing of it runs. `bench/scan-skills` starts this.
///
///     ScanSkills [--details] [--digests] LIST CLONES
///
/// CLONES is a folder with a bare clone a repository, `OWNER+NAME/repo`; what is missing is fetched there from GitHub.
/// `--details` prints each finding. `--digests` prints the list with the digests that were found instead.
public class ScanSkills {
    private static final String REVIEW = "medium";
    private static final String BLOCK = "high";
    private static final Set<String> FILES = Set.of("100644", "100755");

    record Skill(String set, String repository, String commit, String path, String digest) {
        static Skill of(String line) {
            String[] fields = line.split("\t", -1);
            return new Skill(fields[0], fields[1], fields[2], fields[3], fields.length > 4 ? fields[4] : "");
        }
    }

    record GitFile(String mode, String id, String path) {}

    record Content(String mode, String path, byte[] bytes) {}

    /// The counts of a set.
    static final class Counts {
        int skills;
        int blocked;
        int stopped; // blocked or held
        int unread;
        final Map<String, Integer> rules = new TreeMap<>(); // with the severity, once a skill
    }

    public static void main(String[] args) throws Exception {
        var options = new TreeSet<>(List.of(args).subList(0, args.length - 2));
        Path list = Path.of(args[args.length - 2]);
        Path clones = Path.of(args[args.length - 1]);
        var lines = Files.readAllLines(list);
        var all = new LinkedHashMap<String, Counts>();
        int wrong = 0;
        try (var cpu = new CpuPool(1)) {
            var checks = new ContentChecks(Json::isDocument, cpu);
            for (String line : lines) {
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                var skill = Skill.of(line);
                var files = files(clone(clones, skill), skill);
                String digest = digest(files);
                if (options.contains("--digests")) {
                    System.out.println(String.join(
                            "\t", skill.set(), skill.repository(), skill.commit(), skill.path(), digest));
                    continue;
                }
                if (!digest.equals(skill.digest())) {
                    System.err.println("other content: " + skill);
                    wrong++;
                    continue;
                }
                count(all.computeIfAbsent(skill.set(), set -> new Counts()), skill, files, checks, options);
            }
        }
        all.forEach(ScanSkills::print);
        if (wrong > 0) {
            System.err.println(wrong + " skills have other content than the list says, and were not counted");
            System.exit(1);
        }
    }

    private static void count(
            Counts counts, Skill skill, List<Content> files, ContentChecks checks, Set<String> options) {
        var sources = files.stream()
                .map(file -> new PassportScan.Source(
                        file.path(), file.bytes().length, file.mode().equals("100755")))
                .toList();
        var bytes = new TreeMap<String, byte[]>();
        files.forEach(file -> bytes.put(file.path(), file.bytes()));
        var passport = PassportScan.of(sources).scan(path -> Optional.ofNullable(bytes.get(path)), () -> {});
        var warnings = new ArrayList<ContentChecks.Warning>();
        for (var file : files) {
            warnings.addAll(checks.of(new LogicalPath(file.path()), "application/octet-stream", file.bytes()));
        }
        var findings = ScanFindings.of(passport, warnings);
        boolean isBlocked = findings.stream().anyMatch(finding -> BLOCK.equals(finding.severity()));
        boolean isUnread = findings.stream().anyMatch(finding -> finding.rule().equals(ScanFinding.NOT_READ));
        boolean isStopped = isBlocked
                || isUnread
                || findings.stream().anyMatch(finding -> REVIEW.equals(finding.severity()));
        counts.skills++;
        counts.blocked += isBlocked ? 1 : 0;
        counts.stopped += isStopped ? 1 : 0;
        counts.unread += isUnread ? 1 : 0;
        findings.stream()
                .map(finding -> Objects.requireNonNullElse(finding.severity(), "-") + " " + finding.rule())
                .distinct()
                .forEach(rule -> counts.rules.merge(rule, 1, Integer::sum));
        if (options.contains("--details")) {
            String verdict = isBlocked ? "BLOCK" : isStopped ? "REVIEW" : "pass";
            System.out.println(String.join("\t", "=", skill.set(), verdict, skill.repository(), skill.path()));
            for (var finding : findings) {
                System.out.println(String.join(
                        "\t",
                        " ",
                        finding.severity() + " " + finding.rule(),
                        finding.path() + ":" + finding.line(),
                        finding.text()));
            }
        }
    }

    private static void print(String set, Counts counts) {
        System.out.printf(
                "%n%s: %,d skills; %d blocked (%s), %d blocked or held (%s), %d of them with a file that was not read%n",
                set,
                counts.skills,
                counts.blocked,
                share(counts.blocked, counts.skills),
                counts.stopped,
                share(counts.stopped, counts.skills),
                counts.unread);
        counts.rules.forEach((rule, count) -> System.out.printf("%6d %s%n", count, rule));
    }

    private static String share(int part, int all) {
        return String.format("%.2f %%", 100.0 * part / all);
    }

    // --- git ---

    private static Path clone(Path clones, Skill skill) throws IOException, InterruptedException {
        Path clone = clones.resolve(skill.repository().replace('/', '+')).resolve("repo");
        if (!Files.exists(clone.resolve("HEAD"))) {
            Files.createDirectories(clone);
            git(clone, "init", "--bare", "--quiet").waitFor();
        }
        if (git(clone, "cat-file", "-e", skill.commit() + "^{tree}").waitFor() != 0
                && git(
                                        clone,
                                        "fetch",
                                        "--quiet",
                                        "--depth=1",
                                        "https://github.com/" + skill.repository(),
                                        skill.commit())
                                .waitFor()
                        != 0) {
            throw new IOException("cannot fetch " + skill.repository() + " at " + skill.commit());
        }
        return clone;
    }

    private static Process git(Path clone, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("git", "--git-dir=" + clone));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /// Returns the files of a skill with their paths in it. Links are left out, as no bundle has any.
    private static List<Content> files(Path clone, Skill skill) throws IOException, InterruptedException {
        var listed = new ArrayList<GitFile>();
        String folder = skill.path() + "/";
        var process = git(clone, "ls-tree", "-r", "-z", skill.commit(), "--", folder);
        String tree = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        for (String line : tree.split("\0", -1)) {
            if (!line.isEmpty()) {
                String[] parts = line.substring(0, line.indexOf('\t')).split(" ", -1);
                String path = line.substring(line.indexOf('\t') + 1);
                if (FILES.contains(parts[0])) {
                    listed.add(new GitFile(parts[0], parts[2], path.substring(folder.length())));
                }
            }
        }
        return contents(clone, listed);
    }

    private static List<Content> contents(Path clone, List<GitFile> listed) throws IOException {
        var files = new ArrayList<Content>();
        var process = git(clone, "cat-file", "--batch");
        try (var out = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
                var in = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            for (var file : listed) {
                out.write(file.id() + "\n");
                out.flush();
                var head = new StringBuilder();
                for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
                    head.append((char) c);
                }
                if (head.indexOf("missing") >= 0) {
                    throw new IOException(clone + " does not contain " + file);
                }
                byte[] bytes = new byte[Integer.parseInt(head.substring(head.lastIndexOf(" ") + 1))];
                in.readFully(bytes);
                in.read(); // the end of the line
                files.add(new Content(file.mode(), file.path(), bytes));
            }
        }
        return files;
    }

    /// Returns the SHA-256 of one line a file, in the order of git: its mode, the SHA-256 of its bytes, and its path.
    private static String digest(List<Content> files) throws Exception {
        var whole = MessageDigest.getInstance("SHA-256");
        for (var file : files) {
            String bytes = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(file.bytes()));
            whole.update((file.mode() + " " + bytes + " " + file.path() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(whole.digest());
    }
}
