package dev.sheaf.model.plugin;

import dev.sheaf.model.GeneratedInputs;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ParsersTest {
    @TestFactory
    Stream<DynamicTest> everyParserTakesAnyBytes() {
        return GeneratedInputs.of(new ParsersFuzz());
    }
}
