package dev.sheaf.server.queue;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.template.Template;
import dev.sheaf.engine.template.TemplateException;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.model.wire.queue.Rendered;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.version.Resolve;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The instructions of queues for their workers. Thread-safe.
public final class QueueInstructions {
    private static final int MAX_NAME = 200;
    private static final int MAX_PATH = 1_000;
    private static final int MAX_REFERENCE = 300;
    private static final int MAX_INPUT = 256 << 10;
    private static final int MOST = 1_000; // for each queue

    private final Database database;
    private final Bundles bundles;
    private final Resolve resolve;
    private final PromptReader prompts;
    private final CpuPool cpu;

    public QueueInstructions(Database database, Bundles bundles, Resolve resolve, PromptReader prompts, CpuPool cpu) {
        this.database = database;
        this.bundles = bundles;
        this.resolve = resolve;
        this.prompts = prompts;
        this.cpu = cpu;
    }

    private record Given(
            String slug,
            String name,
            @Nullable String template,
            @Nullable String bundle,
            @Nullable String path,
            boolean activate) {
        static Given parse(RequestFields fields) {
            String name = fields.required("name", MAX_NAME);
            String template = TemplateField.of(fields, "template");
            String bundle = fields.optional("bundle", MAX_REFERENCE);
            if (bundle != null) {
                fields.check("bundle", () -> Reference.parse(bundle));
            }
            String path = fields.optional("path", MAX_PATH);
            boolean fromBundle = fields.has("bundle") || fields.has("path");
            if (fields.has("template") == fromBundle) {
                fields.error(
                        "template",
                        "conflict",
                        "or \"bundle\" with \"path\" is required; they cannot be sent together");
            } else if (fromBundle) {
                required(fields, "bundle");
                required(fields, "path");
            }
            return new Given(
                    QueueSlug.of(fields, name),
                    name,
                    template,
                    bundle,
                    path,
                    Boolean.TRUE.equals(fields.flag("active")));
        }
    }

    private static void required(RequestFields fields, String name) {
        if (!fields.has(name)) {
            fields.error(name, "required", "is required");
        }
    }

    private record Pinned(Reference reference, Digest digest) {}

    /// Creates an instruction. A prompt from a bundle is pinned to the version to which the reference points
    /// now.
    ///
    /// @throws ProblemException validation-failed, including for invalid Liquid in a template; not-found;
    /// conflict if the queue has too many
    public Instruction create(ChangeOrigin origin, QueueRow queue, RequestFields fields) {
        var given = fields.to(Given::parse);
        if (given.template() != null) {
            check(given.template());
        }
        var pinned = given.bundle() == null ? null : pin(origin.caller(), given.bundle(), given.path());
        return database.write(tx -> {
            QueueRows.lock(tx, queue.id());
            int version = InstructionRows.last(tx, queue.id()) + 1;
            if (version > MOST) {
                throw new Problem.Conflict(
                                "the queue has had " + MOST + " instructions, the limit; create another queue")
                        .raise();
            }
            if (given.activate()) {
                InstructionRows.deactivateAll(tx, queue.id());
            }
            var row = new InstructionRow(
                    TimeOrderedIds.next(tx.now()),
                    queue.id(),
                    version,
                    given.slug(),
                    given.name(),
                    given.template(),
                    pinned == null ? null : pinned.reference().repository().toString(),
                    pinned == null ? null : pinned.digest(),
                    given.path(),
                    given.activate(),
                    tx.now(),
                    origin.actor());
            InstructionRows.insert(tx, row);
            AuditRows.record(tx, origin, "instruction.create", queue.slug() + "/" + row.slug());
            return row.toWire();
        });
    }

    private void check(String template) {
        try {
            cpu.run(Template.TIME, budget -> Template.parse(template));
        } catch (TemplateException e) {
            throw refused("/template", e);
        }
    }

    private static ProblemException refused(String pointer, RuntimeException e) {
        return new Problem.ValidationFailed(
                        List.of(new Problem.FieldError(pointer, "format", String.valueOf(e.getMessage()))))
                .raise();
    }

    private Pinned pin(Caller.Known author, String text, @Nullable String path) {
        new NamedBundle(bundles).check(author, "/bundle", text);
        var reference = Reference.parse(text);
        var bundle = bundles.read(author, reference.repository());
        var found = resolve.find(bundle, reference.selector());
        if (found.isEmpty()) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                            "/bundle",
                            "unknown",
                            "\"bundle\" names a version of " + reference.repository() + " that does not exist")))
                    .raise();
        }
        var digest = found.get().version().digest();
        try {
            String source = prompts.text(bundle, digest, String.valueOf(path));
            cpu.run(Template.TIME, budget -> Template.parse(source));
        } catch (PromptReader.GoneException | TemplateException e) {
            throw refused("/path", e);
        }
        return new Pinned(reference, digest);
    }

    /// Lists instructions, the newest first.
    ///
    /// @param before null, or the id after which the page begins
    public List<Instruction> list(QueueRow queue, @Nullable String before, int limit) {
        return database.read(tx -> InstructionRows.list(tx, queue.id(), before, limit)).stream()
                .map(InstructionRow::toWire)
                .toList();
    }

    /// @throws ProblemException not-found
    public Instruction get(QueueRow queue, UUID id) {
        return database.read(tx -> find(tx, queue, id)).toWire();
    }

    private static InstructionRow find(Tx tx, QueueRow queue, UUID id) {
        return InstructionRows.find(tx, queue.id(), id)
                .orElseThrow(() -> new Problem.NotFound("instruction " + id).raise());
    }

    /// Activates the instruction in place of the active one, or deactivates it.
    ///
    /// @throws ProblemException not-found
    public Instruction turn(ChangeOrigin origin, QueueRow queue, UUID id, boolean active) {
        return database.write(tx -> {
            QueueRows.lock(tx, queue.id());
            var row = find(tx, queue, id);
            if (row.active() != active) {
                if (active) {
                    InstructionRows.deactivateAll(tx, queue.id());
                    InstructionRows.activate(tx, id);
                } else {
                    InstructionRows.deactivate(tx, id);
                }
                String word = active ? "instruction.activate" : "instruction.deactivate";
                AuditRows.record(tx, origin, word, queue.slug() + "/" + row.slug());
            }
            return find(tx, queue, id).toWire();
        });
    }

    /// Returns the active instruction of a queue; null if there is none.
    public @Nullable Instruction active(QueueRow queue) {
        return database.read(tx -> InstructionRows.active(tx, queue.id()))
                .map(InstructionRow::toWire)
                .orElse(null);
    }

    /// Renders a template for an input, with the bundle of the queue as a claim would get it now. Changes nothing.
    ///
    /// @param host the registry's host name for clients
    /// @throws ProblemException validation-failed if the template is not valid Liquid, or fails for the input
    public Rendered render(QueueRow queue, RequestFields fields, String host) {
        String source = Objects.requireNonNullElse(TemplateField.of(fields, "template"), "");
        var input = fields.json("input", MAX_INPUT);
        required(fields, "template");
        fields.finish();
        var variables = new HashMap<String, @Nullable Object>();
        variables.put("input", input == null ? null : input.value());
        variables.put("job", sample());
        variables.put("attempt", 1);
        variables.put("queue", Map.of("id", queue.id().toString(), "slug", queue.slug(), "name", queue.name()));
        variables.put("bundle", bundle(queue, host));
        try {
            return new Rendered(
                    cpu.run(Template.TIME, budget -> Template.parse(source).render(variables, database::now, budget)));
        } catch (TemplateException e) {
            throw refused("/template", e);
        }
    }

    /// Returns the bundle of the queue, as templates see it; null if it has none, or no such version.
    private @Nullable Map<String, String> bundle(QueueRow queue, String host) {
        String named = queue.bundle();
        if (named == null) {
            return null;
        }
        var reference = Reference.parse(named);
        var name = reference.repository();
        return prompts.digest(queue.organizationId(), name, reference.selector())
                .map(digest -> Map.of(
                        "ref",
                        named,
                        "digest",
                        digest.toString(),
                        "ociPinnedRef",
                        host + "/" + new Reference(name, new VersionSelector.ByDigest(digest))))
                .orElse(null);
    }

    /// Returns an example of a job, as templates see it.
    private Map<String, @Nullable Object> sample() {
        var job = new HashMap<String, @Nullable Object>();
        job.put("id", new UUID(0, 0).toString());
        job.put("jobType", "default");
        job.put("priority", "normal");
        job.put("attemptNumber", 1);
        job.put("maxAttempts", 1);
        job.put("createdAt", database.now().toString());
        job.put("createdBy", "nobody");
        for (String name : List.of("data", "ceType", "ceSource", "ceSubject", "concurrencyKey", "dedupeKey")) {
            job.put(name, null);
        }
        return job;
    }
}
