package dev.sheaf.cli;

import dev.sheaf.cli.terminal.Output;
import java.io.IOException;

/// The part of the walk about queues: what is made, what is done, and what fails.
final class GoldenQueues {
    private final GoldenSteps steps;

    GoldenQueues(GoldenSteps steps) {
        this.steps = steps;
    }

    void run() throws IOException {
        queues();
        instructions();
        jobs();
        work();
        afterwards();
        schedules();
        routes();
        ends();
    }

    private void queues() {
        steps.done("queue-list", "queue", "list");
        steps.done("queue-habitat-list", "queue", "habitat", "list");
        steps.done(
                "queue-create",
                "queue",
                "create",
                "checks",
                "--bundle",
                "acme/kit:^1",
                "--max-attempts",
                "1",
                "--env",
                "JOB_LEVEL=strict");
        steps.once("queue-create", "queue", "create", "checks");
        steps.once("queue-create", "queue", "create", "Checks");
        steps.once("queue-create", "queue", "create", "Checks", "--timeout", "0s");
        steps.once("queue-show", "queue", "show", "chekcs");
        steps.once("queue-create", "queue", "create", "other", "--retry", "5s");
        steps.once("queue-create", "queue", "create", "other", "--retry", "5s..1s");
        steps.once("queue-create", "queue", "create", "other", "--lease", "1s");
        steps.once("queue-create", "queue", "create", "other", "--max-attempts", "0");
        edits();
    }

    private void edits() {
        steps.done("queue-edit", "queue", "edit", "checks", "--timeout", "30m", "--event", "dead,failed");
        steps.once("queue-edit", "queue", "edit", "checks");
        steps.done("queue-show", "queue", "show", "checks");
        steps.once("queue-show", "queue", "show", "nothing");
        steps.done("queue-list", "queue", "list");
        steps.done("queue-habitat-list", "queue", "habitat", "list");
        steps.done("queue-habitat-add", "queue", "habitat", "add", "lab", "--name", "The lab");
        steps.once("queue-habitat-add", "queue", "habitat", "add", "lab");
        steps.once("queue-habitat-add", "queue", "habitat", "add", "The lab");
        steps.quietly("queue", "create", "far", "--habitat", "lab");
        steps.once("queue-show", "queue", "show", "far");
        steps.once("queue-edit", "queue", "edit", "far", "--habitat", "nowhere");
        steps.once("queue-edit", "queue", "edit", "far", "--habitat", "default");
        steps.quietly("queue", "delete", "far", "--yes");
        steps.done("queue-habitat-rename", "queue", "habitat", "rename", "lab", "Laboratory");
        steps.done("queue-habitat-delete", "queue", "habitat", "delete", "lab", "--yes");
        steps.once("queue-habitat-delete", "queue", "habitat", "delete", "default", "--yes");
        steps.done("queue-pause", "queue", "pause", "checks");
        steps.done("queue-resume", "queue", "resume", "checks");
        steps.once("complete-words", "complete-words", "--", "queue", "show", "ch");
    }

    private void instructions() throws IOException {
        steps.file("check.liquid", "Check {{ input.name }}.\n");
        steps.file("wrong.liquid", "Check {{ input.name }.\n");
        steps.done("queue-instruction-list", "queue", "instruction", "list", "checks");
        steps.done("queue-instruction-add", "queue", "instruction", "add", "checks", steps.path("check.liquid"));
        steps.once("queue-instruction-add", "queue", "instruction", "add", "checks", steps.path("wrong.liquid"));
        steps.once("queue-instruction-add", "queue", "instruction", "add", "checks");
        steps.done("queue-instruction-list", "queue", "instruction", "list", "checks");
        steps.done("queue-instruction-deactivate", "queue", "instruction", "deactivate", "checks");
        steps.done("queue-instruction-activate", "queue", "instruction", "activate", "checks", "1");
        steps.once("queue-instruction-activate", "queue", "instruction", "activate", "checks", "7");
        steps.done(
                "queue-instruction-render",
                "queue",
                "instruction",
                "render",
                "checks",
                steps.path("check.liquid"),
                "{\"name\": \"all\"}");
        steps.once("queue-instruction-render", "queue", "instruction", "render", "checks", steps.path("check.liquid"));
    }

    private void jobs() throws IOException {
        steps.file("jobs.jsonl", "{\"name\": \"one\"}\n{\"name\": \"two\"}\n");
        steps.done("jobs-list", "jobs", "list", "checks");
        steps.done("jobs-add", "jobs", "add", "checks", "{\"name\": \"acme/kit\"}", "--priority", "high");
        steps.once("jobs-add", "jobs", "add", "checks", "name: acme");
        steps.once("jobs-add", "jobs", "add", "checks", "1", "--priority", "highest");
        steps.done("jobs-add", "jobs", "add", "checks", "--file", steps.path("jobs.jsonl"), "--delay", "1h");
        steps.done("jobs-list", "jobs", "list", "checks");
        steps.done("jobs-add", "jobs", "add", "checks", "{\"a\": 1}", "--delay", "1h", "--dedupe", "k1");
        steps.done("jobs-add", "jobs", "add", "checks", "{\"a\": 2}", "--delay", "1h", "--dedupe", "k1");
        String later = steps.quietly("jobs", "list", "checks", "--status", "scheduled", "--limit", "1");
        steps.done("jobs-cancel", "jobs", "cancel", later);
        steps.once("jobs-cancel", "jobs", "cancel", later);
    }

    private void work() {
        steps.recorder.environment().put("PATH", System.getenv("PATH"));
        steps.done("work", "work", "checks", "--once", "--name", "ada", "--", "cat");
        steps.done("work", "work", "checks", "--once", "--name", "ada", "--", "cat");
        steps.quietly("jobs", "add", "checks", "{\"name\": \"acme/broken\"}");
        steps.step("work", "work", "checks", "--once", "--name", "ada", "--", "ls", "nothing-here");
        steps.once("work", "work", "checks", "--", "no-such-program");
        steps.once("work", "work", "nothing", "--", "cat");
        steps.done("queue-worker-list", "queue", "worker", "list");
        String ended = steps.quietly("queue", "worker", "list", "--limit", "1");
        steps.done("queue-worker-remove", "queue", "worker", "remove", ended, "--yes");
        steps.once("queue-worker-remove", "queue", "worker", "remove", "nothing", "--yes");
    }

    private void afterwards() {
        String done = steps.quietly("jobs", "list", "checks", "--status", "completed");
        String dead = steps.quietly("jobs", "list", "checks", "--status", "dead");
        steps.done("jobs-show", "jobs", "show", done);
        steps.done("jobs-show", "jobs", "show", dead, "--attempts");
        steps.done("jobs-show", "jobs", "show", dead, "--events");
        steps.done("jobs-list", "jobs", "list", "--status", "dead,failed");
        steps.done("queue-stats", "queue", "stats", "checks");
        steps.once("jobs-retry", "jobs", "retry", done);
        steps.once("jobs-retry", "jobs", "retry");
        steps.step("jobs-retry", "jobs", "retry", done, dead);
        steps.done("jobs-retry", "jobs", "retry", "--all", "checks", "--status", "failed,dead");
    }

    private void schedules() {
        steps.done("queue-schedule-list", "queue", "schedule", "list", "checks");
        steps.done("queue-schedule-add", "queue", "schedule", "add", "checks", "nightly", "30 2 * * *");
        steps.once("queue-schedule-add", "queue", "schedule", "add", "checks", "wrong", "61 2 * * *");
        steps.done("queue-schedule-list", "queue", "schedule", "list", "checks");
        String id = steps.quietly("queue", "schedule", "list", "checks");
        steps.done("queue-schedule-edit", "queue", "schedule", "edit", "checks", id, "--disable");
        steps.done("queue-schedule-edit", "queue", "schedule", "edit", "checks", "nightly", "--enable");
        steps.once("queue-schedule-edit", "queue", "schedule", "edit", "checks", "nihgtly", "--enable");
        steps.once("queue-schedule-delete", "queue", "schedule", "delete", "checks", id);
        steps.done("queue-schedule-delete", "queue", "schedule", "delete", "checks", id, "--yes");
    }

    private void routes() {
        steps.done("queue-route-list", "queue", "route", "list");
        steps.done("queue-route-add", "queue", "route", "add", "checks", "lint-new", "--type", "version.published");
        steps.once("queue-route-add", "queue", "route", "add", "checks", "loop", "--type", "job.failed");
        steps.once("queue-route-add", "queue", "route", "add", "checks", "all");
        steps.done("queue-route-list", "queue", "route", "list");
        String id = steps.quietly("queue", "route", "list");
        steps.done("queue-route-edit", "queue", "route", "edit", id, "--subject", "acme/*", "--disable");
        steps.once("queue-route-edit", "queue", "route", "edit", "lint-new", "--enable");
        steps.once("queue-route-delete", "queue", "route", "delete", id);
        steps.done("queue-route-delete", "queue", "route", "delete", id, "--yes");
    }

    private void ends() {
        String cancelled = steps.quietly("jobs", "list", "checks", "--status", "cancelled");
        String waiting = steps.quietly("jobs", "list", "checks", "--status", "queued", "--limit", "1");
        steps.once("jobs-delete", "jobs", "delete", cancelled);
        steps.once("jobs-delete", "jobs", "delete", waiting, "--yes");
        steps.done("jobs-delete", "jobs", "delete", cancelled, "--yes");
        steps.once("queue-purge", "queue", "purge", "checks");
        steps.once("queue-purge", "queue", "purge", "checks", "--status", "dead", "--error", "exit_2", "--yes");
        steps.done("queue-purge", "queue", "purge", "checks", "--status", "completed", "--yes");
        steps.done("queue-archive", "queue", "archive", "checks");
        steps.once("jobs-add", "jobs", "add", "checks", "1");
        steps.once("queue-delete", "queue", "delete", "checks", "--yes");
        steps.once("queue-delete", "queue", "delete", "checks");
        steps.quietly("queue", "route", "add", "checks", "lint-new", "--type", "version.published");
        steps.done("queue-delete", "queue", "delete", "checks", "--force", "--yes");
        if (steps.format == Output.Format.HUMAN) {
            steps.done("queue-list", "queue", "list", "--status", "active");
        }
    }
}
