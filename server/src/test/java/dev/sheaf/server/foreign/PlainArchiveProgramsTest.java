package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.archive.PlainArchive;
import dev.sheaf.model.archive.PlainArchive.Form;
import dev.sheaf.model.archive.UnfitArchive;
import dev.sheaf.server.testing.program.Tool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Archives by Python, Info-ZIP and GNU tar, and thousands of variations of them: each that is taken has the same
/// paths, modes and bytes for Python's zipfile and tarfile, and for Info-ZIP's unzip.
@Tag("programs")
class PlainArchiveProgramsTest {
    private static final int VARIATIONS = Integer.getInteger("sheaf.inputs", 2_000);
    private static final int BLOCK = 512;
    private static final byte[] VALUES = {0, 1, '/', '.', '\\', '5', 'x', (byte) 0x80, (byte) 0xff};

    /// Packs the seeds in the ways of each program into the folder of its argument.
    private static final String PACK = """
            import io, os, sys, tarfile, zipfile
            os.chdir(sys.argv[1])
            os.makedirs('in/d/empty')
            for name, text, mode in (('apm.yml', 'name: a\\nversion: 1.0.0\\n', 0o644), ('d/run.sh', '#!/bin/sh\\n', 0o755),
                                     ('d/gr\\u00f6\\u00dfe.md', 'x' * 3000, 0o644), ('zero', '', 0o600)):
                with open('in/' + name, 'w') as file:
                    file.write(text)
                os.chmod('in/' + name, mode)
            os.makedirs('seeds')
            os.chdir('in')
            def files():
                for folder, folders, names in os.walk('.'):
                    for name in sorted(folders + names):
                        yield os.path.relpath(os.path.join(folder, name))
            for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                with zipfile.ZipFile('../seeds/python%d.zip' % kind, 'w', kind) as to:
                    for name in files():
                        to.write(name)
            for form in (tarfile.USTAR_FORMAT, tarfile.PAX_FORMAT):
                with tarfile.open('../seeds/python%d.tgz' % form, 'w:gz', format=form) as to:
                    for name in files():
                        to.add(name, recursive=False)
            """;

    /// Prints the files of each archive in the folder of its argument, by each reader that can read it.
    private static final String READ = """
            import hashlib, os, shutil, subprocess, sys, tarfile, zipfile
            def line(name, mode, data):
                return name + (' x ' if mode & 0o100 else ' - ') + hashlib.sha256(data).hexdigest()
            def walked(root):
                found = []
                for folder, folders, names in os.walk(root):
                    for name in names:
                        path = os.path.join(folder, name)
                        found.append(line(os.path.relpath(path, root), os.stat(path).st_mode, open(path, 'rb').read()))
                return found
            os.umask(0o022)
            for name in sorted(os.listdir(sys.argv[1])):
                path = os.path.join(sys.argv[1], name)
                out = path + '.out'
                if name.endswith('.zip'):
                    with zipfile.ZipFile(path) as zip:
                        read = [line(i.filename, i.external_attr >> 16, zip.read(i)) for i in zip.infolist()
                                if not i.is_dir()]
                    os.mkdir(out)
                    run = subprocess.run(['unzip', '-q', path, '-d', out], capture_output=True,
                                         env=dict(os.environ, LC_ALL='C.UTF-8'))
                    if run.returncode:
                        read.append('unzip: ' + str(run))
                else:
                    with tarfile.open(path, 'r:gz') as tar:
                        read = [line(m.name, m.mode, tar.extractfile(m).read()) for m in tar if m.isfile()]
                        os.mkdir(out)
                        tar.extractall(out)
                for kind, lines in (('read', read), ('made', walked(out))):
                    print(name + ' ' + kind + ' ' + '|'.join(sorted(lines)))
                shutil.rmtree(out)
            """;

    @TempDir
    private Path folder;

    private String python(String program, Path argument) throws IOException {
        var script = Files.writeString(folder.resolve("script.py"), program);
        var run = Tool.at(Path.of("/usr/bin/python3"), folder)
                .end("", "-X", "utf8", script.toString(), argument.toString());
        assertThat(run.exit()).as(run.output()).isZero();
        return run.output();
    }

    private static void sh(Path in, String command) {
        var run = Tool.at(Path.of("/bin/sh"), in).end("", "-c", command);
        assertThat(run.exit()).as(run.output()).isZero();
    }

    private static Form form(Path archive) {
        return archive.toString().endsWith(".zip") ? Form.ZIP : Form.TAR_GZ;
    }

    /// Returns the files as the script prints them.
    private static String read(Form form, byte[] archive) throws UnfitArchive {
        return String.join(
                "|",
                PlainArchive.read(form, archive, () -> {}).stream()
                        .map(file -> file.path()
                                + (file.isExecutable() ? " x " : " - ")
                                + Digest.sha256(file.content()).hex())
                        .sorted()
                        .toList());
    }

    private List<Path> seeds() throws IOException {
        for (String program : List.of("python3", "unzip", "zip")) {
            Tool.assumeInstalled(program, program);
        }
        python(PACK, folder);
        sh(
                folder,
                "cd in && zip -q -r ../seeds/info.zip apm.yml d/run.sh d/empty zero && zip -q -r -X -D ../seeds/bare.zip apm.yml d/run.sh"
                        + " && tar --format=ustar -czf ../seeds/gnu.tgz apm.yml d zero"
                        + " && tar --format=pax -czf ../seeds/gnu-pax.tgz apm.yml d");
        try (var found = Files.list(folder.resolve("seeds"))) {
            return found.sorted().toList();
        }
    }

    // --- variations ---

    private static byte[] varied(Form form, byte[] archive, Random random) throws IOException {
        if (form == Form.ZIP) {
            byte[] other = archive.clone();
            varyZip(other, random);
            return other;
        }
        byte[] tar;
        try (var in = new GZIPInputStream(new ByteArrayInputStream(archive))) {
            tar = in.readAllBytes();
        }
        varyTar(tar, random);
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(tar);
        }
        return packed.toByteArray();
    }

    private static byte value(Random random) {
        return random.nextBoolean() ? VALUES[random.nextInt(VALUES.length)] : (byte) random.nextInt(256);
    }

    /// Changes a byte of a header; half of the time in both headers of the entry.
    private static void varyZip(byte[] archive, Random random) {
        var bytes = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        int end = archive.length - 22;
        var entries = new ArrayList<Integer>();
        for (int at = bytes.getInt(end + 16); at < end; at += 46 + bytes.getShort(at + 28) + bytes.getShort(at + 30)) {
            entries.add(at);
        }
        int at = entries.get(random.nextInt(entries.size()));
        int local = bytes.getInt(at + 42);
        byte value = value(random);
        switch (random.nextInt(4)) {
            case 0 -> archive[at + random.nextInt(Math.min(70, archive.length - at))] = value;
            case 1 -> archive[local + random.nextInt(40)] = value;
            default -> {
                int field = random.nextInt(24 + 8); // some of the name too
                archive[at + (field < 24 ? 6 + field : 22 + field)] = value;
                archive[local + (field < 24 ? 4 + field : 6 + field)] = value;
            }
        }
    }

    /// Changes a byte of a header, and its checksum.
    private static void varyTar(byte[] tar, Random random) {
        var headers = new ArrayList<Integer>();
        for (int at = 0; at + BLOCK <= tar.length; at += BLOCK) {
            if (new String(tar, at + 257, 5, StandardCharsets.ISO_8859_1).equals("ustar")) {
                headers.add(at);
            }
        }
        int at = headers.get(random.nextInt(headers.size()));
        tar[at + random.nextInt(BLOCK)] = value(random);
        int sum = 8 * ' ';
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? 0 : tar[at + i] & 0xff;
        }
        byte[] digits = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(digits, 0, tar, at + 148, digits.length);
    }

    @Test
    void whatIsTakenIsTheSameForEveryProgram() throws Exception {
        var random = new Random(78);
        var expected = new TreeMap<String, String>();
        var taken = Files.createDirectories(folder.resolve("taken"));
        var seeds = seeds();
        int variations = 0;
        for (var seed : seeds) {
            byte[] whole = Files.readAllBytes(seed);
            String name = String.valueOf(seed.getFileName());
            expected.put(name, read(form(seed), whole));
            Files.write(taken.resolve(name), whole);
            for (int i = 0; i < VARIATIONS / seeds.size(); i++) {
                byte[] other = varied(form(seed), whole, random);
                String number = variations++ + name;
                try {
                    expected.put(number, read(form(seed), other));
                    Files.write(taken.resolve(number), other);
                } catch (UnfitArchive e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
        }
        assertThat(expected).hasSizeGreaterThan(2 * seeds.size());

        var lines = python(READ, taken).lines().toList();

        var wanted = new ArrayList<String>();
        expected.forEach((name, files) -> {
            wanted.add(name + " read " + files);
            wanted.add(name + " made " + files);
        });
        assertThat(lines).containsExactlyInAnyOrderElementsOf(wanted);
    }
}
