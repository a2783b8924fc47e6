package dev.sheaf.client.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The members of a request that were set. Immutable.
record RequestMembers(Map<String, @Nullable Object> members) {
    static final RequestMembers NOTHING = new RequestMembers(Map.of());

    RequestMembers {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /// Returns a copy with a member; unchanged if the value is null.
    RequestMembers and(String name, @Nullable Object value) {
        return value == null ? this : with(name, value);
    }

    /// Returns a copy with a string member; an empty string removes the value at the registry.
    RequestMembers andText(String name, @Nullable String text) {
        return text == null ? this : with(name, text.isEmpty() ? null : text);
    }

    private RequestMembers with(String name, @Nullable Object value) {
        var all = new LinkedHashMap<String, @Nullable Object>(members);
        all.put(name, value);
        return new RequestMembers(all);
    }
}
