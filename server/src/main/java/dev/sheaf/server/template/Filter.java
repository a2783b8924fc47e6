package dev.sheaf.server.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What stands after a `|`.
@FunctionalInterface
interface Filter {
    @Nullable
    Object apply(Given given);

    /// What a filter is called with. Its methods read a value as what the filter needs, or fail with its name.
    record Given(
            Expression.Call call,
            @Nullable Object value,
            List<? extends @Nullable Object> arguments,
            Rendering rendering) {
        String text() {
            return Values.text(value, rendering);
        }

        /// The value as a list, as filters of lists take it: lists within it are part of it, and what is no
        /// list is one of a single element.
        List<@Nullable Object> list() {
            return Lists.flat(value, rendering);
        }

        boolean has(int index) {
            return index < arguments.size();
        }

        @Nullable
        Object argument(int index) {
            return arguments.get(index);
        }

        String text(int index) {
            return Values.text(arguments.get(index), rendering);
        }

        /// A whole number that an `int` holds; larger ones become the largest.
        int integer(int index) {
            long number = Numbers.integer(arguments.get(index), call.name(), rendering);
            return Math.clamp(number, -Integer.MAX_VALUE, Integer.MAX_VALUE);
        }

        boolean named(String key) {
            var expression = call.named().get(key);
            return expression != null && Values.isTrue(expression.value(rendering));
        }

        TemplateException failure(String reason) {
            return rendering.failure(call.name() + " " + reason);
        }
    }
}
