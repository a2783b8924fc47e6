package dev.sheaf.server.queue.pages;

import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.console.CsvTable;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.Jobs;
import java.io.IOException;
import java.util.List;

/// The jobs of a queue as CSV, without their inputs and results, which may be long.
final class JobTable {
    private static final int BATCH = 100;
    private static final int MOST = 10_000;

    private JobTable() {}

    /// @param name the name of the file, without its ending
    static Answer download(String name, OrgCall call, Jobs jobs, JobList wanted) {
        var caller = call.caller();
        return CsvTable.download(name, table -> {
            table.row(
                    "id",
                    "type",
                    "state",
                    "priority",
                    "attempts",
                    "maxAttempts",
                    "created",
                    "createdBy",
                    "claimed",
                    "started",
                    "ended",
                    "durationMs",
                    "worker",
                    "errorCode",
                    "error",
                    "bundle",
                    "createdById");
            String after = null;
            int count = 0;
            do {
                // a part has a limit of bytes
                var part = jobs.list(caller, wanted, after, Math.min(BATCH, MOST - count), bytes -> {});
                write(table, call.page(), part.jobs());
                after = part.last();
                count += part.jobs().size();
            } while (after != null && count < MOST);
            if (after != null) {
                table.lacks("Only the first " + MOST + " jobs of the list.");
            }
        });
    }

    private static void write(CsvTable table, PageCall page, List<Job> jobs) throws IOException {
        var names = page.names(jobs.stream().map(Job::createdBy));
        for (var job : jobs) {
            table.row(
                    job.id(),
                    job.jobType(),
                    job.status(),
                    job.priority(),
                    job.attemptNumber(),
                    job.maxAttempts(),
                    job.createdAt(),
                    names.of(job.createdBy()),
                    job.claimedAt(),
                    job.startedAt(),
                    job.completedAt(),
                    job.durationMs(),
                    job.workerId(),
                    job.errorCode(),
                    JobFormat.lastLine(job.errorMessage()),
                    job.bundle(),
                    job.createdBy());
        }
    }
}
