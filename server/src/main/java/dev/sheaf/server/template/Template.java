package dev.sheaf.server.template;

import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.cpu.OverBudgetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A Liquid template that a stranger wrote. It sees the JSON values that it is given and nothing else: no objects, no
/// files, no other templates. docs/templates.md describes the language for authors. Immutable, thread-safe.
public final class Template {
    /// What rendering may take of a processor. Callers hand it to the pool.
    public static final Duration TIME = Duration.ofSeconds(1);

    /// UTF-8 bytes of a template.
    public static final int MAX_SOURCE = 64 << 10;

    /// UTF-8 bytes of what a template gives, and of each text that it makes on the way.
    public static final int MAX_OUTPUT = 1 << 20;

    /// How often all loops of a rendering may go round together.
    public static final int MAX_PASSES = 100_000;

    /// How deeply blocks may stand within each other, and brackets within brackets.
    public static final int MAX_NESTING = 50;

    private final Block block;
    private final Set<String> assigned;

    private Template(Block block, Set<String> assigned) {
        this.block = block;
        this.assigned = assigned;
    }

    /// Reads a template. This takes time in proportion to its length, some ten milliseconds for the longest: what
    /// nobody has read before is read on the pool, too.
    ///
    /// @throws TemplateException where it is too long, or no Liquid
    public static Template parse(String source) {
        if (source.length() > MAX_SOURCE || source.getBytes(StandardCharsets.UTF_8).length > MAX_SOURCE) {
            throw new TemplateException(1, "the template is larger than " + (MAX_SOURCE >> 10) + " KiB");
        }
        var reader = new TagReader(Pieces.of(source));
        var block = reader.template();
        return new Template(block, Set.copyOf(reader.assigned()));
    }

    /// Renders it. To be called on the pool, as this can take as long as the budget says.
    ///
    /// @param variables by name: null, booleans, numbers, strings, lists and maps of these
    /// @param clock what `now` is
    /// @throws TemplateException where a value is missing or does not fit, or a bound is reached
    /// @throws OverBudgetException where nobody waits for it any more
    public String render(Map<String, ? extends @Nullable Object> variables, InstantSource clock, Budget budget) {
        var rendering = new Rendering(variables, assigned, clock, budget);
        try {
            block.render(rendering);
            return rendering.output();
        } catch (OverBudgetException e) {
            if (budget.isCancelled()) {
                throw e;
            }
            throw rendering.failure("rendering takes more time than a template may; make its loops shorter");
        }
    }
}
