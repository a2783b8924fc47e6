package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.queue.EndedJobs;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.model.wire.queue.Job;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands about jobs that have ended.
public final class EndedJobCommands {
    private EndedJobCommands() {}

    @Command(
            name = "retry",
            description = "Enqueues jobs again that failed, are dead or were cancelled.",
            footer = {
                "",
                "Examples:",
                "  sheaf jobs retry --all reviews --status failed,dead",
                "  sheaf jobs retry --all reviews --error exit_3"
            })
    public static final class Retry extends QueueCommand.OfOrganization {
        @Parameters(arity = "0..*", paramLabel = "ID", description = "Ids of jobs.")
        private List<IdOrEnd> ids = new ArrayList<>();

        @Option(
                names = "--all",
                paramLabel = "QUEUE",
                description = "All jobs of this queue that failed or are dead. The other options narrow this down.")
        private @Nullable String queue;

        @Option(
                names = "--status",
                paramLabel = "STATUS",
                split = ",",
                description = "Only failed, only dead, or cancelled jobs; may be repeated.")
        private List<String> statuses = new ArrayList<>();

        @Mixin
        private final EndedOptions options = new EndedOptions();

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Retry(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            boolean filtered = !statuses.isEmpty() || !options.isEmpty();
            if ((queue == null) == ids.isEmpty() || (queue == null && filtered)) {
                throw new ParameterException(
                        spec.commandLine(), "name jobs by their ids, or all of a queue: --all QUEUE --status dead");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var jobs = jobs(client);
            if (queue != null) {
                var states = statuses.isEmpty() ? List.of("failed", "dead") : statuses;
                long count = jobs.retryAll(queue, options.of(states));
                output.done(new Job.Count(count), count, "enqueued " + Text.count(count, "job") + " again");
                return ExitCode.OK;
            }
            return JobCommands.each(output, ids, "enqueued again", id -> {
                var job = jobs.retry(JobsCommand.find(jobs, id));
                output.done(job, job.status(), "the job " + job.id() + " is " + job.status());
            });
        }
    }

    @Command(
            name = "delete",
            aliases = "rm",
            description = "Deletes jobs that have ended. To delete many by status, type or error: sheaf queue purge.")
    public static final class Delete extends QueueCommand.OfOrganization {
        @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of jobs.")
        private List<IdOrEnd> ids = new ArrayList<>();

        @Mixin
        private final Confirmation confirmation;

        public Delete(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            String what = ids.size() == 1 ? "the job " + ids.getFirst() : Text.count(ids.size(), "job");
            return confirmation.given("delete " + what + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var jobs = jobs(client);
            return JobCommands.each(output, ids, "deleted", id -> {
                var job = jobs.get(JobsCommand.find(jobs, id));
                long gone = Jobs.hasEnded(job)
                        ? queues(client)
                                .purge(
                                        job.queueId().toString(),
                                        EndedJobs.of(QueueCommands.ENDS).ids(List.of(job.id())))
                        : 0;
                if (gone == 0) {
                    throw new SheafException.Conflict(
                            "the job " + job.id() + " is " + job.status()
                                    + "; only an ended job can be deleted. To end it: sheaf jobs cancel " + job.id(),
                            SheafException.Answer.NONE);
                }
                output.done(new Removed(job.id().toString()), job.id(), "deleted the job " + job.id());
            });
        }
    }

    @Command(
            name = "purge",
            description = "Deletes ended jobs of a queue, such as dead ones. To delete single jobs: sheaf jobs delete.",
            footer = {"", "Example:", "  sheaf queue purge reviews --status failed,dead --error exit_3"})
    public static final class Purge extends QueueCommand.OfQueue {
        @Option(
                names = "--status",
                paramLabel = "END",
                split = ",",
                description =
                        "Jobs in this state: completed, failed, dead or cancelled; may be repeated. Default: all four.")
        private List<String> statuses = new ArrayList<>();

        @Mixin
        private final EndedOptions options = new EndedOptions();

        @Mixin
        private final Confirmation confirmation;

        public Purge(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        private List<String> which() {
            return statuses.isEmpty() ? QueueCommands.ENDS : statuses;
        }

        @Override
        protected boolean ready() {
            return confirmation.given("delete the jobs of " + queue + " that are " + String.join(", ", which())
                    + options.words() + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            long count = queues(client).purge(queue, options.of(which()));
            output.done(new Job.Count(count), count, "deleted " + Text.count(count, "job"));
            return ExitCode.OK;
        }
    }
}
