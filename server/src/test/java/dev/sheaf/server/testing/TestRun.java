package dev.sheaf.server.testing;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/// What a run is for. `make test` runs what needs no other program and is not slow, on SQLite with files, without a
/// browser. `make test-rest` (`-Dsheaf.run=rest`) runs the rest, so that together they run everything once.
public final class TestRun {
    private static final Set<String> LEFT_OUT = Set.of("slow", "programs");

    private TestRun() {}

    public static boolean isRest() {
        return "rest".equals(System.getProperty("sheaf.run"));
    }

    /// Whether `make test` leaves the class out, or one of its tests.
    public static boolean wasLeftOut(Class<?> tests) {
        return Stream.concat(Stream.of(tests), Arrays.stream(tests.getDeclaredMethods()))
                .flatMap(element -> Arrays.stream(element.getAnnotationsByType(Tag.class)))
                .anyMatch(tag -> LEFT_OUT.contains(tag.value()));
    }
}
