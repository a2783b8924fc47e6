package dev.sheaf.engine.template;

import dev.sheaf.engine.cpu.Budget;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A rendering of a template: its variables, and how much of its limits it has used. For one thread.
final class Rendering {
    /// Characters of all intermediate texts and elements of lists together; at most 16 MB.
    private static final int MAX_MADE = 8 << 20;

    private static final int WORK = 1 << 12; // characters between two checks of the budget
    private static final int NAMES_SHOWN = 20;

    /// A running loop.
    private record Frame(String name, @Nullable Object value, ForLoop loop) {}

    /// The effect of `break` and `continue` on the enclosing loop.
    enum Jump {
        NONE,
        BREAK,
        CONTINUE
    }

    private final Map<String, @Nullable Object> given;
    private final Set<String> assignable;
    private final Map<String, @Nullable Object> assigned = new HashMap<>();
    private final Map<String, Long> counters = new HashMap<>();
    private final Map<String, Integer> places =
            new HashMap<>(); // positions of cycles, and of loops for offset:continue
    private final List<Frame> frames = new ArrayList<>();
    private final InstantSource clock;
    private final Budget budget;
    private BoundedText out;
    private Jump jump = Jump.NONE;
    private int line = 1;
    private int passes;
    private int made;

    /// @param assignable names that the template assigns somewhere
    Rendering(
            Map<String, ? extends @Nullable Object> variables,
            Set<String> assignable,
            InstantSource clock,
            Budget budget) {
        this.assignable = assignable;
        this.clock = clock;
        this.budget = budget;
        this.out = new BoundedText("the output", this);
        this.given = TemplateValues.copy(variables, this);
    }

    InstantSource clock() {
        return clock;
    }

    // Limits

    TemplateException failure(String reason) {
        return new TemplateException(line, reason);
    }

    /// Sets the current line. Called for each part of a template.
    void at(int number) {
        line = number;
        budget.check();
    }

    /// Counts one step. Called for each element of a list, and for other work of that size.
    void step() {
        budget.check();
    }

    /// Counts work on a text of this length.
    void work(int characters) {
        for (int left = characters; left >= 0; left -= WORK) {
            budget.check();
        }
    }

    /// Counts one iteration of a loop.
    void pass() {
        if (++passes > Template.MAX_PASSES) {
            throw failure("all loops together run more than " + Template.MAX_PASSES + " times, the limit");
        }
    }

    /// Counts memory before it is used.
    ///
    /// @param characters the number of characters; other memory is counted in characters too
    void made(int characters) {
        made += Math.min(characters, MAX_MADE);
        if (made > MAX_MADE) {
            throw failure("the intermediate values take too much memory; use smaller texts and lists");
        }
        if (characters >= WORK) {
            work(characters);
        }
    }

    // Output

    BoundedText out() {
        return out;
    }

    String output() {
        return out.toString();
    }

    String captured(PartBlock block) {
        var outer = out;
        out = new BoundedText("a captured text", this);
        try {
            block.render(this);
            return out.toString();
        } finally {
            out = outer;
        }
    }

    Jump jump() {
        return jump;
    }

    void jump(Jump to) {
        jump = to;
    }

    // Variables

    /// Returns whether a variable has a value; false if it may get one elsewhere in the template.
    ///
    /// @throws TemplateException if the name is unknown
    boolean has(String name) {
        if (frame(name) != null || assigned.containsKey(name) || given.containsKey(name)) {
            return true;
        }
        if (counters.containsKey(name)) {
            return true;
        }
        if (assignable.contains(name)) {
            return false;
        }
        var names = new TreeSet<>(given.keySet()).stream().limit(NAMES_SHOWN).toList();
        throw failure("unknown variable \"" + name + "\"; the known variables are " + String.join(", ", names));
    }

    /// Returns whether the caller gave a variable of this name.
    boolean isGiven(String name) {
        return given.containsKey(name);
    }

    /// Returns the value of a variable for which [#has] returned true.
    @Nullable
    Object get(String name) {
        var frame = frame(name);
        if (frame != null) {
            return name.equals(ForLoop.NAME) ? frame.loop : frame.value;
        }
        if (assigned.containsKey(name)) {
            return assigned.get(name);
        }
        return given.containsKey(name) ? given.get(name) : counters.get(name);
    }

    private @Nullable Frame frame(String name) {
        for (int i = frames.size() - 1; i >= 0; i--) {
            if (frames.get(i).name.equals(name) || name.equals(ForLoop.NAME)) {
                return frames.get(i);
            }
        }
        return null;
    }

    /// Returns the innermost running loop.
    @Nullable
    ForLoop loop() {
        return frames.isEmpty() ? null : frames.getLast().loop;
    }

    void within(String name, @Nullable Object value, ForLoop loop, Runnable body) {
        frames.add(new Frame(name, value, loop));
        try {
            body.run();
        } finally {
            frames.removeLast();
        }
    }

    void assign(String name, @Nullable Object value) {
        assigned.put(name, value);
    }

    /// Changes a counter and returns its old value.
    long count(String name, int by) {
        long before = counters.getOrDefault(name, 0L);
        counters.put(name, before + by);
        return before;
    }

    /// Returns the position of a cycle or a loop.
    int place(String key) {
        return places.getOrDefault(key, 0);
    }

    void place(String key, int place) {
        if (places.put(key, place) == null) {
            made(key.length() + 16 * ListFilters.ELEMENT);
        }
    }
}
