package dev.sheaf.server.template;

import dev.sheaf.server.cpu.Budget;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One rendering of a template: its variables, and what it has used of what it may use. For one thread.
final class Rendering {
    /// Characters of all texts that are made on the way, with elements of lists counted as some: 16 MB at most.
    private static final int MAX_MADE = 8 << 20;

    private static final int WORK = 1 << 12; // characters between two questions to the budget
    private static final int NAMES_SHOWN = 20;

    /// A loop under way.
    private record Frame(String name, @Nullable Object value, ForLoop loop) {}

    /// What `break` and `continue` leave behind for the loop around them.
    enum Jump {
        NONE,
        BREAK,
        CONTINUE
    }

    private final Map<String, @Nullable Object> given;
    private final Set<String> assignable;
    private final Map<String, @Nullable Object> assigned = new HashMap<>();
    private final Map<String, Long> counters = new HashMap<>();
    private final Map<String, Integer> places = new HashMap<>(); // of cycles, and of loops for offset:continue
    private final List<Frame> frames = new ArrayList<>();
    private final InstantSource clock;
    private final Budget budget;
    private Out out;
    private Jump jump = Jump.NONE;
    private int line = 1;
    private int passes;
    private int made;

    /// @param assignable names that the template gives values to, somewhere
    Rendering(
            Map<String, ? extends @Nullable Object> variables,
            Set<String> assignable,
            InstantSource clock,
            Budget budget) {
        this.assignable = assignable;
        this.clock = clock;
        this.budget = budget;
        this.out = new Out("the output", this);
        this.given = Values.copy(variables, this);
    }

    InstantSource clock() {
        return clock;
    }

    // What it may use

    TemplateException failure(String reason) {
        return new TemplateException(line, reason);
    }

    /// To be called for each part of a template that is rendered.
    void at(int number) {
        line = number;
        budget.check();
    }

    /// To be called for each element of a list, or as much work.
    void step() {
        budget.check();
    }

    /// To be called for work on a text, by its length.
    void work(int characters) {
        for (int left = characters; left >= 0; left -= WORK) {
            budget.check();
        }
    }

    /// To be called for each time that a loop goes round.
    void pass() {
        if (++passes > Template.MAX_PASSES) {
            throw failure("the loops go round more than " + Template.MAX_PASSES + " times");
        }
    }

    /// To be called before something is made that takes memory.
    ///
    /// @param characters or as much memory
    void made(int characters) {
        made += Math.min(characters, MAX_MADE);
        if (made > MAX_MADE) {
            throw failure("the values that are made on the way take too much memory");
        }
        if (characters >= WORK) {
            work(characters);
        }
    }

    // Output

    Out out() {
        return out;
    }

    String output() {
        return out.toString();
    }

    String captured(Block block) {
        var outer = out;
        out = new Out("a captured text", this);
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

    /// Whether a variable has a value; false where it may get one elsewhere in the template.
    ///
    /// @throws TemplateException where nothing has this name
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
        throw failure("unknown variable \"" + name + "\"; known are " + String.join(", ", names));
    }

    /// The value of one that [#has] a value.
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

    /// The loop that goes around what is rendered now.
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

    /// Counts a counter, and gives what it was before.
    long count(String name, int by) {
        long before = counters.getOrDefault(name, 0L);
        counters.put(name, before + by);
        return before;
    }

    /// Where a cycle or a loop stands.
    int place(String key) {
        return places.getOrDefault(key, 0);
    }

    void place(String key, int place) {
        if (places.put(key, place) == null) {
            made(key.length() + 16 * Lists.ELEMENT);
        }
    }
}
