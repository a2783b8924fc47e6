package dev.sheaf.engine.db.pipeline;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// The result of a statement that may not have been sent yet. Bound to its transaction and thread.
public interface PipelineAnswer<T> {
    /// Returns the result. Sends the statement first if it is still waiting, together with all other waiting
    /// ones.
    T get();

    /// Passes the result to `next` as soon as it is available, at the latest before the transaction writes its
    /// sums and commits.
    void then(Consumer<? super T> next);

    /// Returns the answer in another form, converted at each use.
    default <U> PipelineAnswer<U> map(Function<? super T, ? extends U> form) {
        var whole = this;
        return new PipelineAnswer<>() {
            @Override
            public U get() {
                return form.apply(whole.get());
            }

            @Override
            public void then(Consumer<? super U> next) {
                whole.then(result -> next.accept(form.apply(result)));
            }
        };
    }

    /// Returns the answer that is known already.
    static <T> PipelineAnswer<T> of(T known) {
        return new PipelineAnswer<>() {
            @Override
            public T get() {
                return known;
            }

            @Override
            public void then(Consumer<? super T> next) {
                next.accept(known);
            }
        };
    }

    /// Returns one answer with all rows. The last of the statements is the last to be sent.
    static <T> PipelineAnswer<List<T>> ofAll(List<PipelineAnswer<List<T>>> answers) {
        return answers.isEmpty()
                ? of(List.of())
                : answers.getLast()
                        .map(last -> answers.stream()
                                .flatMap(answer -> answer.get().stream())
                                .toList());
    }
}
