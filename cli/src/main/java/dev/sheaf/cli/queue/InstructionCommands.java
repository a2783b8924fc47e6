package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.model.wire.queue.Rendered;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands of `sheaf queue instruction`.
public final class InstructionCommands {
    private InstructionCommands() {}

    @Command(
            name = "instruction",
            description = "Manages the instructions for workers of a queue. They are Liquid templates; one is active.",
            synopsisSubcommandLabel = "COMMAND")
    private record Group() {}

    static CommandLine of(Supplier<Connection> connections) {
        var activate = new CommandLine(new Switch(true, connections.get()));
        activate.getCommandSpec().usageMessage().description("Activates an instruction: workers get it from now on.");
        var deactivate = new CommandLine(new Switch(false, connections.get()));
        deactivate
                .getCommandSpec()
                .usageMessage()
                .description("Deactivates the instruction: workers get no instruction.");
        return new CommandLine(new Group())
                .addSubcommand(new Add(connections.get()))
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand("activate", activate)
                .addSubcommand("deactivate", deactivate)
                .addSubcommand(new Render(connections.get()));
    }

    @Command(
            name = "add",
            description = "Creates an instruction and makes it active. An instruction never changes; to change it, add "
                    + "another.",
            footer = {
                "",
                "Examples:",
                "  sheaf queue instruction add reviews review.liquid",
                "  sheaf queue instruction add reviews --bundle acme/review-kit:^1 --path prompts/review.prompt.md"
            })
    public static final class Add extends QueueCommand.OfQueue {
        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "FILE",
                description = "The Liquid template; - is standard input.")
        private @Nullable String file;

        @Option(names = "--bundle", paramLabel = "REF", description = "A bundle whose prompt is the template.")
        private @Nullable String bundle;

        @Option(names = "--path", paramLabel = "PATH", description = "Path of the prompt in the bundle.")
        private @Nullable String path;

        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "Name of the instruction. Default: the name of the file.")
        private @Nullable String name;

        @Option(names = "--inactive", description = "Do not activate it yet.")
        private boolean inactive;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Add(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            if ((file == null) == (bundle == null) || (bundle == null) != (path == null)) {
                throw new ParameterException(
                        spec.commandLine(), "name a file with a template, or a prompt by --bundle and --path");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var instructions = queues(client).instructions(queue);
            var made = file == null
                    ? instructions.addPrompt(
                            null, named(String.valueOf(path)), String.valueOf(bundle), String.valueOf(path))
                    : instructions.add(
                            null,
                            named(file),
                            InputText.read(file, connection.shell().in()));
            var now = inactive ? made : instructions.activate(made.id());
            output.done(
                    now,
                    now.id(),
                    "created the instruction " + now.slug() + ", version " + now.version() + ", of the queue " + queue
                            + (now.active()
                                    ? ", and workers get it"
                                    : "; to activate it: sheaf queue" + " instruction activate " + queue + " "
                                            + now.version()));
            return ExitCode.OK;
        }

        private String named(String where) {
            if (name != null) {
                return name;
            }
            String last = where.substring(where.lastIndexOf('/') + 1);
            String bare = last.replaceFirst("\\..*$", "");
            return bare.isEmpty() || bare.equals("-") ? "instruction" : bare;
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the instructions of a queue, the newest first.")
    public static final class ListAll extends QueueCommand.OfQueue {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = queues(client).instructions(queue).list();
            var table = new Table("VERSION", "ACTIVE", "CREATED", "OF", "NAME").right("VERSION");
            all.forEach(one -> table.row(
                    one.version(),
                    one.active() ? "yes" : "-",
                    Text.time(one.createdAt()),
                    one.bundle() == null ? "template" : one.bundle() + " " + one.path(),
                    one.name()));
            output.list(
                    all,
                    Instruction::id,
                    table,
                    "the queue has no instructions; to add one: sheaf queue instruction add " + queue + " FILE");
            return ExitCode.OK;
        }
    }

    /// Activates or deactivates.
    public static final class Switch extends QueueCommand.OfQueue {
        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "INSTRUCTION",
                description =
                        "Its version, slug or id. Default: the newest for activate, the active one for deactivate.")
        private @Nullable String which;

        private final boolean active;

        Switch(boolean active, Connection connection) {
            super(connection);
            this.active = active;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var instructions = queues(client).instructions(queue);
            var found = find(instructions.list());
            var now = active ? instructions.activate(found.id()) : instructions.deactivate(found.id());
            output.done(
                    now,
                    now.id(),
                    "workers of " + queue + (now.active() ? " get " : " no longer get ") + now.slug() + ", version "
                            + now.version());
            return ExitCode.OK;
        }

        private Instruction find(List<Instruction> all) {
            return all.stream()
                    .filter(one -> which == null
                            ? active || one.active()
                            : which.equals(String.valueOf(one.version()))
                                    || which.equals(one.slug())
                                    || which.equals(one.id().toString()))
                    .findFirst()
                    .orElseThrow(() -> new SheafException.NotFound(
                            "the queue " + queue + " does not have this instruction", SheafException.Answer.NONE));
        }
    }

    @Command(
            name = "render",
            description = "Shows the text that a template produces for an input. Changes nothing.",
            footer = {"", "Example:", "  sheaf queue instruction render reviews review.liquid '{\"pull\": 7}'"})
    public static final class Render extends QueueCommand.OfQueue {
        @Parameters(index = "1", paramLabel = "FILE", description = "The template; - is standard input.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String file;

        @Parameters(index = "2", arity = "0..1", paramLabel = "INPUT", description = "The input of a job, as JSON.")
        private @Nullable String input;

        public Render(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var document = InputText.json(input, "INPUT");
            String template = InputText.read(file, connection.shell().in());
            String text = queues(client).instructions(queue).render(template, document);
            output.show(
                    new Rendered(text),
                    shell -> text.lines().forEach(line -> shell.out().println(Text.showableLine(line))),
                    () -> text.lines().toList());
            return ExitCode.OK;
        }
    }
}
