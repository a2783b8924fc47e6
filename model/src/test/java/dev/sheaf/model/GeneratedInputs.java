package dev.sheaf.model;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.model.text.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// Runs the targets of a class of fuzz tests without a fuzzer: on the stored inputs of each target, and on a
/// number of seeded variations of them. `make fuzz` lets Jazzer search for more.
public final class GeneratedInputs {
    private static final int CASES = Integer.getInteger("sheaf.inputs", 2_000);
    private static final int MAX_BYTES = 16 << 10;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final List<String> WORDS = List.of(
            "\0",
            "\r\n",
            "\u2028",
            "\uFEFF",
            "\u00e9",
            "e\u0301",
            "\uD83D\uDE00",
            "\\ud800",
            "\\u0000",
            "%",
            "%00",
            "%2e%2e%2f",
            "../",
            "..",
            ".",
            "/",
            ":",
            "@",
            "*",
            "-",
            "--",
            "+",
            "_",
            ",",
            ";",
            " ",
            "\t",
            "\"",
            "\\",
            "{",
            "}",
            "[",
            "]",
            "null",
            "true",
            "-1",
            "0",
            "00",
            "1e999999999",
            "9223372036854775807",
            "9223372036854775808",
            "999999999999999999999999999999",
            "sha256:",
            "sha512:",
            "latest",
            "x",
            "||",
            "^",
            "~",
            ">=",
            "<",
            "bytes=",
            "/*",
            "con",
            "::",
            "::ffff:",
            "0x",
            "=",
            "&",
            "?",
            "#",
            "(",
            ")",
            "é");

    private GeneratedInputs() {}

    /// Returns a test for each target, which is a method with `@FuzzTest` that takes bytes.
    public static Stream<DynamicTest> of(Object targets) {
        return Arrays.stream(targets.getClass().getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(FuzzTest.class))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> run(targets, method)));
    }

    private static void run(Object targets, Method method) throws IOException, URISyntaxException {
        method.setAccessible(true);
        var kept = kept(targets.getClass(), method.getName());
        for (byte[] input : kept) {
            hit(targets, method, input);
        }
        Gen.forAll(CASES, gen -> hit(targets, method, varied(gen, kept)));
    }

    /// Returns the stored inputs, with which Jazzer also starts, and to which it adds what it finds.
    private static List<byte[]> kept(Class<?> type, String name) throws IOException, URISyntaxException {
        var folder = type.getResource(type.getSimpleName() + "Inputs/" + name);
        if (folder == null) {
            throw new IllegalStateException("no inputs are kept for " + type.getSimpleName() + "#" + name);
        }
        var inputs = new ArrayList<byte[]>();
        try (var files = Files.list(Path.of(folder.toURI()))) {
            for (Path file : files.sorted().toList()) {
                inputs.add(Files.readAllBytes(file));
            }
        }
        return inputs;
    }

    private static void hit(Object targets, Method method, byte[] input) {
        long from = System.nanoTime();
        try {
            method.invoke(targets, (Object) input);
        } catch (InvocationTargetException e) {
            throw new AssertionError(shown(method, input), e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        if (System.nanoTime() - from > LONGEST.toNanos()) {
            throw new AssertionError("takes too long: " + shown(method, input));
        }
    }

    private static String shown(Method method, byte[] input) {
        return method.getName() + " on " + Quoted.of(new String(input, StandardCharsets.UTF_8)) + " (" + input.length
                + " bytes: " + HexFormat.of().formatHex(input, 0, Math.min(200, input.length)) + ")";
    }

    private static byte[] varied(Gen gen, List<byte[]> kept) {
        byte[] input = gen.of(kept);
        for (int i = gen.number(1, 6); i > 0; i--) {
            input = once(gen, input, kept);
        }
        return input.length > MAX_BYTES ? Arrays.copyOf(input, MAX_BYTES) : input;
    }

    /// Inserts something at one place, or replaces bytes with it.
    private static byte[] once(Gen gen, byte[] input, List<byte[]> kept) {
        int from = gen.number(0, input.length);
        int end = gen.number(from, Math.min(input.length, from + 40));
        int to = gen.chance(0.5) ? from : end;
        byte[] put = switch (gen.number(0, 5)) {
            case 0 -> new byte[0];
            case 1 -> gen.of(WORDS).getBytes(StandardCharsets.UTF_8);
            case 2 -> gen.of(WORDS).repeat(gen.number(1, 300)).getBytes(StandardCharsets.UTF_8);
            case 3 -> new byte[] {(byte) gen.number(0, 255)};
            case 4 -> gen.anyText(1, 20).getBytes(StandardCharsets.UTF_8);
            default -> gen.of(kept);
        };
        var out = new ByteArrayOutputStream();
        out.write(input, 0, from);
        out.writeBytes(put);
        out.write(input, to, input.length - to);
        return out.toByteArray();
    }
}
