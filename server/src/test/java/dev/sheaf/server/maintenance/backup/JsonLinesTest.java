package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {
    @Test
    void anEndlessLineIsNotReadToItsEnd(@TempDir Path folder) throws Exception {
        Path endless =
                Files.writeString(folder.resolve("rows"), "{\"a\": \"" + "x".repeat(JsonLines.MAX_LINE) + "\"}\n");

        assertThatThrownBy(() -> JsonLines.read(endless, row -> {})).hasMessageContaining("a line longer than");
    }
}
