package dev.sheaf.server.testing;

import dev.sheaf.engine.blob.s3.S3Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What lies in a blob store, seen from outside, without the mark of the store.
public sealed interface Stored {
    String MARK = "installation";

    /// The names of everything.
    List<String> names() throws IOException;

    byte[] read(String name) throws IOException;

    /// Gives something other bytes.
    void overwrite(String name, byte[] bytes) throws IOException;

    void remove(String name) throws IOException;

    static Stored in(Path folder) {
        return new Folder(folder);
    }

    static Stored in(S3Settings settings) {
        return new Bucket(settings);
    }

    /// Files; their names are whole paths.
    record Folder(Path root) implements Stored {
        @Override
        public List<String> names() throws IOException {
            try (var files = Files.walk(root)) {
                return files.filter(file -> Files.isRegularFile(file) && !file.endsWith(MARK))
                        .map(Path::toString)
                        .toList();
            }
        }

        @Override
        public byte[] read(String name) throws IOException {
            return Files.readAllBytes(Path.of(name));
        }

        @Override
        public void overwrite(String name, byte[] bytes) throws IOException {
            Files.write(Path.of(name), bytes);
        }

        @Override
        public void remove(String name) throws IOException {
            Files.delete(Path.of(name));
        }
    }

    /// Objects; their names are their keys.
    record Bucket(S3Settings settings) implements Stored {
        @Override
        public List<String> names() {
            return Buckets.keys(settings).stream()
                    .filter(key -> !key.endsWith("/" + MARK))
                    .toList();
        }

        @Override
        public byte[] read(String name) throws IOException {
            return Buckets.read(settings, name);
        }

        @Override
        public void overwrite(String name, byte[] bytes) {
            Buckets.overwrite(settings, name, bytes);
        }

        @Override
        public void remove(String name) {
            Buckets.remove(settings, name);
        }
    }
}
