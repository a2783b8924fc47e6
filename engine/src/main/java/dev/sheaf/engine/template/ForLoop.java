package dev.sheaf.engine.template;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The `forloop` object of a loop: a map whose values are computed on access.
final class ForLoop extends AbstractMap<String, @Nullable Object> {
    static final String NAME = "forloop";

    private final String name;
    private final int length;
    private final @Nullable ForLoop parent;
    private long index;

    ForLoop(String name, int length, @Nullable ForLoop parent) {
        this.name = name;
        this.length = length;
        this.parent = parent;
    }

    void next() {
        index++;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        if (!(key instanceof String member)) {
            return null;
        }
        return switch (member) {
            case "index" -> index;
            case "index0" -> index - 1;
            case "rindex" -> length - index + 1;
            case "rindex0" -> length - index;
            case "first" -> index == 1;
            case "last" -> index == length;
            case "length" -> (long) length;
            case "name" -> name;
            case "parentloop" -> parent;
            default -> null;
        };
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null || "parentloop".equals(key);
    }

    @Override
    public Set<Entry<String, @Nullable Object>> entrySet() {
        var all = new LinkedHashMap<String, @Nullable Object>();
        for (String key : new String[] {"name", "length", "index", "index0", "rindex", "rindex0", "first", "last"}) {
            all.put(key, get(key));
        }
        return all.entrySet();
    }
}
