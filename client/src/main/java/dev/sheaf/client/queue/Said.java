package dev.sheaf.client.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The members of a request that somebody named, and no others. Immutable.
record Said(Map<String, @Nullable Object> members) {
    static final Said NOTHING = new Said(Map.of());

    Said {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /// With a member; as it was where there is no value.
    Said and(String name, @Nullable Object value) {
        return value == null ? this : with(name, value);
    }

    /// The same of a text, where an empty one unsets the member.
    Said andText(String name, @Nullable String text) {
        return text == null ? this : with(name, text.isEmpty() ? null : text);
    }

    private Said with(String name, @Nullable Object value) {
        var all = new LinkedHashMap<String, @Nullable Object>(members);
        all.put(name, value);
        return new Said(all);
    }
}
