package dev.sheaf.server.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// Scenarios over HTTP, each run on SQLite with files; with `-Dsheaf.stacks=all` also on PostgreSQL with a bucket, and
/// by `make test-rest` only there, unless `make test` left them out ([TestRun]). One node a class and stack; scenarios
/// keep apart by namespace.
@ParameterizedClass(allowZeroInvocations = true)
@ArgumentsSource(OnEveryStack.Stacks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("stacks")
public abstract class OnEveryStack {
    @Parameter
    private Stack stack;

    /// Which stacks a run has.
    static final class Stacks implements ArgumentsProvider {
        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            var scenario = context.getRequiredTestClass();
            boolean isNew = !TestRun.isRest() || TestRun.wasLeftOut(scenario);
            boolean isOne = !Databases.allStacks() || scenario.isAnnotationPresent(OneStack.class);
            return Stream.concat(
                    isNew ? Stream.of(Arguments.of(Stack.SQLITE)) : Stream.of(),
                    isOne ? Stream.of() : Stream.of(Arguments.of(Stack.POSTGRES_AND_BUCKET)));
        }
    }

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private TestApp app;

    @BeforeParameterizedClassInvocation(injectArguments = false)
    public void start(@TempDir Path folder) {
        now.set(Instant.now()); // what others sign would else be of the future, where the stack before took long
        app = TestApp.start(stack, folder, now::get, settings());
        prepare();
    }

    @AfterParameterizedClassInvocation(injectArguments = false)
    public void stop() {
        app.close();
    }

    /// Settings other than the defaults.
    public Map<String, String> settings() {
        return Map.of();
    }

    /// Makes what all scenarios of a stack begin with, once its node is up. The instance is the same for every
    /// stack.
    public void prepare() {}

    /// What the node stands on.
    public Stack stack() {
        return stack;
    }

    public TestApp app() {
        return app;
    }

    /// The path of a bundle.
    ///
    /// @param repository such as `acme/notes`
    public static String bundle(String repository) {
        var parts = repository.split("/");
        return "/v1/namespaces/" + parts[0] + "/bundles/" + parts[1];
    }

    /// The service's time.
    public Instant instant() {
        return now.get();
    }

    /// Lets time pass for the service.
    public void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }
}
