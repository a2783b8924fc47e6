package dev.sheaf.engine.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sheaf.engine.cpu.Budget;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TemplateTest {
    private static final Map<String, Object> VARIABLES = Golden.read().variables();

    private static List<Golden.Pair> pairs() {
        return Golden.read().pairs();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void rendersAsOthersDo(Golden.Pair pair) {
        assertThat(Golden.rendered(pair.template(), VARIABLES)).isEqualTo(pair.output());
    }

    /// What others leave open, or do in another way.
    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            {{ input.missing | default: "d" }} ~ d
            {{ input.missing | default: input.more | default: "e" }} ~ e
            {{ input.map | json }} {{ input.map }} ~ {"x":1,"y":"two"} {"x":1,"y":"two"}
            {{ "now" | date: "%F %T" }} {{ 86400 | date: "%F" }} {{ "86400" | date: "%F" }} ~ 2026-11-23 10:00:00 1970-01-02 1970-01-02
            {{ input.nums | sum }} {{ input.items | sum: "size" }} ~ 16.5 6
            {% if input.blank == blank %}b{% endif %}{% if input.n == blank %}n{% endif %}{% if input.no == blank %}f{% endif %} ~ bf
            {% for x in input.missing %}x{% else %}none{% endfor %} ~ none
            {% if false %}{% assign late = 1 %}{% endif %}{% if late %}a{% else %}b{% endif %} ~ b
            {% case input.missing %}{% when 1 %}a{% else %}b{% endcase %} ~ b
            {% comment %}{% comment %}a{% endcomment %} don't {% endcomment %}b ~ b
            {% comment %}{{ "{% endcomment %}b ~ b
            {% for i in (1..2) %}{{ forloop | json }}{% break %}{% endfor %} ~ {"name":"i-(1..2)","length":2,"index":1,"index0":0,"rindex":2,"rindex0":1,"first":true,"last":false}
            {{ 1 | divided_by: 3.0 }} {{ "7" | modulo: 4 }} ~ 0.3333333333333333 3
            {{ 100000000000000000000.5 }} {{ 0.00001 }} ~ 100000000000000000000.0 0.000010
            """)
    void hasRulesOfItsOwn(String template, String output) {
        assertThat(Golden.rendered(template, VARIABLES)).isEqualTo(output);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            `a
            {{ inptu.x }}` ~ line 2: unknown variable "inptu"; the known variables are input, job
            `

            {{ input.missing }}` ~ line 3: "input.missing" has no value; where it may be missing, write {% if input.missing %} or {{ input.missing | default: "..." }}
            {{ input.items[9].title }} ~ line 1: "input.items[9].title" has no value
            {{ input.job }} ~ line 1: "input.job" has no value (did you mean "job"?); where it may be missing
            {{ input.nam }} ~ line 1: "input.nam" has no value (did you mean "input.name"?); where it may be missing
            {{ input.name.length }} ~ line 1: "input.name.length" has no value
            {{ input.missing | upcase | default: "x" }} ~ line 1: "input.missing" has no value
            {% if inptu %}{% endif %} ~ line 1: unknown variable "inptu"
            {% for x in input.missing %}{% endfor %} ~ line 1: "input.missing" has no value
            {% for x in input.n %}{% endfor %} ~ line 1: cannot loop over a number
            {{ x }}{% assign x = 1 %} ~ line 1: "x" has no value
            {{ forloop.index }} ~ line 1: unknown variable "forloop"
            {% if input.n > "a" %}{% endif %} ~ line 1: cannot compare a number with text by >
            {{ "a" | plus: 1 }} ~ line 1: plus needs a number, but this is the text "a"
            {{ 9223372036854775807 | plus: 1 }} ~ line 1: plus gives a number that is too large
            {{ 1 | divided_by: 0 }} ~ line 1: divided_by cannot divide by zero
            {{ 5 | modulo: 0.0 }} ~ line 1: modulo cannot divide by zero
            {{ input.tags | map: "x" }} ~ line 1: map needs a list of objects, but one element is text
            {{ input.nums | concat: input.tags | sort }} ~ line 1: cannot compare
            {{ input.tags | slice: "x" }} ~ line 1: slice needs a whole number, but this is text (x)
            {{ "yesterday" | date: "%F" }} ~ line 1: date cannot read "yesterday"; use seconds since 1970, now, 2026-11-23 or 2026-11-23T10:00:00Z
            {{ "now" | date: "%Q" }} ~ line 1: date does not know %Q
            {{ "now" | date: "%999Y" }} ~ line 1: date cannot read the format %999Y
            """)
    void saysWhatIsWrongWithAValue(String template, String message) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Golden.rendered(template, VARIABLES))
                .satisfies(e -> assertThat(e.getMessage()).startsWith(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            {{ a | shout }} ~ line 1: unknown filter "shout"
            {{ a | append }} ~ line 1: the filter append takes 1 argument, but has 0
            {{ a | join: 1, 2 }} ~ line 1: the filter join takes 0 to 1 argument, but has 2
            {{ a | join: allow_false: true }} ~ line 1: the filter join does not take the argument "allow_false"
            `
            {% blink %}` ~ line 2: unknown tag "blink"
            {% include "a" %} ~ line 1: the tag include cannot be used here
            {% render "a" %} ~ line 1: the tag render cannot be used here
            {% layout "a" %} ~ line 1: the tag layout cannot be used here
            {% tablerow a in b %}{% endtablerow %} ~ line 1: the tag tablerow cannot be used here
            {% if a %} ~ line 1: if has no endif
            `{% for a in b %}
            {% endif %}` ~ line 2: unexpected endif: the for of line 1 is still open
            {% else %} ~ line 1: unexpected else outside of any block
            `{% liquid
              assign a = 1
              bad
            %}` ~ line 3: unknown tag "bad"
            {{ a ~ line 1: an output begins with {{ but has no }}
            {% if a ~ line 1: a tag begins with {% but has no %}
            {{ a b }} ~ line 1: unexpected b in an output
            {{ "a }} ~ line 1: a text begins with " but has no end: "a
            {{ a.b[1 }} ~ line 1: expected ] after [, found the end
            {{ a | }} ~ line 1: expected the name of a filter, found the end
            {{ $ }} ~ line 1: unexpected character $ in $
            {% assign = 1 %} ~ line 1: expected a name after assign, found =
            {% for a on b %}{% endfor %} ~ line 1: expected in after for a, found on
            {% for a in b sideways %}{% endfor %} ~ line 1: for takes reversed, limit: and offset:, but not sideways
            {% if a | size > 1 %}{% endif %} ~ line 1: a filter cannot be used in if; assign its result to a variable first
            {% for a in b | sort %}{% endfor %} ~ line 1: a filter cannot be used in for; assign its result to a variable first
            {% if a == %}{% endif %} ~ line 1: expected a value, found the end
            {% raw %} ~ line 1: raw has no endraw
            {% comment %} ~ line 1: comment has no endcomment
            {{ 99999999999999999999 }} ~ line 1: the number 99999999999999999999 is too large
            """)
    void saysWhatIsWrongWithATemplate(String template, String message) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Template.parse(template))
                .withMessage(message);
    }

    @Test
    void writesJson() {
        var texts =
                Map.of("v", Arrays.<Object>asList("a\"\\\n\t\u0001é😀", null, 1, 2.5, true, Map.of("k", List.of())));

        assertThat(Golden.rendered("{{ v | json }}", texts))
                .isEqualTo("[\"a\\\"\\\\\\n\\t\\u0001é😀\",null,1,2.5,true,{\"k\":[]}]");
    }

    @Test
    void takesNumbersOfAnyJsonReader() {
        var numbers = Arrays.<Object>asList(
                1, (short) 2, 3L, BigInteger.TEN.pow(30), new BigDecimal("1.50"), 2.5f, 1e10, new BigInteger("7"));

        assertThat(Golden.rendered("{{ n | join: ' ' }} {{ n[7] | plus: 1 }}", Map.of("n", numbers)))
                .isEqualTo("1 2 3 1000000000000000000000000000000 1.5 2.5 10000000000.0 7 8");
    }

    @Test
    void manyThreadsRenderOneTemplate() {
        var template = Template.parse("{% for i in (1..50) %}{% increment c %}{% cycle 'a', 'b' %}{% endfor %}{{ v }}");
        String alone = template.render(Map.of("v", 0), Golden.CLOCK, Budget.of(Template.TIME));

        var all = IntStream.range(0, 200)
                .parallel()
                .mapToObj(i -> template.render(Map.of("v", 0), Golden.CLOCK, Budget.of(Template.TIME)))
                .distinct();

        assertThat(all).containsExactly(alone);
    }
}
