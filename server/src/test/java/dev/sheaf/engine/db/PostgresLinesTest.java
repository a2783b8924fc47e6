package dev.sheaf.engine.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.program.PgBouncer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("programs")
class PostgresLinesTest {
    @Test
    void aPoolerIsSeenBeforeAnyStatementIsPrepared(@TempDir Path folder) throws Exception {
        var direct = Databases.postgres();
        try (var pooler = PgBouncer.before(direct, folder)) {
            var pooled = Databases.at(pooler.jdbcUrl(), direct.user(), direct.password(), 4);

            assertThat(PostgresLines.isDirect(direct)).isTrue();
            assertThat(PostgresLines.isDirect(pooled)).isFalse();
        }
    }
}
