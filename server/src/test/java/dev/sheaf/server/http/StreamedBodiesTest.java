package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Answer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Answers whose bodies are written in pieces of any size, as a bucket returns them.
@Timeout(100)
class StreamedBodiesTest {
    @TempDir
    private Path folder;

    @Test
    void everyByteArrivesHoweverItWasWritten() throws Exception {
        try (var server = TinyServer.get(folder, "/seeds/{seed}", call -> {
            var random = new Random(Long.parseLong(call.parameter("seed")));
            String text = text(random);
            return Answer.content(200, "text/plain", random.nextBoolean() ? text.length() : -1, out -> {
                byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
                for (int done = 0; done < bytes.length; ) {
                    int piece = Math.min(bytes.length - done, 1 + random.nextInt(1 << random.nextInt(6, 17)));
                    out.write(bytes, done, piece);
                    done += piece;
                }
            });
        })) {
            for (int seed = 0; seed < 500; seed++) {
                assertThat(server.get("/seeds/" + seed).body())
                        .as("seed %d", seed)
                        .isEqualTo(text(new Random(seed)));
            }
        }
    }

    private static String text(Random random) {
        int length = 1 + random.nextInt(1 << random.nextInt(8, 18));
        return random.ints(length, 'a', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
