package dev.sheaf.engine.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.cpu.OverBudgetException;
import dev.sheaf.server.testing.Cost;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Templates by people who mean harm end within the bounds, and say why.
class HostileTemplateTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MOST_MEMORY = 200 << 20; // allocated in all, of which little is held at a time
    private static final String LONG = "a".repeat(200_000);
    private static final Map<String, Object> VARIABLES = Map.of(
            "long", LONG,
            "list", Collections.nCopies(20_000, "x"),
            "lists", List.of(Collections.nCopies(20_000, "x")),
            "object", Map.of("k", LONG),
            "objects", Collections.nCopies(20_000, Map.of("k", LONG)));

    record Attack(String template, String reason) {
        @Override
        public String toString() {
            return TagWords.shorten(template);
        }
    }

    private static String twice(String name, String body, int times) {
        return "{% assign " + name + " = " + body + " %}"
                + ("{% assign " + name + " = " + name + " | " + (body.startsWith("\"") ? "append" : "concat") + ": "
                                + name + " %}")
                        .repeat(times);
    }

    private static String within(int loops, String body) {
        return "{% for i in (1..100000) %}".repeat(loops) + body + "{% endfor %}".repeat(loops);
    }

    private static Stream<Attack> attacks() {
        return Stream.of(
                new Attack(within(2, ""), "all loops together run more than 100000 times, the limit"),
                new Attack(within(5, "x"), "all loops together run more than 100000 times, the limit"),
                new Attack("{% for i in (1..1000000000) %}{% endfor %}", "has more than 100000 numbers"),
                new Attack("{% for i in (-9223372036854775807..9223372036854775807) %}{% endfor %}", "has more than"),
                new Attack("{{ (1..99999999) | join }}", "has more than 100000 numbers"),
                new Attack(within(1, "0123456789ab"), "the output is larger than 1024 KiB"),
                new Attack("{{ long }}".repeat(6), "the output is larger than 1024 KiB"),
                new Attack(within(1, "{{ 'ééééé' }}{{ 'é' }}"), "the output is larger than 1024 KiB"),
                new Attack(twice("a", "\"0123456789\"", 30), "what append gives is larger than 1024 KiB"),
                new Attack(twice("a", "list", 30), "take too much memory"),
                new Attack("{% assign a = lists %}" + twice("a", "a", 12) + "{{ a | json }}", "take too much memory"),
                new Attack("{% assign a = lists %}" + twice("a", "a", 12) + "{{ a | join }}", "take too much memory"),
                new Attack(
                        "{% capture a %}x{% endcapture %}" + within(1, "{% capture a %}{{ a }}{{ a }}{% endcapture %}"),
                        "a captured text is larger than 1024 KiB"),
                new Attack(within(1, "{% capture a %}{{ long }}{% endcapture %}"), "take too much memory"),
                new Attack(within(1, "{% assign a = long | upcase %}"), "take too much memory"));
    }

    private static Stream<Attack> attacksByFilters() {
        return Stream.of(
                new Attack("{{ long | replace: 'a', long }}", "what replace gives is larger than 1024 KiB"),
                new Attack("{{ long | replace: '', long }}", "what replace gives is larger than 1024 KiB"),
                new Attack("{{ list | join: long }}", "a joined text is larger than 1024 KiB"),
                new Attack("{{ objects | json }}", "a JSON text is larger than 1024 KiB"),
                new Attack("{{ object[objects] }}", "\"object[objects]\" has no value"),
                new Attack("{{ objects | map: objects | compact | join }}{{ x }}", "unknown variable \"x\""),
                new Attack("{% if object contains objects %}{% endif %}{{ x }}", "unknown variable \"x\""),
                new Attack("{{ objects }}", "a joined text is larger than 1024 KiB"),
                new Attack("{{ long | append: long | append: long | newline_to_br | escape | split: '' }}", "memory"),
                new Attack(within(1, "{% assign a = long | split: '' %}"), "take too much memory"),
                new Attack(within(1, "{% assign a = list | sort %}"), "take too much memory"),
                new Attack(within(1, "{% assign a = list | uniq | size %}"), "take too much memory"),
                new Attack(
                        "{% assign a = 9 %}" + "{% assign a = a | times: a %}".repeat(10),
                        "times gives a number that is too large"),
                new Attack("{% assign a = 9.9 %}" + "{% assign a = a | times: a %}".repeat(20), "too large"),
                new Attack("{{ 'now' | date: long }}".repeat(6), "the output is larger than 1024 KiB"),
                new Attack("{{ 99999999999999999 | date: '%Y' }}", "date cannot read"),
                new Attack(within(1, "{% cycle i: long, long %}"), "the output is larger than 1024 KiB"));
    }

    @ParameterizedTest
    @MethodSource({"attacks", "attacksByFilters"})
    void endsWithinTheBounds(Attack attack) {
        long before = THREADS.getCurrentThreadAllocatedBytes();

        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> rendered(attack.template(), Duration.ofMinutes(1)))
                .satisfies(
                        e -> assertThat(e.getMessage()).startsWith("line 1: ").contains(attack.reason()));
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_MEMORY);
    }

    private static String rendered(String template, Duration time) {
        return Template.parse(template).render(VARIABLES, Golden.CLOCK, Budget.of(time));
    }

    /// What no count stops the time does: small steps, and single ones that take long.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% if long contains needle %}{% endif %}",
                "{% if objects == others %}{% endif %}",
                "{% if list contains 'y' %}{% endif %}",
            })
    void endsInTime(String body) {
        var variables = Map.of(
                "long",
                LONG,
                "needle",
                "a".repeat(1_000) + "b",
                "list",
                new ArrayList<>(Collections.nCopies(5_000, "x")),
                "objects",
                Collections.nCopies(1_000, Map.of("k", LONG)),
                "others",
                Collections.nCopies(1_000, Map.of("k", LONG.substring(1) + "a")));
        var template = Template.parse("\n" + within(1, body));
        long before = THREADS.getCurrentThreadCpuTime();

        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> template.render(variables, Golden.CLOCK, Budget.of(Duration.ofMillis(300))))
                .withMessage("line 2: rendering takes too long; make its loops shorter");
        assertThat(THREADS.getCurrentThreadCpuTime() - before)
                .isLessThan(Duration.ofMillis(600).toNanos());
    }

    @Test
    void endsWhereNobodyWaits() {
        var budget = Budget.of(Template.TIME);
        budget.cancel();

        assertThatExceptionOfType(OverBudgetException.class)
                .isThrownBy(() -> Template.parse("a").render(Map.of(), Golden.CLOCK, budget));
    }

    /// A search for a long text in a long one takes time by their sum. By their product it is a minute.
    @Test
    void searchesInProportion() {
        var variables = Map.of("text", "a".repeat(900_000), "part", "a".repeat(400_000) + "b");

        for (String use : List.of(
                "{% if text contains part %}{% endif %}",
                "{{ text | replace: part, '' | size }}",
                "{{ text | remove_last: part | size }}",
                "{{ text | split: part | size }}")) {
            var budget = Budget.of(Template.TIME);
            Template.parse(use).render(variables, Golden.CLOCK, budget);
            assertThat(budget.steps()).as(use).isLessThan(5_000);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ input.class }}",
                "{{ input.getClass }}",
                "{{ input['class'] }}",
                "{{ input.list.class.forName }}",
                "{{ input.text.bytes }}",
                "{{ input.map.keySet }}",
                "{{ input.map.entrySet.first }}",
                "{{ input.list.length }}",
                "{{ input.number.class }}",
                "{{ input.__proto__ }}",
                "{{ input.constructor }}",
            })
    void noNameReachesAnObject(String template) {
        Map<String, Object> input = Map.of("list", List.of(1), "text", "t", "map", Map.of("k", 1), "number", 1);

        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Golden.rendered(template, Map.of("input", input)))
                .satisfies(e -> assertThat(e.getMessage()).contains("has no value"));
    }

    @Test
    void takesNoObjects() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.rendered("", Map.of("input", Map.of("path", java.nio.file.Path.of("/")))));
    }

    @Test
    void takesNoDeepValues() {
        Object deep = "x";
        for (int i = 0; i < 100_000; i++) {
            deep = List.of(deep);
        }
        var variables = Map.of("deep", deep);

        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Golden.rendered("{{ deep }}", variables))
                .withMessage("line 1: the variables are nested deeper than 100");
    }

    private static Stream<Attack> unreadable() {
        return Stream.of(
                new Attack("{% if a %}".repeat(6_000), "blocks are nested deeper than 50"),
                new Attack("{% for a in b %}{% unless a %}{% capture c %}".repeat(1_000), "blocks are nested deeper"),
                new Attack("{{ " + "a[".repeat(30_000) + " }}", "brackets are nested deeper than 50"),
                new Attack("{{ " + "(".repeat(60_000) + " }}", "brackets are nested deeper than 50"),
                new Attack("{% if a" + " or a".repeat(10_000) + " %}{% endif %}", "more than 50 conditions in one tag"),
                new Attack("a".repeat(70_000), "the template is larger than 64 KiB"),
                new Attack("é".repeat(40_000), "the template is larger than 64 KiB"),
                new Attack("{% comment %}".repeat(5_000), "comment has no endcomment"),
                new Attack("{% raw %}" + "{%".repeat(30_000), "raw has no endraw"),
                new Attack("{{ \"" + "'".repeat(60_000) + " }}", "a text begins with \" but has no end"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void isNotRead(Attack attack) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Template.parse(attack.template()))
                .satisfies(e ->
                        assertThat(e.getMessage()).contains(attack.reason()).hasSizeLessThan(300));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "{",
                "{{",
                "{%",
                "{%-",
                "{{-}}",
                "{{a}}",
                "{{ a | append: 'b' }}",
                "{% if a %}{% endif %}",
                "{% comment %}",
                "{% raw %}",
                "{% raw",
                "{% liquid\nassign a = 1\n",
                "{% assign a = b[0] %}",
                "-%}",
                "\n"
            })
    void readingTakesTimeByLength(String part) {
        Cost.growsAtMostWithItsInput(
                part, 8 << 10, Template.MAX_SOURCE, length -> part.repeat(length / part.length()), text -> {
                    for (int i = 0; i < 5; i++) {
                        try {
                            Template.parse(text);
                        } catch (TemplateException e) {
                            assertThat(e).hasMessageStartingWith("line ");
                        }
                    }
                });
    }

    @Test
    void theOutputMayBeAsLargeAsItMayBe() {
        String whole = Template.parse("{{ a }}{{ a }}é")
                .render(Map.of("a", "x".repeat((Template.MAX_OUTPUT - 2) / 2)), Golden.CLOCK, Budget.of(Template.TIME));

        assertThat(whole.getBytes(StandardCharsets.UTF_8)).hasSize(Template.MAX_OUTPUT);
    }

    /// The pool ends it after its second of a processor; meanwhile somebody else has theirs rendered.
    @Test
    void aNeighbourIsServed() throws Exception {
        try (var pool = new CpuPool(2);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var endless = Template.parse(within(1, "{% if list contains 'y' %}{% endif %}"));
            var hostile = new ArrayList<Future<String>>();
            for (int i = 0; i < 2; i++) {
                hostile.add(threads.submit(() -> CpuPool.onAccountOf(() -> "hostile", () -> run(pool, endless))));
            }

            String mine = CpuPool.onAccountOf(() -> "me", () -> run(pool, Template.parse("{{ list.size }}")));

            assertThat(mine).isEqualTo("20000");
            for (var each : hostile) {
                assertThat(each.get()).startsWith("line 1: rendering takes too long");
            }
        }
    }

    private static String run(CpuPool pool, Template template) {
        try {
            return pool.run(Template.TIME, budget -> template.render(VARIABLES, Golden.CLOCK, budget));
        } catch (TemplateException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
