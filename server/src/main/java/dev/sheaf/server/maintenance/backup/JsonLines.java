package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.model.Digest;
import dev.sheaf.server.maintenance.backup.BackupManifest.ListedFile;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads and writes files of rows, with one JSON object per line. Bytes are written as `{"base64": "..."}`;
/// null columns are left out.
final class JsonLines {
    static final JsonMapper JSON = JsonMapper.builder().build();
    /// The limit of a row in bytes, more than the longest row needs: a manifest of 4 MiB in base64.
    static final int MAX_LINE = 16 << 20;
    private static final String BYTES = "base64";

    private JsonLines() {}

    /// Writes such a file and hashes its bytes. Not thread-safe.
    static final class Writer implements AutoCloseable {
        private final String name;
        private final FileChannel channel;
        private final MessageDigest hash = Digest.Algorithm.SHA256.newHash();
        private final OutputStream out;
        private long rows;

        /// @param name the path of the file below `folder`
        Writer(Path folder, String name) {
            this.name = name;
            try {
                this.channel = PrivateFiles.open(
                        folder.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            this.out =
                    new BufferedOutputStream(new DigestOutputStream(Channels.newOutputStream(channel), hash), 1 << 16);
        }

        void write(Map<String, Object> row) {
            var values = new LinkedHashMap<String, Object>();
            row.forEach((column, value) ->
                    values.put(column, value instanceof byte[] bytes ? Map.of(BYTES, bytes) : value));
            try {
                out.write(JSON.writeValueAsBytes(values));
                out.write('\n');
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            rows++;
        }

        long rows() {
            return rows;
        }

        /// Makes the file durable, and returns its description.
        ListedFile finish() {
            try {
                out.flush();
                channel.force(true);
                return new ListedFile(name, channel.size(), HexFormat.of().formatHex(hash.digest()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Reads the rows of a file in their order.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict if a line was not written by [Writer]
    static void read(Path file, Consumer<Map<String, Object>> consumer) {
        read(file, null, consumer);
    }

    /// Reads the rows, and fails at the end if the bytes that were read do not have this hash. The rows are passed on
    /// before that.
    ///
    /// @param sha256 null for any hash
    /// @throws dev.sheaf.model.ProblemException as above
    static void read(Path file, @Nullable String sha256, Consumer<Map<String, Object>> consumer) {
        var hash = Digest.Algorithm.SHA256.newHash();
        try (var in = new BufferedInputStream(new DigestInputStream(BackupFolder.open(file), hash), 1 << 16)) {
            for (byte[] line = line(file, in); line.length > 0; line = line(file, in)) {
                consumer.accept(row(file, line));
            }
            in.transferTo(OutputStream.nullOutputStream());
            if (sha256 != null && !HexFormat.of().formatHex(hash.digest()).equals(sha256)) {
                throw BackupErrors.backup(file + " was changed during the restore. The installation does not start;"
                        + " make the folder of the backup yours alone (chmod 700), and restore again");
            }
        } catch (IOException e) {
            throw BackupErrors.backup(file + " cannot be read: " + e.getMessage());
        }
    }

    /// Returns the next line; empty at the end.
    private static byte[] line(Path file, InputStream in) throws IOException {
        var line = new ByteArrayOutputStream(512);
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (line.size() == MAX_LINE) {
                throw BackupErrors.backup(file + " has a line longer than any row of a backup");
            }
            line.write(next);
        }
        return line.toByteArray();
    }

    private static Map<String, Object> row(Path file, byte[] line) {
        try {
            var row = new LinkedHashMap<String, Object>();
            JSON.readTree(line).properties().forEach(column -> row.put(column.getKey(), value(column.getValue())));
            return row;
        } catch (JacksonException | IllegalArgumentException e) {
            throw BackupErrors.backup(file + " has a line that is not a row of a backup");
        }
    }

    private static Object value(JsonNode node) {
        if (node.isIntegralNumber()) {
            return node.longValue();
        }
        if (node.isString()) {
            return node.stringValue();
        }
        if (node.path(BYTES).isString()) {
            return Base64.getDecoder().decode(node.path(BYTES).stringValue());
        }
        throw new IllegalArgumentException("not a value of a backup");
    }
}
