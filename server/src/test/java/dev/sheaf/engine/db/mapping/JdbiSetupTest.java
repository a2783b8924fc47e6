package dev.sheaf.engine.db.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Handle;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JdbiSetupTest {
    private static final Values VALUES = new Values(
            Instant.parse("2030-01-31T12:00:00.123Z"),
            UUID.fromString("01234567-89ab-7def-8123-456789abcdef"),
            Digest.sha256(new byte[] {1}),
            Version.parse("1.2.3-rc.1+b"),
            Namespace.parse("acme"),
            BundleName.parseBundle("java-kit"),
            Handle.parse("acme-org"),
            LogicalPath.parse("a/größe/👍.md"),
            Visibility.PUBLIC,
            AssetType.AGENT_SPEC,
            true);
    private static final Values NOTHING = new Values(null, null, null, null, null, null, null, null, null, null, null);

    /// A column of every type of the vocabulary.
    public record Values(
            @Nullable Instant time,
            @Nullable UUID id,
            @Nullable Digest digest,
            @Nullable Version version,
            @Nullable Namespace namespace,
            @Nullable BundleName bundle,
            @Nullable Handle handle,
            @Nullable LogicalPath path,
            @Nullable Visibility visibility,
            @Nullable AssetType type,
            @Nullable Boolean flag) {}

    @ParameterizedTest
    @EnumSource
    void bringsBackWhatWasStored(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            Values back = database.write(tx -> thereAndBack(tx, VALUES));

            assertThat(back).isEqualTo(VALUES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void bringsBackNullsAsNulls(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            Values back = database.write(tx -> thereAndBack(tx, NOTHING));

            assertThat(back).isEqualTo(NOTHING);
        }
    }

    @ParameterizedTest
    @EnumSource
    void storesTimesAsMillisecondsValuesAsTheirTextAndTrueAsOne(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            String stored = database.write(tx -> {
                thereAndBack(tx, VALUES);
                return tx.one(
                        "SELECT time || ' ' || digest || ' ' || visibility || ' ' || type || ' ' || flag FROM probe",
                        String.class);
            });

            assertThat(stored)
                    .isEqualTo("1896091200123 sha256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"
                            + " public agent_spec 1");
        }
    }

    /// A row whose parts are records of their own, with words and flags.
    public record Asset(
            UUID id, RepositoryName of, Kind kind, @Nullable Boolean executable) {
        enum Kind {
            SKILL
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsAndWritesRecordsInRecordsAndWordsAndFlags(Databases.Kind kind, @TempDir Path folder) {
        var asset = new Asset(UUID.randomUUID(), RepositoryName.parse("acme/notes"), Asset.Kind.SKILL, true);
        try (var database = kind.open(folder, InstantSource.system())) {
            var back = database.write(tx -> {
                tx.handle()
                        .execute("CREATE TEMPORARY TABLE asset_probe (id TEXT, namespace TEXT, bundle TEXT, kind TEXT,"
                                + " executable INTEGER)");
                tx.change("INSERT INTO asset_probe VALUES (:id, :namespace, :bundle, :kind, :executable)", asset);
                return tx.one(
                        "SELECT * FROM asset_probe WHERE kind = 'skill' AND executable = 1 AND bundle = 'notes'",
                        Asset.class);
            });

            assertThat(back).isEqualTo(asset);
        }
    }

    private static Values thereAndBack(Tx tx, Values values) {
        tx.handle()
                .execute(
                        "CREATE TEMPORARY TABLE probe (time BIGINT, id TEXT, digest TEXT, version TEXT,"
                                + " namespace TEXT, bundle TEXT, handle TEXT, path TEXT, visibility TEXT, type TEXT, flag INTEGER)");
        tx.change(
                "INSERT INTO probe VALUES (:time, :id, :digest, :version, :namespace, :bundle, :handle, :path,"
                        + " :visibility, :type, :flag)",
                values);
        return tx.one("SELECT * FROM probe", Values.class);
    }
}
