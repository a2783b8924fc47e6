package dev.sheaf.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/// What clients of the Model Context Protocol send, on any bytes.
class ParsersFuzz {
    @FuzzTest
    void skillUri(byte[] data) {
        try {
            var uri = SkillUri.parse(new String(data, StandardCharsets.UTF_8));
            assertThat(SkillUri.parse(uri.toString())).isEqualTo(uri);
        } catch (RpcError e) {
            assertThat(e.code()).isEqualTo(RpcError.WRONG_PARAMS);
            assertThat(e.words()).hasSizeLessThan(1_500);
        }
    }

    /// What is taken can be sent back.
    @FuzzTest
    void message(byte[] data) {
        try {
            var message = RpcMessage.of(RpcMessage.read(data));
            if (message.id() instanceof JsonNode id) {
                assertThat(Json.write(id)).hasSizeLessThan(2_000);
            }
            assertThat(Json.write(message.unknown(200).words())).isNotEmpty();
        } catch (RpcError e) {
            assertThat(e.code()).isIn(RpcError.NO_JSON, RpcError.NO_MESSAGE);
            assertThat(Json.write(e.words())).isNotEmpty();
        }
    }
}
