import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Rewrites a jar in place. Classes from before Java 6 become classes of Java 11, with the stack maps that newer Java verifies,
/// because an AOT cache takes no older classes. Entries whose names begin with one of the prefixes are removed, such as native code
/// for systems that Sheaf does not run on. A jar that needs neither is not changed.
///
/// With `--store`, stores the entries of all jars in a folder without compression and does not change classes. A layer of an image
/// is compressed as a whole, which makes it half as large as compressed jars.
///
/// ```
/// java packaging/Repack.java FILE.jar [PREFIX...]
/// java packaging/Repack.java --store FOLDER [PREFIX...]
/// ```
public final class Repack {
    private static final int FIRST_WITH_STACK_MAPS = 50;
    private static final int WANTED = 55;
    private static final String NOTICE = "META-INF/MODIFIED.txt";

    private static final ClassTransform REWRITTEN = (builder, element) -> {
        switch (element) {
            case ClassFileVersion _ -> builder.withVersion(WANTED, 0);
            case MethodModel method ->
                builder.transformMethod(method, MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
            default -> builder.with(element);
        }
    };

    private Repack() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("--store")) {
            try (var jars = Files.newDirectoryStream(Path.of(arguments[1]), "*.jar")) {
                for (Path jar : jars) {
                    store(jar, List.of(arguments).subList(2, arguments.length));
                }
            }
            return;
        }
        Path jar = Path.of(arguments[0]);
        Path fresh = Path.of(arguments[0] + ".new");
        boolean changed;
        try (var classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                var old = new ZipFile(jar.toFile());
                var out = new ZipOutputStream(Files.newOutputStream(fresh))) {
            // Stack maps need the common superclass of two classes. Each may be in the jar or in the JDK.
            var code = ClassFile.of(
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(classes)),
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
            changed = rewrite(old, out, code, List.of(arguments).subList(1, arguments.length));
        }
        if (changed) {
            Files.setLastModifiedTime(fresh, Files.getLastModifiedTime(jar)); // keeps the time of the original jar
            Files.move(fresh, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(fresh);
        }
    }

    private static void store(Path jar, List<String> without) throws IOException {
        Path fresh = Path.of(jar + ".new");
        try (var old = new ZipFile(jar.toFile());
                var out = new ZipOutputStream(Files.newOutputStream(fresh))) {
            out.setMethod(ZipOutputStream.STORED);
            for (var entry : Collections.list(old.entries())) {
                if (without.stream().noneMatch(entry.getName()::startsWith)) {
                    put(out, entry.getName(), old.getInputStream(entry).readAllBytes(), entry.getTime());
                }
            }
        }
        Files.move(fresh, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean rewrite(ZipFile old, ZipOutputStream out, ClassFile code, List<String> without)
            throws IOException {
        int count = 0;
        int dropped = 0;
        for (var entry : Collections.list(old.entries())) {
            if (without.stream().anyMatch(entry.getName()::startsWith)) {
                dropped++;
                continue;
            }
            byte[] bytes = old.getInputStream(entry).readAllBytes();
            if (entry.getName().endsWith(".class")) {
                var model = code.parse(bytes);
                if (model.majorVersion() < FIRST_WITH_STACK_MAPS) {
                    bytes = code.transformClass(model, REWRITTEN);
                    count++;
                }
            }
            put(out, entry.getName(), bytes, entry.getTime());
        }
        if (count + dropped > 0) {
            String notice = "Sheaf's build rewrote " + count + " classes of this jar from their old class file version to "
                    + WANTED + ", with stack maps; their code is unchanged. It left out " + dropped + " files.\n";
            put(out, NOTICE, notice.getBytes(StandardCharsets.UTF_8), 0);
        }
        return count + dropped > 0;
    }

    private static void put(ZipOutputStream out, String name, byte[] bytes, long time) throws IOException {
        var entry = new ZipEntry(name);
        entry.setTime(time);
        entry.setSize(bytes.length);
        var sum = new CRC32();
        sum.update(bytes);
        entry.setCrc(sum.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
