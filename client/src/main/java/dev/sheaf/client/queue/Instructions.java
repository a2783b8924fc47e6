package dev.sheaf.client.queue;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.model.wire.queue.Rendered;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The instructions for the workers of one queue. An instruction never changes; at most one is active.
/// Thread-safe.
public final class Instructions {
    private final ApiResource instructions;

    Instructions(ApiResource instructions) {
        this.instructions = instructions;
    }

    /// Creates an instruction from a Liquid template.
    ///
    /// @param slug null to derive it from the name
    /// @throws SheafException.InvalidRequest if the template is invalid; the message contains the line
    public Instruction add(@Nullable String slug, String name, String template) {
        return create(RequestMembers.NOTHING.and("slug", slug).and("name", name).and("template", template));
    }

    /// Creates an instruction from a prompt of a bundle, pinned by its digest.
    ///
    /// @param bundle a reference such as `acme/kit:^1`
    /// @param path the path of the prompt in the bundle
    public Instruction addPrompt(@Nullable String slug, String name, String bundle, String path) {
        return create(RequestMembers.NOTHING
                .and("slug", slug)
                .and("name", name)
                .and("bundle", bundle)
                .and("path", path));
    }

    private Instruction create(RequestMembers members) {
        return instructions.create("", members.members(), Instruction.class);
    }

    /// Returns all instructions, newest first.
    public List<Instruction> list() {
        return instructions.list("", Instruction.class);
    }

    /// @param instruction an id or a slug
    public Instruction get(String instruction) {
        return instructions.get("/" + HttpCall.encode(instruction), Instruction.class);
    }

    /// Activates an instruction for future claims, in place of the active one.
    public Instruction activate(UUID id) {
        return instructions.post("/" + id + ":activate", Map.of(), Instruction.class);
    }

    /// Deactivates an instruction; claims then do not receive an instruction.
    public Instruction deactivate(UUID id) {
        return instructions.post("/" + id + ":deactivate", Map.of(), Instruction.class);
    }

    /// Returns the output of a template for an input. Changes nothing.
    ///
    /// @throws SheafException.InvalidRequest if it cannot be rendered; the message contains the line and the
    /// variable
    public String render(String template, @Nullable Object input) {
        var body = RequestMembers.NOTHING.and("template", template).and("input", input);
        return instructions.post(":render", body.members(), Rendered.class).rendered();
    }
}
