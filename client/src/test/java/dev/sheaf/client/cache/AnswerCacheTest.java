package dev.sheaf.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.cache.AnswerCache.Kept;
import dev.sheaf.client.cache.AnswerCache.Question;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerCacheTest {
    private static final Question QUESTION = new Question(Reference.parse("acme/kit:1.0.0"));

    @TempDir
    private Path folder;

    private static Kept answer(int depth) {
        String json = "{\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
        return Kept.of(Instant.EPOCH, "\"x\"", WireJson.document(json.getBytes(StandardCharsets.UTF_8), "Resolution"));
    }

    /// What is kept is nested one level deeper than what was sent.
    @Test
    void anAnswerAsDeepAsAllowedIsUsedButNotKept() throws IOException {
        var answers = new AnswerCache(folder, RegistryUrl.parse("https://registry.example.org"), () -> "me");

        answers.remember(QUESTION, answer(499));
        assertThat(answers.find(QUESTION)).isEmpty();

        answers.remember(QUESTION, answer(498));
        assertThat(answers.find(QUESTION).orElseThrow().document())
                .isEqualTo(answer(498).document());
    }
}
