package dev.sheaf.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// What the service says when it refuses.
public final class Refusals {
    private Refusals() {}

    /// The problem that the call must fail with.
    public static Problem refusal(ThrowingCallable call) {
        var thrown = catchThrowableOfType(ProblemException.class, call);
        assertThat(thrown).as("a refusal").isNotNull();
        return thrown.problem();
    }

    /// The same, of this kind.
    public static <P extends Problem> P refusal(Class<P> kind, ThrowingCallable call) {
        var problem = refusal(call);
        assertThat(problem).isInstanceOf(kind);
        return kind.cast(problem);
    }

    /// Why the credential is refused.
    public static Problem.CredentialFault fault(ThrowingCallable call) {
        return refusal(Problem.Unauthenticated.class, call).fault();
    }
}
