package dev.sheaf.server.queue.claim;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.engine.template.Template;
import dev.sheaf.engine.template.TemplateException;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Execution;
import dev.sheaf.model.wire.queue.ExecutionDefaults;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.queue.InstructionRow;
import dev.sheaf.server.queue.PromptReader;
import dev.sheaf.server.queue.job.JobRow;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Describes how to run claimed jobs: the rendered instruction, the bundle by its digest, and the settings of
/// the queue. Thread-safe.
public final class JobExecutions {
    private static final int PARSED = 20; // bytes of a template for each character of its text, at most, about
    private static final String PROMPT_ERROR = "prompt_error";
    private static final String SHELL = "shell";

    private final PromptReader prompts;
    private final CpuPool cpu;
    private final InstantSource clock;
    private final Cache<UUID, Parsed> templates = Caffeine.newBuilder()
            .maximumWeight(HeapShare.TEMPLATES.bytes())
            .weigher((UUID id, Parsed parsed) -> PARSED * parsed.length() + HeapShare.ENTRY)
            .build();

    private record Parsed(Template template, int length) {}

    /// @param clock the time that templates see as now
    public JobExecutions(PromptReader prompts, CpuPool cpu, InstantSource clock) {
        this.prompts = prompts;
        this.cpu = cpu;
        this.clock = clock;
    }

    /// Returns the description for the holder of a job.
    ///
    /// @param job the job in the form of the API
    /// @param bundle null if the job has no bundle
    /// @throws PromptReader.BundleGoneException if the organization can no longer read the bundle of
    /// the instruction
    Claim of(ClaimTransaction.Claimed claimed, Job job, Execution.@Nullable Bundle bundle) {
        var instruction = claimed.instruction();
        if (instruction == null) {
            return new Claim(job, null, execution(claimed, bundle, ""), null, null);
        }
        try {
            String source = prompts.source(claimed.job().organizationId(), instruction);
            var template = template(instruction, source);
            var variables = variables(claimed, bundle);
            String rendered = cpu.run(Template.TIME, budget -> template.render(variables, clock, budget));
            return new Claim(
                    job,
                    new Claim.Instructions(instruction.id(), instruction.name(), source),
                    execution(claimed, bundle, rendered),
                    null,
                    null);
        } catch (TemplateException | PromptReader.GoneException e) {
            return Claim.failing(job, PROMPT_ERROR, message(e));
        }
    }

    private static String message(RuntimeException e) {
        return Objects.requireNonNullElse(e.getMessage(), "the instruction cannot be used");
    }

    private Template template(InstructionRow instruction, String source) {
        var known = templates.getIfPresent(instruction.id());
        if (known != null) {
            return known.template();
        }
        var parsed = cpu.run(Template.TIME, budget -> Template.parse(source));
        templates.put(instruction.id(), new Parsed(parsed, source.length()));
        return parsed;
    }

    private static Execution execution(
            ClaimTransaction.Claimed claimed, Execution.@Nullable Bundle bundle, String rendered) {
        var queue = claimed.queue();
        var stored = queue.execution();
        var defaults =
                stored == null ? new ExecutionDefaults(null, null, null, null) : stored.to(ExecutionDefaults.class);
        var environment = defaults.environment();
        return new Execution(
                Objects.requireNonNullElse(queue.harnessType(), SHELL),
                rendered,
                queue.timeoutSeconds() * 1_000L,
                defaults.workingDirectory(),
                environment == null ? Map.of() : environment,
                bundle,
                defaults.sandbox(),
                defaults.constraints());
    }

    /// Returns the variables that describe a job to templates.
    private static Map<String, @Nullable Object> variables(
            ClaimTransaction.Claimed claimed, Execution.@Nullable Bundle bundle) {
        var row = claimed.job();
        var queue = claimed.queue();
        var variables = new HashMap<String, @Nullable Object>();
        variables.put("job", job(row));
        variables.put("input", value(row.content().input()));
        variables.put("attempt", row.attempt());
        variables.put("queue", Map.of("id", queue.id().toString(), "slug", queue.slug(), "name", queue.name()));
        variables.put(
                "bundle",
                bundle == null
                        ? null
                        : Map.of(
                                "ref", bundle.ref(), "digest", bundle.digest(), "ociPinnedRef", bundle.ociPinnedRef()));
        return variables;
    }

    private static Map<String, @Nullable Object> job(JobRow row) {
        var members = new HashMap<String, @Nullable Object>();
        members.put("id", row.id().toString());
        members.put("jobType", row.jobType());
        members.put("priority", row.priority().toString());
        members.put("attemptNumber", row.attempt());
        members.put("maxAttempts", row.lastAttempt());
        members.put("createdAt", row.createdAt().toString());
        members.put("createdBy", row.createdBy());
        members.put("data", value(row.content().data()));
        members.put("ceType", row.content().ceType());
        members.put("ceSource", row.content().ceSource());
        members.put("ceSubject", row.content().ceSubject());
        members.put("concurrencyKey", row.concurrencyKey());
        members.put("dedupeKey", row.dedupeKey());
        return members;
    }

    private static @Nullable Object value(@Nullable JsonText json) {
        return json == null ? null : json.value();
    }
}
