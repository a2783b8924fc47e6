package dev.sheaf.server.org.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyExpiryTest {
    @ParameterizedTest
    @EnumSource(Databases.Kind.class)
    void ofNodesThatFindTheSameKeyOneTells(Databases.Kind kind, @TempDir Path folder) {
        try (Database database = kind.open(folder, InstantSource.system())) {
            database.write(tx -> {
                tx.handle()
                        .execute(
                                "INSERT INTO organization (id, handle, name, created_at) VALUES ('00000000-0000-0000-0000-00000000000f', 'o', 'o', 0)");
                return tx.handle()
                        .execute("""
                        INSERT INTO api_key (id, organization_id, name, scopes, hint, secret_hash, pepper, created_at,
                                             expires_at)
                        VALUES ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-00000000000f', 'k', 'read', 'h', 's', 1, 0, ?)
                        """, tx.now().plus(Duration.ofDays(2)).toEpochMilli());
            });
            var one = database.read(tx -> KeyExpiryRows.due(tx, 10));
            var other = database.read(tx -> KeyExpiryRows.due(tx, 10));
            assertThat(one).hasSize(1).isEqualTo(other);

            assertThat(database.<Boolean>write(tx -> KeyExpiryRows.told(tx, one.getFirst())))
                    .isTrue();
            assertThat(database.<Boolean>write(tx -> KeyExpiryRows.told(tx, other.getFirst())))
                    .isFalse();
        }
    }
}
