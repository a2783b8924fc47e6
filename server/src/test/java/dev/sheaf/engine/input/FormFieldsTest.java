package dev.sheaf.engine.input;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Problem;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FormFieldsTest {
    private static String fields(int count) {
        return IntStream.range(0, count).mapToObj(i -> "f" + i + "=v").collect(Collectors.joining("&"));
    }

    @Test
    void readsFieldsThatAreSentMoreThanOnce() {
        var form = FormFields.parse("a=1&b=%C3%A4+x&a=&a=2&c");

        assertThat(form.all("a")).containsExactly("1", "", "2");
        assertThat(form.first("b")).contains("ä x");
        assertThat(form.first("c")).isEmpty();
    }

    @Test
    void refusesTooManyFieldsWithoutReadingAny() {
        assertThat(FormFields.parse(fields(FormFields.MAX_FIELDS)).fields()).hasSize(FormFields.MAX_FIELDS);

        for (String over :
                new String[] {fields(FormFields.MAX_FIELDS + 1), "%zz&" + fields(260_000), "&".repeat(1 << 20)}) {
            assertThat(refusal(() -> FormFields.parse(over)))
                    .isEqualTo(new Problem.PayloadTooLarge("the form", FormFields.MAX_FIELDS, "fields"));
        }
    }
}
