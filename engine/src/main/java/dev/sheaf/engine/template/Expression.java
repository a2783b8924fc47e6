package dev.sheaf.engine.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An expression of a template.
sealed interface Expression {
    /// @throws TemplateException if there is no value, for example because a member is missing
    @Nullable
    Object value(Rendering rendering);

    /// Returns the value; null if there is none. For templates that check whether a value exists.
    default @Nullable Object valueIfAny(Rendering rendering) {
        return value(rendering);
    }

    record Literal(@Nullable Object value) implements Expression {
        @Override
        public @Nullable Object value(Rendering rendering) {
            return value;
        }
    }

    /// `empty` or `blank`: an empty text, but in comparisons it matches other empty values, too.
    record Nothing(boolean isBlank) implements Expression {
        @Override
        public Object value(Rendering rendering) {
            return "";
        }
    }

    /// `(1..n)`
    record Interval(Expression from, Expression to) implements Expression {
        @Override
        public Object value(Rendering rendering) {
            return new NumberFilters.Range(
                    NumberFilters.integer(from.value(rendering), "a range", rendering),
                    NumberFilters.integer(to.value(rendering), "a range", rendering),
                    rendering);
        }
    }

    /// A variable and a path into its value.
    ///
    /// @param text as in the template, for errors
    record Path(String root, List<Expression> keys, String text) implements Expression {
        @Override
        public @Nullable Object value(Rendering rendering) {
            return find(rendering, true);
        }

        @Override
        public @Nullable Object valueIfAny(Rendering rendering) {
            return find(rendering, false);
        }

        private @Nullable Object find(Rendering rendering, boolean mustBe) {
            if (!rendering.has(root)) {
                return missing(rendering, mustBe, "");
            }
            Object value = rendering.get(root);
            for (var key : keys) {
                Object name = key.value(rendering);
                if (!has(value, name)) {
                    return missing(rendering, mustBe, mustBe ? meant(rendering, value, name) : "");
                }
                value = member(value, name);
            }
            return value;
        }

        /// @param hint begins with a space, or is empty
        private @Nullable Object missing(Rendering rendering, boolean mustBe, String hint) {
            if (mustBe) {
                throw rendering.failure(
                        "\"" + text + "\" has no value" + hint + "; where it may be missing, write {% if " + text
                                + " %} or {{ " + text + " | default: \"...\" }}");
            }
            return null;
        }

        /// Suggests the variable of this name, as `attempt` for `job.attempt`, or else a member that begins with it.
        private String meant(Rendering rendering, @Nullable Object value, @Nullable Object key) {
            if (!(key instanceof String name) || !text.endsWith("." + name)) {
                return "";
            }
            if (rendering.isGiven(name)) {
                return " (did you mean \"" + name + "\"?)";
            }
            return value instanceof Map<?, ?> map
                    ? map.keySet().stream()
                            .map(String::valueOf)
                            .filter(member -> !name.isEmpty() && member.startsWith(name))
                            .sorted()
                            .findFirst()
                            .map(member -> " (did you mean \"" + text.substring(0, text.length() - name.length())
                                    + member + "\"?)")
                            .orElse("")
                    : "";
        }

        private static boolean has(@Nullable Object value, @Nullable Object key) {
            return switch (value) {
                case Map<?, ?> map -> map.containsKey(TemplateValues.plain(key)) || "size".equals(key);
                case List<?> list ->
                    key instanceof Long index && index < list.size() && index >= -list.size()
                            || "size".equals(key)
                            || "first".equals(key)
                            || "last".equals(key);
                case String text -> "size".equals(key);
                case null, default -> false;
            };
        }

        private static @Nullable Object member(@Nullable Object value, @Nullable Object key) {
            return switch (value) {
                case Map<?, ?> map ->
                    map.containsKey(TemplateValues.plain(key))
                            ? map.get(TemplateValues.plain(key))
                            : (Object) (long) map.size();
                case List<?> list
                when key instanceof Long index -> list.get((int) (index < 0 ? index + list.size() : index));
                case List<?> list when "size".equals(key) -> (long) list.size();
                case List<?> list when list.isEmpty() -> null;
                case List<?> list -> "first".equals(key) ? list.getFirst() : list.getLast();
                case String text -> (long) text.codePointCount(0, text.length());
                case null, default -> null;
            };
        }
    }

    /// @param named arguments such as `allow_false: true`
    record Call(String name, Filter filter, List<Expression> arguments, Map<String, Expression> named) {}

    record Filtered(Expression base, List<Call> calls) implements Expression {
        @Override
        public @Nullable Object value(Rendering rendering) {
            Object value = isDefault(0) ? base.valueIfAny(rendering) : base.value(rendering);
            for (int i = 0; i < calls.size(); i++) {
                boolean mayMiss = isDefault(i) && isDefault(i + 1);
                var call = calls.get(i);
                rendering.step();
                var arguments = call.arguments.stream()
                        .map(each -> mayMiss ? each.valueIfAny(rendering) : each.value(rendering))
                        .toList();
                value = call.filter.apply(new Filter.Given(call, value, arguments, rendering));
            }
            return value;
        }

        private boolean isDefault(int index) {
            return index < calls.size() && calls.get(index).name.equals("default");
        }
    }
}
