package dev.sheaf.engine.template;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.OverBudgetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A Liquid template that a stranger wrote. It can read the JSON values that it is given and nothing else: no
/// objects, files or other templates. docs/templates.md describes the language for authors. Immutable,
/// thread-safe.
public final class Template {
    /// CPU time that rendering may take. Callers run it on the pool.
    public static final Duration TIME = Duration.ofSeconds(1);

    /// The longest template, in UTF-8 bytes.
    public static final int MAX_SOURCE = 64 << 10;

    /// The longest output, and the longest intermediate text, in UTF-8 bytes.
    public static final int MAX_OUTPUT = 1 << 20;

    /// The most iterations of all loops together in a rendering.
    public static final int MAX_PASSES = 100_000;

    /// How deeply blocks and brackets may be nested.
    public static final int MAX_NESTING = 50;

    private final PartBlock block;
    private final Set<String> assigned;

    private Template(PartBlock block, Set<String> assigned) {
        this.block = block;
        this.assigned = assigned;
    }

    /// Parses a template. This takes time in proportion to its length, about ten milliseconds for the longest.
    /// A template that has not been parsed before is therefore parsed on the pool, too.
    ///
    /// @throws TemplateException if it is too long or not valid Liquid
    public static Template parse(String source) {
        if (source.length() > MAX_SOURCE || source.getBytes(StandardCharsets.UTF_8).length > MAX_SOURCE) {
            throw new TemplateException(1, "the template is larger than " + (MAX_SOURCE >> 10) + " KiB");
        }
        var reader = new TagReader(TemplateSplitter.of(source));
        var block = reader.template();
        return new Template(block, Set.copyOf(reader.assigned()));
    }

    /// Renders the template. Call it on the pool, because it can take as long as the budget allows.
    ///
    /// @param variables by name: null, booleans, numbers, strings, lists and maps of these
    /// @param clock the time of `now`
    /// @throws TemplateException if a value is missing or has the wrong type, or a limit is reached
    /// @throws OverBudgetException if nobody waits for the result any more
    public String render(Map<String, ? extends @Nullable Object> variables, InstantSource clock, Budget budget) {
        var rendering = new Rendering(variables, assigned, clock, budget);
        try {
            block.render(rendering);
            return rendering.output();
        } catch (OverBudgetException e) {
            if (budget.isCancelled()) {
                throw e;
            }
            throw rendering.failure("rendering takes too long; make its loops shorter");
        }
    }
}
