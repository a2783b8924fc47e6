package dev.sheaf.client.folder;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByHand;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The journal of a [FolderRewrite], in the client's own folder:
///
/// ```
/// .sheaf/rewrite/<hex>          old and new contents of files, by digest
/// .sheaf/rewrite/journal.json   the steps; created after all contents are stored, removed at the end
/// ```
/// All contents are synced to disk before the journal is created. It is parsed as untrusted input, since the
/// folder may come from someone else.
final class RewriteJournal {
    interface Writer {
        void to(OutputStream out) throws IOException;
    }

    private static final int SCHEMA = 1;
    private static final long LONGEST = 64 << 20;

    private final TargetFolder target;
    private final Path own;
    private final Path folder;
    private final Path file;

    RewriteJournal(TargetFolder target) {
        this.target = target;
        this.own = target.root().resolve(OwnFolder.NAME);
        this.folder = own.resolve("rewrite");
        this.file = folder.resolve("journal.json");
    }

    Path place() {
        return folder;
    }

    boolean exists() {
        return TargetFolder.isFolder(own) && TargetFolder.isFolder(folder) && TargetFolder.exists(file);
    }

    private void make() throws IOException {
        OwnFolder.make(own);
        if (TargetFolder.exists(folder) && !TargetFolder.isFolder(folder)) {
            throw TargetFolder.inTheWay(folder);
        }
        OwnerOnly.makeFolder(folder);
    }

    /// Stores the content with this digest on disk.
    void keep(Digest digest, Writer bytes) throws IOException {
        make();
        Path kept = folder.resolve(digest.hex());
        if (TargetFolder.exists(kept)) {
            return;
        }
        try (var out = Files.newOutputStream(kept, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            bytes.to(out);
        }
        if (!TargetFolder.hasDigest(kept, digest)) {
            throw new SheafException.Conflict(
                    "a file was changed during the operation; nothing was written, so try again",
                    SheafException.Answer.NONE);
        }
        sync(kept);
    }

    private static void sync(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /// Returns a file with the stored content, to be moved into place.
    Path copy(PathState.File wanted) throws IOException {
        Path kept = folder.resolve(wanted.digest().hex());
        if (!TargetFolder.isFile(kept) || !TargetFolder.hasDigest(kept, wanted.digest())) {
            throw new SheafException.Local(folder + " is damaged: it does not contain " + wanted.digest(), null);
        }
        Path fresh = Files.createTempFile(folder, "new-", "");
        Files.copy(kept, fresh, StandardCopyOption.REPLACE_EXISTING);
        OwnerOnly.shareAsUsual(fresh);
        if (Boolean.TRUE.equals(wanted.executable())) {
            FileModes.makeExecutable(fresh);
        }
        sync(fresh);
        return fresh;
    }

    /// Returns a link, to be moved into place.
    Path link(PathState.Link wanted) throws IOException {
        Path fresh = folder.resolve("new-link");
        Files.deleteIfExists(fresh);
        return Files.createSymbolicLink(fresh, Path.of(wanted.to()));
    }

    /// Writes the journal. From then on, the steps will be completed.
    void write(List<FolderRewrite.Step> steps) throws IOException {
        make();
        var document = WireJson.object().put("version", SCHEMA);
        var list = document.putArray("steps");
        for (var step : steps) {
            var node = list.addObject().put("path", step.path());
            put(node.putObject("before"), step.before());
            put(node.putObject("after"), step.after());
        }
        Path fresh = folder.resolve("journal.new");
        Files.write(fresh, WireJson.write(document));
        sync(fresh);
        DiskFailures.sync(folder);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        DiskFailures.sync(folder);
        DiskFailures.sync(own);
        DiskFailures.sync(target.root());
    }

    private static void put(ObjectNode node, PathState standing) {
        switch (standing) {
            case PathState.Nothing nothing -> node.put("nothing", true);
            case PathState.File fileThere -> {
                node.put("digest", fileThere.digest().toString());
                if (fileThere.executable() != null) {
                    node.put("executable", fileThere.executable());
                }
            }
            case PathState.Link link -> node.put("link", link.to());
            case PathState.Other other -> throw new IllegalArgumentException("steps are only for files and links");
        }
    }

    /// Returns the unfinished steps; empty if there is no journal.
    List<FolderRewrite.Step> read() throws IOException {
        if (!exists()) {
            return List.of();
        }
        if (!TargetFolder.isFile(file) || Files.size(file) > LONGEST) {
            throw foreign(null);
        }
        try {
            return ByHand.read(WireJson.document(Files.readAllBytes(file), "journal"), "journal", document -> {
                var steps = ByHand.list(document, "steps", RewriteJournal::step);
                if (ByHand.number(document, "version") != SCHEMA || steps == null) {
                    throw new IllegalArgumentException("the version differs");
                }
                return steps;
            });
        } catch (SheafException.Server | ProblemException e) {
            throw foreign(e);
        }
    }

    private SheafException foreign(@Nullable Exception cause) {
        return new SheafException.Local(
                file + " was not written by this program, so nothing was done; remove " + folder
                        + ", and check the files with git status",
                cause);
    }

    private static FolderRewrite.Step step(JsonNode node) {
        return new FolderRewrite.Step(
                WireJson.present(ByHand.text(node, "path"), "path"),
                standing(node.path("before")),
                standing(node.path("after")));
    }

    private static PathState standing(JsonNode node) {
        String digest = ByHand.text(node, "digest");
        String link = ByHand.text(node, "link");
        if (digest != null) {
            return new PathState.File(Digest.parse(digest), ByHand.flag(node, "executable"));
        }
        if (link == null && !Boolean.TRUE.equals(ByHand.flag(node, "nothing"))) {
            throw new IllegalArgumentException("a step is empty");
        }
        return link == null ? PathState.NOTHING : new PathState.Link(link);
    }

    /// Removes everything. The journal is removed first, since the rest is useless without it.
    void remove() throws IOException {
        if (!TargetFolder.isFolder(own) || !TargetFolder.isFolder(folder)) {
            return;
        }
        Files.deleteIfExists(file);
        DiskFailures.sync(folder);
        target.removeAll(folder);
        OwnFolder.removeEmpty(own);
    }
}
