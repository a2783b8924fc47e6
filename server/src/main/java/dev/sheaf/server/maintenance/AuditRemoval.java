package dev.sheaf.server.maintenance;

import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.server.audit.AuditChain;
import dev.sheaf.server.audit.AuditRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/// Moves entries of the audit log that are past their retention time to files, one for each month. An entry is
/// deleted when its line is on the disk; if the node dies in between, another line for it follows later.
public final class AuditRemoval implements Task {
    private final Database database;
    private final AuditChain chain;
    private final Duration kept;
    private final Path folder;
    private final Function<AuditRow, byte[]> line;

    /// @param folder created if it is missing
    /// @param line returns the line of an entry, with its end
    public AuditRemoval(
            Database database, AuditChain chain, Duration kept, Path folder, Function<AuditRow, byte[]> line) {
        this.database = database;
        this.chain = chain;
        this.kept = kept;
        this.folder = folder;
        this.line = line;
    }

    @Override
    public void run(TaskRun run) {
        int removed;
        do {
            run.checkpoint();
            removed = chain.removeOld(database.now().minus(kept), this::archive);
            run.count("auditEntriesArchived", removed);
        } while (removed > 0);
    }

    private void archive(List<AuditRow> rows) {
        var months = new TreeMap<YearMonth, List<AuditRow>>();
        for (var row : rows) {
            months.computeIfAbsent(YearMonth.from(row.at().atOffset(ZoneOffset.UTC)), month -> new ArrayList<>())
                    .add(row);
        }
        try {
            PrivateFiles.folder(folder);
            for (var month : months.entrySet()) {
                append(folder.resolve("audit-" + month.getKey() + ".jsonl"), month.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(Path file, List<AuditRow> rows) throws IOException {
        boolean isNew = !Files.exists(file);
        try (var channel = PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (var row : rows) {
                var bytes = ByteBuffer.wrap(line.apply(row));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
        if (isNew) {
            try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }
}
