package dev.sheaf.cli.work;

import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.work.ClaimedJob;
import dev.sheaf.client.work.Outcome;
import dev.sheaf.model.wire.queue.Execution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folder of one job and its files.
///
/// @param bundle the folder of the job's bundle; null if it has no bundle
record JobFiles(Path folder, @Nullable Path bundle) {
    /// The largest output of a job that a registry accepts.
    private static final int LONGEST_OUTPUT = 256 << 10;

    /// Writes the files for the command.
    static JobFiles write(Path folder, ClaimedJob job) throws IOException {
        var files = new JobFiles(folder, job.bundle().isPresent() ? folder.resolve("bundle") : null);
        Files.write(files.job(), WireJson.write(job.job()));
        Files.writeString(files.instruction(), job.instruction());
        var execution = job.claim().execution();
        if (execution != null) {
            Files.write(files.execution(), WireJson.write(withoutSecrets(execution)));
        }
        Files.createDirectory(files.work());
        Files.createDirectory(files.temporary());
        return files;
    }

    private static Execution withoutSecrets(Execution execution) {
        var bundle = execution.bundle();
        return new Execution(
                execution.harnessType(),
                execution.renderedInstruction(),
                execution.timeoutMs(),
                execution.workingDirectory(),
                Map.of(),
                bundle == null
                        ? null
                        : new Execution.Bundle(bundle.ref(), bundle.digest(), bundle.ociPinnedRef(), null, null),
                execution.sandbox(),
                execution.constraints());
    }

    Path job() {
        return folder.resolve("job.json");
    }

    Path instruction() {
        return folder.resolve("instruction.txt");
    }

    Path execution() {
        return folder.resolve("execution.json");
    }

    Path output() {
        return folder.resolve("output.json");
    }

    Path work() {
        return folder.resolve("work");
    }

    Path temporary() {
        return folder.resolve("tmp");
    }

    /// Returns the working directory that the queue names, inside the bundle or the job's folder.
    ///
    /// @return null if it is outside, or does not exist
    @Nullable
    Path directory(@Nullable String named) throws IOException {
        Path root = bundle == null ? work() : bundle;
        if (named == null || named.isEmpty()) {
            return root;
        }
        Path found = root.resolve(named).normalize();
        boolean within = found.startsWith(root) && Files.isDirectory(found);
        return within && found.toRealPath().startsWith(root.toRealPath()) ? found : null;
    }

    /// Returns the output that the command wrote, else what it printed.
    Outcome outcome(OutputTail printed) throws IOException {
        if (!Files.isRegularFile(output(), LinkOption.NOFOLLOW_LINKS) || Files.size(output()) == 0) {
            return Outcome.completed(text(printed));
        }
        byte[] json;
        try (var in = Files.newInputStream(output(), LinkOption.NOFOLLOW_LINKS)) {
            json = in.readNBytes(LONGEST_OUTPUT + 1);
        }
        if (json.length > LONGEST_OUTPUT) {
            return Outcome.failedForGood(
                    "output_too_large", "the command wrote more than 256 KiB of output to SHEAF_OUTPUT_FILE");
        }
        var document = WireJson.tree(json);
        return document == null || document.isMissingNode()
                ? Outcome.failedForGood("output_invalid", "the command wrote invalid JSON to SHEAF_OUTPUT_FILE")
                : Outcome.completed(document);
    }

    private static @Nullable Map<String, Object> text(OutputTail printed) {
        String text = printed.text();
        if (text.isEmpty()) {
            return null;
        }
        var output = new LinkedHashMap<String, Object>();
        output.put("stdout", text);
        if (printed.isCut()) {
            output.put("truncated", true);
        }
        return output;
    }
}
