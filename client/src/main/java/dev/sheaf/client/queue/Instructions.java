package dev.sheaf.client.queue;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Resource;
import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.model.wire.queue.Rendered;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What the workers of one queue are told to do. An instruction never changes; one of them is active at most.
/// Thread-safe.
public final class Instructions {
    private final Resource instructions;

    Instructions(Resource instructions) {
        this.instructions = instructions;
    }

    /// Makes one of a template, which is Liquid.
    ///
    /// @param slug null: made from the name
    /// @throws SheafException.InvalidRequest where the template is wrong; the message names the line
    public Instruction add(@Nullable String slug, String name, String template) {
        return create(Said.NOTHING.and("slug", slug).and("name", name).and("template", template));
    }

    /// Makes one of a prompt of a bundle, which is pinned by its digest.
    ///
    /// @param bundle a reference such as `acme/kit:^1`
    /// @param path of the prompt in the bundle
    public Instruction addPrompt(@Nullable String slug, String name, String bundle, String path) {
        return create(Said.NOTHING
                .and("slug", slug)
                .and("name", name)
                .and("bundle", bundle)
                .and("path", path));
    }

    private Instruction create(Said said) {
        return instructions.create("", said.members(), Instruction.class);
    }

    /// All of them, the newest first.
    public List<Instruction> list() {
        return instructions.list("", Instruction.class);
    }

    /// @param instruction id or slug
    public Instruction get(String instruction) {
        return instructions.get("/" + Call.encode(instruction), Instruction.class);
    }

    /// Has claims get this one from now on, and no other.
    public Instruction activate(UUID id) {
        return instructions.post("/" + id + ":activate", Map.of(), Instruction.class);
    }

    /// Has claims get none.
    public Instruction deactivate(UUID id) {
        return instructions.post("/" + id + ":deactivate", Map.of(), Instruction.class);
    }

    /// What a template gives for an input. Changes nothing.
    ///
    /// @throws SheafException.InvalidRequest where it cannot be rendered; the message names line and variable
    public String render(String template, @Nullable Object input) {
        var body = Said.NOTHING.and("template", template).and("input", input);
        return instructions.post(":render", body.members(), Rendered.class).rendered();
    }
}
