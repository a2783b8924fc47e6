package dev.sheaf.model.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/// Zip archives of common programs, and malicious ones.
class ZippedFilesTest {
    private static final int ENTRY = 0x02014b50;

    private static byte[] zip(String... names) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.endsWith("/") ? new byte[0] : ("content of " + name).getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private static ByteBuffer buffer(byte[] archive) {
        return ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Returns where the entry in the directory begins.
    private static int entry(byte[] archive) {
        var bytes = buffer(archive);
        int at = 0;
        while (bytes.getInt(at) != ENTRY) {
            at++;
        }
        return at;
    }

    private static ZippedFiles open(byte[] archive) throws UnfitArchive {
        return ZippedFiles.open(archive, 100, 1 << 20);
    }

    private static void isRefused(byte[] archive, String why) {
        assertThatThrownBy(() -> {
                    var zip = open(archive);
                    for (var entry : zip.entries()) {
                        zip.content(entry);
                    }
                })
                .isInstanceOf(UnfitArchive.class)
                .hasMessageContaining(why);
    }

    @Test
    void readsFilesAndWhetherTheyMayBeExecuted() throws IOException {
        var archive = zip("a/", "a/größe.md");
        var bytes = buffer(archive);
        int second = entry(archive) + 46 + 2;
        while (bytes.getInt(second) != ENTRY) {
            second++;
        }
        bytes.putShort(second + 40, (short) 0100755);

        var zip = open(archive);

        assertThat(zip.entries()).hasSize(1);
        var file = zip.entries().getFirst();
        assertThat(file.name()).isEqualTo("a/größe.md");
        assertThat(file.isExecutable()).isTrue();
        assertThat(zip.content(file)).asString(StandardCharsets.UTF_8).isEqualTo("content of a/größe.md");
        assertThat(zip.size()).isEqualTo(file.size());
    }

    @Test
    void refusesLinksDevicesAndWhatIsPackedOtherwise() throws IOException {
        var link = zip("a");
        buffer(link).putShort(entry(link) + 40, (short) 0120777);
        isRefused(link, "has a link, \"a\"");
        var device = zip("a");
        buffer(device).putShort(entry(device) + 40, (short) 0020777);
        isRefused(device, "neither file nor folder");
        var encrypted = zip("a");
        buffer(encrypted).putShort(entry(encrypted) + 8, (short) 1);
        isRefused(encrypted, "is encrypted");
        var method = zip("a");
        buffer(method).putShort(entry(method) + 10, (short) 14);
        isRefused(method, "unsupported method: 14");
    }

    @Test
    void refusesMoreThanItMayHold() throws IOException {
        var names = new String[101];
        for (int i = 0; i < names.length; i++) {
            names[i] = "f" + i;
        }
        isRefused(zip(names), "has 101 entries; at most 100");
        var bomb = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bomb)) {
            zip.putNextEntry(new ZipEntry("bomb"));
            zip.write(new byte[2 << 20]);
        }
        isRefused(bomb.toByteArray(), "unpacks to 2097152 bytes");
        var lie = zip("a");
        buffer(lie).putInt(entry(lie) + 24, 1 << 19);
        isRefused(lie, "an impossible size for \"a\"");
        var small = zip("a");
        buffer(small).putInt(entry(small) + 24, 5);
        isRefused(small, "does not match its size or checksum");
        var huge = zip("a");
        buffer(huge).putShort(huge.length - 12, (short) -1);
        isRefused(huge, "Zip64");
    }

    @Test
    void refusesWhatSaysTwoThings() throws IOException {
        var name = zip("abc");
        name[30] = 'x';
        isRefused(name, "has a different name for \"abc\"");
        var sum = zip("a");
        buffer(sum).putInt(entry(sum) + 16, 1);
        isRefused(sum, "does not match its size or checksum");
        var place = zip("a", "b");
        int first = entry(place);
        buffer(place).putInt(first + 42, first);
        isRefused(place, "is not at the offset that its directory states");
        var count = zip("a");
        buffer(count).putShort(count.length - 14, (short) 2);
        buffer(count).putShort(count.length - 12, (short) 2);
        isRefused(count, "is broken");
        isRefused(new byte[0], "is not a zip file");
        isRefused("PK\u0005\u0006".getBytes(StandardCharsets.UTF_8), "is not a zip file");
    }

    /// Two files that share their content, as in archives that unpack to many times their size.
    @Test
    void refusesContentThatSeveralShare() throws IOException {
        var archive = zip("a", "b");
        int first = entry(archive);
        int length = (archive.length - 22 - first) / 2;
        System.arraycopy(archive, first, archive, first + length, length);

        isRefused(archive, "overlaps with something else");
    }

    @Test
    void refusesEveryArchiveThatIsCutShort() throws IOException {
        var whole = zip("a/", "a/b", "c");
        for (int length = 0; length < whole.length; length++) {
            isRefused(Arrays.copyOf(whole, length), "is");
        }
    }
}
