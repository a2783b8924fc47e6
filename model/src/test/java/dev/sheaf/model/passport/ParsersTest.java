package dev.sheaf.model.passport;

import dev.sheaf.model.GeneratedInputs;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ParsersTest {
    @TestFactory
    Stream<DynamicTest> everyFileHasAPassport() {
        return GeneratedInputs.of(new ParsersFuzz());
    }
}
