package dev.sheaf.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {
    @ParameterizedTest
    @ValueSource(strings = {"a/b:1.0", "a b", "it's", "a:>=1 <2", "$HOME", "", "a\nb", "'"})
    void aShellReadsTheWordAgain(String word) throws Exception {
        var shell = new ProcessBuilder("/bin/sh", "-c", "printf %s " + ShellWord.of(word)).start();

        assertThat(new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo(word);
    }
}
