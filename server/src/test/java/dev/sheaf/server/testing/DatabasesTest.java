package dev.sheaf.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatabasesTest {
    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    Path folder;

    @ParameterizedTest
    @EnumSource
    void givesAnEmptyMigratedDatabase(Databases.Kind kind) {
        try (var database = kind.open(folder, InstantSource.system())) {
            int rows = database.read(tx -> tx.handle()
                    .createQuery("SELECT count(*) FROM repository")
                    .mapTo(Integer.class)
                    .one());

            assertThat(rows).isZero();
        }
    }
}
