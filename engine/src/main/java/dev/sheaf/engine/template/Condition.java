package dev.sheaf.engine.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The condition of an `if`. Here a missing member is null and not an error.
sealed interface Condition {
    boolean holds(Rendering rendering);

    record Truth(Expression expression) implements Condition {
        @Override
        public boolean holds(Rendering rendering) {
            return TemplateValues.isTrue(expression.valueIfAny(rendering));
        }
    }

    record Not(Condition condition) implements Condition {
        @Override
        public boolean holds(Rendering rendering) {
            return !condition.holds(rendering);
        }
    }

    /// `and` and `or` have no precedence: everything that follows is the right side.
    record Joined(Condition left, boolean isAnd, Condition right) implements Condition {
        @Override
        public boolean holds(Rendering rendering) {
            return left.holds(rendering) == isAnd ? right.holds(rendering) : !isAnd;
        }
    }

    record Comparison(Expression left, String operator, Expression right) implements Condition {
        @Override
        public boolean holds(Rendering rendering) {
            rendering.step();
            return switch (operator) {
                case "==" -> equal(left, right, rendering);
                case "!=", "<>" -> !equal(left, right, rendering);
                case "contains" -> contains(left.valueIfAny(rendering), right.valueIfAny(rendering), rendering);
                default -> ordered(left.valueIfAny(rendering), right.valueIfAny(rendering), rendering);
            };
        }

        private boolean ordered(@Nullable Object a, @Nullable Object b, Rendering rendering) {
            if (a == null || b == null || a instanceof Boolean || b instanceof Boolean) {
                return false;
            }
            if (!(a instanceof Number && b instanceof Number || a instanceof String && b instanceof String)) {
                throw rendering.failure("cannot compare " + TemplateValues.kind(a) + " with " + TemplateValues.kind(b)
                        + " by " + operator);
            }
            int order = TemplateValues.compare(a, b, rendering);
            return switch (operator) {
                case "<" -> order < 0;
                case ">" -> order > 0;
                case "<=" -> order <= 0;
                default -> order >= 0;
            };
        }

        private static boolean contains(@Nullable Object whole, @Nullable Object part, Rendering rendering) {
            if (part == null) {
                return false;
            }
            return switch (whole) {
                case String text -> TextSearch.indexOf(text, TemplateValues.text(part, rendering), 0, rendering) >= 0;
                case List<?> list -> list.stream().anyMatch(each -> TemplateValues.equal(each, part, rendering));
                case Map<?, ?> map -> map.containsKey(TemplateValues.plain(part));
                case null, default -> false;
            };
        }
    }

    static boolean equal(Expression left, Expression right, Rendering rendering) {
        if (right instanceof Expression.Nothing(boolean isBlank)) {
            return TemplateValues.isEmpty(left.valueIfAny(rendering), isBlank);
        }
        if (left instanceof Expression.Nothing(boolean isBlank)) {
            return TemplateValues.isEmpty(right.valueIfAny(rendering), isBlank);
        }
        return TemplateValues.equal(left.valueIfAny(rendering), right.valueIfAny(rendering), rendering);
    }
}
