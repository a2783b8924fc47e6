package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.InputText;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.model.wire.queue.Rendered;
import java.util.function.Supplier;

/// The commands of `sheaf queue instruction`.
final class InstructionCommands {
    private static final Table<Instruction> TABLE = new Table<Instruction>()
            .number("VERSION", Instruction::version)
            .column("ACTIVE", instruction -> instruction.active() ? "yes" : "-")
            .column("CREATED", Instruction::createdAt)
            .column(
                    "OF",
                    instruction ->
                            instruction.bundle() == null ? "template" : instruction.bundle() + " " + instruction.path())
            .column("NAME", Instruction::name);

    private InstructionCommands() {}

    static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "instruction",
                        "Manages the instructions for workers of a queue. They are Liquid templates; one is active.")
                .add(InstructionCommands::add)
                .add(InstructionCommands::list)
                .add(connection -> setActive(
                        connection, "activate", "Activates an instruction: workers get it from now on.", true))
                .add(connection -> setActive(
                        connection, "deactivate", "Deactivates the instruction: workers get no instruction.", false))
                .add(InstructionCommands::render);
    }

    private static CliCommand add(Connection connection) {
        var command = QueueCommands.queues(
                        connection,
                        "add",
                        "Creates an instruction and makes it active. An instruction never changes; to change it, add "
                                + "another.")
                .footer(
                        "",
                        "Examples:",
                        "  sheaf queue instruction add reviews review.liquid",
                        "  sheaf queue instruction add reviews --bundle acme/review-kit:^1 --path prompts/review.prompt.md");
        var queue = QueueCommands.queue(command);
        var file = command.optionalArgument("FILE", "The Liquid template; - is standard input.");
        var bundle = command.option("--bundle", "REF", "A bundle whose prompt is the template.");
        var path = command.option("--path", "PATH", "Path of the prompt in the bundle.");
        var name = command.option("--name", "NAME", "Name of the instruction. Default: the name of the file.");
        var inactive = command.flag("--inactive", "Do not activate it yet.");
        return command.check(() -> command.refuse(
                        file.isGiven() == bundle.isGiven() || bundle.isGiven() != path.isGiven(),
                        "name a file with a template, or a prompt by --bundle and --path"))
                .change(
                        queues -> {
                            var instructions = queues.instructions(queue.get());
                            String from = file.get();
                            var made = from == null
                                    ? instructions.addPrompt(null, named(name, path.or("")), bundle.or(""), path.or(""))
                                    : instructions.add(
                                            null,
                                            named(name, from),
                                            InputText.read(
                                                    from, connection.shell().in()));
                            return inactive.isGiven() ? made : instructions.activate(made.id());
                        },
                        Instruction::id,
                        made -> "created the instruction " + made.slug() + ", version " + made.version()
                                + ", of the queue " + queue
                                + (made.active()
                                        ? ", and workers get it"
                                        : "; to activate it: sheaf queue instruction activate " + queue + " "
                                                + made.version()));
    }

    private static String named(OptionalValue<String> name, String where) {
        String last = where.substring(where.lastIndexOf('/') + 1);
        String bare = last.replaceFirst("\\..*$", "");
        return name.or(bare.isEmpty() || bare.equals("-") ? "instruction" : bare);
    }

    private static CliCommand list(Connection connection) {
        var command = QueueCommands.queues(connection, "list", "Lists the instructions of a queue, the newest first.")
                .alias("ls");
        var queue = QueueCommands.queue(command);
        return command.run(queues -> command.output.list(
                queues.instructions(queue.get()).list(),
                Instruction::id,
                TABLE,
                "the queue has no instructions; to add one: sheaf queue instruction add " + queue + " FILE"));
    }

    private static CliCommand setActive(Connection connection, String name, String description, boolean active) {
        var command = QueueCommands.queues(connection, name, description);
        var queue = QueueCommands.queue(command);
        var which = command.optionalArgument(
                "INSTRUCTION",
                "Its version, slug or id. Default: the newest for activate, the active one for deactivate.");
        return command.change(
                queues -> {
                    var instructions = queues.instructions(queue.get());
                    var id = instructions.list().stream()
                            .filter(one -> which.isGiven() ? isNamed(one, which.or("")) : active || one.active())
                            .findFirst()
                            .orElseThrow(() -> new SheafException.NotFound(
                                    "the queue " + queue + " does not have this instruction",
                                    SheafException.Answer.NONE))
                            .id();
                    return active ? instructions.activate(id) : instructions.deactivate(id);
                },
                Instruction::id,
                now -> "workers of " + queue + (now.active() ? " get " : " no longer get ") + now.slug() + ", version "
                        + now.version());
    }

    private static boolean isNamed(Instruction instruction, String typed) {
        return typed.equals(String.valueOf(instruction.version()))
                || typed.equals(instruction.slug())
                || typed.equals(instruction.id().toString());
    }

    private static CliCommand render(Connection connection) {
        var command = QueueCalls.command(
                        connection, "render", "Shows the text that a template produces for an input. Changes nothing.")
                .footer("", "Example:", "  sheaf queue instruction render reviews review.liquid '{\"pull\": 7}'");
        var queue = QueueCommands.queue(command);
        var file = command.argument("FILE", "The template; - is standard input.");
        var input = command.optionalArgument("INPUT", "The input of a job, as JSON.");
        return command.run(calls -> {
            var document = InputText.json(input.get(), "INPUT");
            String template = InputText.read(file.get(), connection.shell().in());
            String text = calls.queues().instructions(queue.get()).render(template, document);
            command.output.show(
                    new Rendered(text),
                    shell -> text.lines().forEach(line -> shell.out().println(TextFormat.showableLine(line))),
                    () -> text.lines().toList());
        });
    }
}
