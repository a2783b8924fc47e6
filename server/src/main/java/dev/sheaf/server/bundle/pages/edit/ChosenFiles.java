package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.archive.UnfitArchive;
import dev.sheaf.model.archive.ZippedFiles;
import dev.sheaf.model.key.SecretScan;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.http.message.Call;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The files for a bundle from the fields `files`, `folder` and `zip` of a form. Names are not trusted: each
/// must be a valid path of a bundle.
///
/// @param files the files by path; empty if there are errors
/// @param leftOut the number of ignored files, such as files of version control
/// @param errors the errors by field
record ChosenFiles(List<NewFile> files, int leftOut, FormErrors errors) {
    private static final int MAX_ZIPPED =
            10_000; // entries, with folders; the API limits the number of a bundle's files
    private static final int SHOWN = 20; // errors
    private static final Set<String> NO_CONTENT = Set.of(".sheaf", ".DS_Store", "__MACOSX");
    private static final Set<String> KINDS =
            Set.of("skills", "skill", "agents", "agent", "tools", "toolsets", "prompts", "prompt", "config");

    ChosenFiles {
        files = List.copyOf(files);
    }

    /// One file.
    record NewFile(LogicalPath path, boolean isExecutable, byte[] content) {}

    private record Named(String field, String name, boolean isExecutable, byte[] content) {}

    /// Returns the paths of files that contain what looks like a secret. All kinds of secrets are ASCII.
    List<String> withSecrets(Budget budget) {
        var found = new ArrayList<String>();
        for (var file : files) {
            budget.check();
            var secrets = new ArrayList<SecretScan.Found>();
            SecretScan.find(new String(file.content(), StandardCharsets.ISO_8859_1), secrets::add);
            if (!secrets.isEmpty()) {
                found.add(file.path().value());
            }
        }
        return found;
    }

    static ChosenFiles of(Call call, MultipartForm form) {
        var named = new ArrayList<Named>();
        named.addAll(files(form));
        form.of("folder").forEach(file -> named.add(new Named("folder", inner(file.name()), false, file.content())));
        for (var zip : form.of("zip")) {
            try {
                named.addAll(unzipped(call, zip.content()));
            } catch (UnfitArchive e) {
                return refused("zip", "The archive " + e.getMessage() + ".");
            }
        }
        return checked(named);
    }

    private static ChosenFiles refused(String field, String why) {
        return new ChosenFiles(List.of(), 0, FormErrors.of(field, why));
    }

    /// A script sends the paths of dropped files, one per line, because a browser sends only names.
    private static List<Named> files(MultipartForm form) {
        var files = form.of("files");
        var paths = form.form()
                .first("paths")
                .map(text -> text.lines().toList())
                .filter(lines -> lines.size() == files.size())
                .orElseGet(() -> files.stream().map(MultipartForm.Part::name).toList());
        var named = new ArrayList<Named>();
        for (int i = 0; i < files.size(); i++) {
            named.add(new Named("files", paths.get(i), false, files.get(i).content()));
        }
        return named;
    }

    /// Returns a path without its first folder, which is the folder that the user chose.
    private static String inner(String path) {
        return path.substring(path.indexOf('/') + 1);
    }

    private static List<Named> unzipped(Call call, byte[] archive) throws UnfitArchive {
        var zip = ZippedFiles.open(archive, MAX_ZIPPED, call.sizes().push());
        call.borrow("the unpacked archive", zip.size(), 1);
        boolean isWrapped = isWrapped(zip.entries().stream()
                .map(ZippedFiles.Entry::name)
                .filter(name -> !isNoContent(name))
                .toList());
        var contents = call.computed(zip.size(), budget -> {
            var unfolded = new ArrayList<Named>();
            try {
                for (var entry : zip.entries()) {
                    String name = entry.name();
                    String path = isWrapped && !isNoContent(name) ? inner(name) : name;
                    unfolded.add(new Named("zip", path, entry.isExecutable(), zip.content(entry)));
                }
                return new Unfolded(unfolded, null);
            } catch (UnfitArchive e) {
                return new Unfolded(List.of(), e);
            }
        });
        if (contents.broken() != null) {
            throw contents.broken();
        }
        return contents.files();
    }

    private record Unfolded(List<Named> files, @Nullable UnfitArchive broken) {}

    /// Returns whether everything is in one folder, which is then not part of the bundle.
    private static boolean isWrapped(List<String> names) {
        if (names.isEmpty() || names.getFirst().indexOf('/') <= 0) {
            return false;
        }
        String first = names.getFirst().substring(0, names.getFirst().indexOf('/') + 1);
        return !KINDS.contains(first.substring(0, first.length() - 1))
                && !first.equals("../")
                && !first.equals("./")
                && names.stream().allMatch(name -> name.startsWith(first));
    }

    /// Returns whether a path belongs to version control, to the records of pulls, or to macOS.
    private static boolean isNoContent(String path) {
        for (String segment : path.split("/", -1)) {
            if (NO_CONTENT.contains(segment) || PathRules.VERSION_CONTROL.contains(segment)) {
                return true;
            }
        }
        return false;
    }

    private static ChosenFiles checked(List<Named> named) {
        var files = new ArrayList<NewFile>();
        var wrong = new ArrayList<String>();
        String field = "files";
        int leftOut = 0;
        for (var file : named) {
            if (isNoContent(file.name())) {
                leftOut++;
                continue;
            }
            try {
                String name = Normalizer.normalize(file.name(), Normalizer.Form.NFC);
                files.add(new NewFile(LogicalPath.parse(name), file.isExecutable(), file.content()));
            } catch (ProblemException e) {
                field = wrong.isEmpty() ? file.field() : field;
                wrong.add(FormErrors.of(e.problem(), List.of()).others().stream()
                        .findFirst()
                        .orElse(e.problem().detail()));
            }
        }
        PathRules.clashes(files.stream().map(NewFile::path).toList()).forEach(clash -> wrong.add(clash.detail()));
        if (!wrong.isEmpty()) {
            return new ChosenFiles(List.of(), leftOut, errors(field, wrong));
        }
        files.sort(Comparator.comparing(NewFile::path));
        return new ChosenFiles(files, leftOut, FormErrors.NONE);
    }

    /// Refuses files with which the bundle would have too many, before the first of them is written.
    ///
    /// @param there returns the paths of the bundle's files
    ChosenFiles within(int most, Supplier<Set<String>> there) {
        if (files.isEmpty()) {
            return this;
        }
        int all = files.size();
        if (all <= most) {
            var paths = new HashSet<>(there.get());
            files.forEach(file -> paths.add(file.path().value()));
            all = paths.size();
        }
        return all <= most
                ? this
                : refused(
                        "files",
                        "The bundle would have " + PageFormat.number(all) + " files; at most " + PageFormat.number(most)
                                + " are possible.");
    }

    private static FormErrors errors(String field, List<String> wrong) {
        String first = wrong.getFirst();
        var others = new ArrayList<>(wrong.subList(1, Math.min(SHOWN, wrong.size())));
        if (wrong.size() > SHOWN) {
            others.add("and " + PageFormat.number(wrong.size() - SHOWN) + " more");
        }
        return new FormErrors(Map.of(field, first), others);
    }

    long size() {
        return files.stream().mapToLong(file -> file.content().length).sum();
    }
}
