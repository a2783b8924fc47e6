package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.ByteRange;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What the OCI registry reads, on any bytes.
class ParsersFuzz {
    private static final long SIZE = 1_000;

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    private static void refusable(Runnable attack) {
        try {
            attack.run();
        } catch (ProblemException e) {
            assertThat(e.problem().detail()).isNotBlank();
        }
    }

    @FuzzTest
    void manifest(byte[] data) {
        refusable(() -> {
            var outline = ManifestJson.read(data, null);
            var document = ManifestDocument.of(Digest.Algorithm.SHA256, data, outline);
            assertThat(document.digest()).isEqualTo(Digest.sha256(data));
            assertThat(document.layers().isEmpty() || document.manifests().isEmpty())
                    .as("read as one type")
                    .isTrue();
            assertThat(document.layers()).allMatch(layer -> layer.size() >= 0);
        });
    }

    @FuzzTest
    void config(byte[] data) {
        refusable(() -> assertThat(PushedConfig.read(data).name()).doesNotContain("\0"));
    }

    @FuzzTest
    void form(byte[] data) {
        refusable(() -> assertThat(FormFields.parse(text(data)).first("scope").orElse("x"))
                .isNotEmpty());
    }

    @FuzzTest
    void scopes(byte[] data) {
        var union = TokenScope.union(List.of(text(data)));
        assertThat(union.size()).isLessThanOrEqualTo(data.length);
        TokenScope.holdsCatalog(List.of(text(data)));
    }

    @FuzzTest
    void byteRange(byte[] data) {
        refusable(() -> ByteRange.of(text(data), SIZE).ifPresent(range -> {
            assertThat(range.from()).isBetween(0L, SIZE - 1);
            assertThat(range.count()).isBetween(1L, SIZE - range.from());
        }));
    }

    @FuzzTest
    void contentRange(byte[] data) {
        refusable(() -> {
            var chunk = ContentRange.chunk(text(data), null, InputStream.nullInputStream());
            assertThat(chunk.start()).isNotNegative();
            assertThat(chunk.length()).isNotNegative();
        });
    }

    @FuzzTest
    void pageSize(byte[] data) {
        refusable(() -> assertThat(PageSize.count(text(data))).isBetween(0, 10_000));
    }
}
