package dev.sheaf.engine.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A filter: the part after a `|`.
@FunctionalInterface
interface Filter {
    @Nullable
    Object apply(Given given);

    /// The arguments of a filter. The methods convert a value to the type that the filter needs, or fail with
    /// the filter's name.
    record Given(
            Expression.Call call,
            @Nullable Object value,
            List<? extends @Nullable Object> arguments,
            Rendering rendering) {
        String text() {
            return TemplateValues.text(value, rendering);
        }

        /// Returns the value as a list, for filters of lists. Nested lists are flattened; any other value
        /// becomes a list with one element.
        List<@Nullable Object> list() {
            return ListFilters.flat(value, rendering);
        }

        boolean has(int index) {
            return index < arguments.size();
        }

        @Nullable
        Object argument(int index) {
            return arguments.get(index);
        }

        String text(int index) {
            return TemplateValues.text(arguments.get(index), rendering);
        }

        /// Returns a whole number that fits an `int`; larger numbers become the largest `int`.
        int integer(int index) {
            long number = NumberFilters.integer(arguments.get(index), call.name(), rendering);
            return Math.clamp(number, -Integer.MAX_VALUE, Integer.MAX_VALUE);
        }

        boolean named(String key) {
            var expression = call.named().get(key);
            return expression != null && TemplateValues.isTrue(expression.value(rendering));
        }

        TemplateException failure(String reason) {
            return rendering.failure(call.name() + " " + reason);
        }
    }
}
