package dev.sheaf.engine.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.engine.cpu.Budget;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Templates of any bytes are rendered, or refused with a line.
class ParsersFuzz {
    private static final Map<String, Object> VARIABLES = Golden.read().variables();

    @FuzzTest
    void template(byte[] data) {
        String source = new String(data, StandardCharsets.UTF_8);
        try {
            String output = Template.parse(source).render(VARIABLES, Golden.CLOCK, Budget.of(Template.TIME));

            assertThat(output.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(Template.MAX_OUTPUT);
        } catch (TemplateException e) {
            assertThat(e).hasMessageStartingWith("line " + e.line() + ": ");
            assertThat(e.line())
                    .isBetween(
                            1, 1 + (int) source.chars().filter(c -> c == '\n').count());
        }
    }
}
