package dev.sheaf.server.skill.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SkillArchiveTest {
    private final CpuPool cpu = new CpuPool(2);

    @AfterEach
    void stop() {
        cpu.close();
    }

    /// Files in memory.
    private record Files(Map<String, byte[]> bytes) implements FileContents {
        @Override
        public void writeTo(ArchiveFile file, OutputStream out) throws IOException {
            byte[] all = Objects.requireNonNull(bytes.get(file.path()));
            int half = all.length / 2; // as a store hands it over: in pieces
            out.write(all, 0, half);
            out.write(all, half, all.length - half);
        }

        List<ArchiveFile> list() {
            var list = new ArrayList<ArchiveFile>();
            bytes.forEach((path, all) ->
                    list.add(new ArchiveFile(path, path.endsWith(".sh"), Digest.sha256(all), all.length)));
            return list;
        }

        byte[] written(SkillArchive archive, CpuPool cpu) throws IOException {
            var facts = archive.derive(this, cpu);
            byte[] bytes = archive.bytes(facts, this);
            assertThat(facts.digest()).isEqualTo(Digest.sha256(bytes));
            assertThat(facts.size()).isEqualTo(bytes.length).isEqualTo(archive.length());
            return bytes;
        }
    }

    private static Files files(Object... pathsAndTexts) {
        var bytes = new TreeMap<String, byte[]>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            bytes.put((String) pathsAndTexts[i], ((String) pathsAndTexts[i + 1]).getBytes(StandardCharsets.UTF_8));
        }
        return new Files(bytes);
    }

    /// What programs have noted must hold for ever: where this fails, the form has changed, which it must not.
    @Test
    void theBytesAreTheseForEver() throws Exception {
        var files = files("SKILL.md", "# Skill\n", "run.sh", "#!/bin/sh\n", "été/一覧.csv", "", "z", "z".repeat(70_000));

        var tar = SkillArchive.of(ArchiveForm.TAR_GZ, files.list());
        var zip = SkillArchive.of(ArchiveForm.ZIP, files.list());

        assertThat(Digest.sha256(files.written(tar, cpu)))
                .hasToString("sha256:c88a2051a3105886d0be4b0f25fc217bf14def5ba231eff7abe19c7f1da13cb0");
        assertThat(Digest.sha256(files.written(zip, cpu)))
                .hasToString("sha256:d5903bc5e58b0cbb5f77a2a805a4b2fe2c572667af5ef3b70cdcf2ff8e6389df");
        assertThat(SkillArchive.of(ArchiveForm.TAR_GZ, files.list().reversed()).key())
                .as("whatever the order")
                .isEqualTo(tar.key());
        assertThat(zip.key()).isNotEqualTo(tar.key());
    }

    /// Around the ends of blocks, of buffers, and of records of the tar archive.
    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 1, 511, 512, 513, 63_994, 63_995, 63_996, 65_531, 129_525, 129_526, 130_561, 131_072, 600_000,
                1_200_001
            })
    void everySizeComesBack(int size) throws Exception {
        var content = new byte[size];
        new Random(size).nextBytes(content);
        var files = new Files(new TreeMap<>(Map.of("SKILL.md", content, "a", new byte[] {1})));

        byte[] tar = files.written(SkillArchive.of(ArchiveForm.TAR_GZ, files.list()), cpu);
        byte[] zip = files.written(SkillArchive.of(ArchiveForm.ZIP, files.list()), cpu);

        byte[] plain = new GZIPInputStream(new ByteArrayInputStream(tar)).readAllBytes();
        assertThat(plain.length).isEqualTo(TarWriter.length(files.list()));
        assertThat(Arrays.copyOfRange(plain, 512, 512 + size)).isEqualTo(content);
        var entries = new ZipInputStream(new ByteArrayInputStream(zip));
        assertThat(entries.getNextEntry()).hasToString("SKILL.md");
        assertThat(entries.readAllBytes()).isEqualTo(content);
    }

    @Test
    void moreOrLessThanAnnouncedIsAnError() throws Exception {
        var gzip = new StoredGzip(new ByteArrayOutputStream(), 3, -1);

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> gzip.write(new byte[4], 0, 4));
        assertThatExceptionOfType(IOException.class).isThrownBy(gzip::close);
    }

    @ParameterizedTest
    @CsvSource({"100, 0, true", "101, 0, false", "100, 155, true", "100, 156, false", "101, 10, false", "1, 155, true"})
    void ofPathsSomeFit(int name, int folder, boolean fits) {
        String path = (folder == 0 ? "" : "f".repeat(folder) + "/") + "n".repeat(name);
        var file = List.of(new ArchiveFile(path, false, Digest.sha256(new byte[0]), 0));

        assertThat(SkillArchive.isPossible(ArchiveForm.TAR_GZ, file)).isEqualTo(fits);
        assertThat(SkillArchive.isPossible(ArchiveForm.ZIP, file)).isTrue();
        if (!fits) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> SkillArchive.of(ArchiveForm.TAR_GZ, file));
        }
    }

    /// Names that the registry took before it had a rule for them.
    @ParameterizedTest
    @CsvSource({"SKILL.md;1, false", "b;, false", "a;b.md, true"})
    void zipHoldsNoNameThatUnzipCuts(String path, boolean fits) {
        var file = List.of(new ArchiveFile(path, false, Digest.sha256(new byte[0]), 0));
        assertThat(SkillArchive.isPossible(ArchiveForm.ZIP, file)).isEqualTo(fits);
        assertThat(SkillArchive.isPossible(ArchiveForm.TAR_GZ, file)).isTrue();
    }
}
