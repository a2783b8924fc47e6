package dev.sheaf.engine.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A part of a template: text, an output or a tag.
sealed interface TemplateNode {
    void render(Rendering to);

    /// Returns whether it can output nothing but spaces. A tag that contains only such parts outputs nothing at
    /// all.
    default boolean isBlank() {
        return false;
    }

    record Text(String text) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.step();
            to.out().add(text);
        }

        @Override
        public boolean isBlank() {
            return text.chars().allMatch(c -> TemplateSplitter.isSpace((char) c));
        }
    }

    record Output(int line, Expression expression) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(line);
            to.out().add(TemplateValues.text(expression.value(to), to));
        }
    }

    record Assign(int line, String name, Expression expression) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(line);
            to.assign(name, expression.value(to));
        }

        @Override
        public boolean isBlank() {
            return true;
        }
    }

    record Capture(int line, String name, PartBlock block) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(line);
            to.assign(name, to.captured(block));
        }

        @Override
        public boolean isBlank() {
            return true;
        }
    }

    /// `increment` and `decrement`
    record Count(int line, String name, boolean isUp) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(line);
            long before = to.count(name, isUp ? 1 : -1);
            to.out().add(Long.toString(isUp ? before : before - 1));
        }
    }

    /// @param name the name of the group; null if its values are its name
    record Cycle(int line, @Nullable Expression name, String text, List<Expression> values) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(line);
            String group = name == null ? text : TemplateValues.text(name.value(to), to);
            to.made(group.length());
            String key = "cycle " + group;
            int place = to.place(key) % values.size();
            to.out().add(TemplateValues.text(values.get(place).value(to), to));
            to.place(key, place + 1);
        }
    }

    /// `break` and `continue`; outside of a loop they end the template.
    record Leave(int line, Rendering.Jump jump) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(line);
            to.jump(jump);
        }
    }

    record Branch(int line, Condition condition, PartBlock block) {}

    /// `if` and `unless`: renders the first branch whose condition is true.
    record If(List<Branch> branches, @Nullable PartBlock otherwise) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            for (var branch : branches) {
                to.at(branch.line);
                if (branch.condition.holds(to)) {
                    branch.block.render(to);
                    return;
                }
            }
            if (otherwise != null) {
                otherwise.render(to);
            }
        }

        @Override
        public boolean isBlank() {
            return branches.stream().allMatch(each -> each.block.isBlank())
                    && (otherwise == null || otherwise.isBlank());
        }
    }

    record When(int line, List<Expression> values, PartBlock block) {}

    /// `case`: renders each `when` that has the value.
    record Case(
            int line,
            Expression subject,
            List<When> whens,
            @Nullable PartBlock otherwise) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(line);
            boolean none = true;
            for (var when : whens) {
                to.at(when.line);
                if (when.values.stream().anyMatch(each -> Condition.equal(subject, each, to))) {
                    none = false;
                    when.block.render(to);
                    if (to.jump() != Rendering.Jump.NONE) {
                        return;
                    }
                }
            }
            if (none && otherwise != null) {
                otherwise.render(to);
            }
        }

        @Override
        public boolean isBlank() {
            return whens.stream().allMatch(each -> each.block.isBlank()) && (otherwise == null || otherwise.isBlank());
        }
    }

    /// @param continues whether it starts where the last loop over the same list ended
    record Loop(
            int line,
            String variable,
            Expression list,
            String name,
            boolean isReversed,
            @Nullable Expression limit,
            @Nullable Expression offset,
            boolean continues) {}

    record For(Loop loop, PartBlock block, @Nullable PartBlock otherwise) implements TemplateNode {
        @Override
        public void render(Rendering to) {
            to.at(loop.line);
            var elements = elements(to);
            if (elements.isEmpty()) {
                if (otherwise != null) {
                    otherwise.render(to);
                }
                return;
            }
            var state = new ForLoop(loop.name, elements.size(), to.loop());
            for (int i = 0; i < elements.size(); i++) {
                to.pass();
                state.next();
                int index = loop.isReversed ? elements.size() - 1 - i : i;
                to.within(loop.variable, elements.get(index), state, () -> block.render(to));
                var jump = to.jump();
                to.jump(Rendering.Jump.NONE);
                if (jump == Rendering.Jump.BREAK) {
                    return;
                }
            }
        }

        /// Returns the elements of the loop. If the loop has an `else`, the list may be missing.
        private List<?> elements(Rendering to) {
            Object value = otherwise == null ? loop.list.value(to) : loop.list.valueIfAny(to);
            List<?> all = switch (value) {
                case null -> List.of();
                case List<?> list -> list;
                case Map<?, ?> map -> pairs(map, to);
                case String text -> text.isEmpty() ? List.of() : List.of(text);
                default -> throw to.failure("cannot loop over " + TemplateValues.kind(value));
            };
            String key = "for " + loop.name;
            long from = loop.continues ? to.place(key) : bound(loop.offset, 0, "offset", to);
            long most = bound(loop.limit, all.size(), "limit", to);
            int begin = (int) Math.min(from, all.size());
            int end = (int) Math.min(begin + Math.min(most, all.size()), all.size());
            to.place(key, end);
            return all.subList(begin, end);
        }

        private static long bound(@Nullable Expression expression, long usual, String what, Rendering to) {
            return expression == null ? usual : Math.max(0, NumberFilters.integer(expression.value(to), what, to));
        }

        private static List<?> pairs(Map<?, ?> map, Rendering to) {
            to.made(map.size() * 7 * ListFilters.ELEMENT);
            var pairs = new ArrayList<List<@Nullable Object>>();
            map.forEach((key, value) -> pairs.add(Arrays.<@Nullable Object>asList(key, value)));
            return pairs;
        }

        @Override
        public boolean isBlank() {
            return block.isBlank() && (otherwise == null || otherwise.isBlank());
        }
    }
}
