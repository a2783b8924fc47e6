package dev.sheaf.engine.template;

import dev.sheaf.model.GeneratedInputs;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ParsersTest {
    @TestFactory
    Stream<DynamicTest> takeAnything() {
        return GeneratedInputs.of(new ParsersFuzz());
    }
}
