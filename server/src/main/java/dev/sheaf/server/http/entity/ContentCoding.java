package dev.sheaf.server.http.entity;

import com.github.luben.zstd.Zstd;
import dev.sheaf.engine.cpu.Budget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/// Content codings of answers (RFC 9110, section 12.5.3; RFC 8878).
public enum ContentCoding {
    ZSTD("zstd") {
        @Override
        byte[] encode(byte[] bytes, Budget budget) {
            return Zstd.compress(bytes, LEVEL);
        }
    },
    GZIP("gzip") {
        @Override
        byte[] encode(byte[] bytes, Budget budget) {
            var out = new ByteArrayOutputStream(bytes.length / 4);
            try (var gzip = new Quick(out)) {
                for (int done = 0; done < bytes.length; done += PIECE) {
                    budget.check();
                    gzip.write(bytes, done, Math.min(PIECE, bytes.length - done));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return out.toByteArray();
        }
    };

    /// The smallest size worth encoding, in bytes. A smaller answer fits into one packet anyway.
    public static final int WORTHWHILE = 1_400;

    private static final int LEVEL = 1; // the cheapest level of zstd and of gzip
    private static final int PIECE = 64 << 10;
    private static final int MAX_ENTRIES = 32; // limit of entries per line; anything beyond is ignored
    private static final Pattern WEIGHT = Pattern.compile("q=(?:0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?)");
    private static final int SAMPLE = 8 << 10;

    private static final class Quick extends GZIPOutputStream {
        Quick(OutputStream out) throws IOException {
            super(out, PIECE >> 1);
            def.setLevel(LEVEL);
        }
    }

    private final String token;

    ContentCoding(String token) {
        this.token = token;
    }

    /// Encodes at a cheap level: about a fifth more bytes than at the default level, for a quarter of the work.
    abstract byte[] encode(byte[] bytes, Budget budget);

    /// Returns whether the bytes would shrink by at least a tenth, judged by three samples. Data that is
    /// already compressed hardly shrinks, such as images in base64.
    static boolean shrinks(byte[] bytes) {
        int size = Math.min(SAMPLE, bytes.length);
        long after = 0;
        for (int place = 0; place < 3; place++) {
            int from = (int) ((long) (bytes.length - size) * place / 2);
            after += Zstd.compress(Arrays.copyOfRange(bytes, from, from + size), LEVEL).length;
        }
        return after < 3L * size * 9 / 10;
    }

    /// Returns the name used in `Content-Encoding`.
    public String token() {
        return token;
    }

    /// Returns the entity tag of the encoded form. A strong tag must differ between forms (RFC 9110, section
    /// 8.8.3).
    public String etag(String plain) {
        return plain.substring(0, plain.length() - 1) + "-" + token + "\"";
    }

    /// Returns the entity tag of the plain form.
    public static String plainEtag(String etag) {
        for (ContentCoding coding : values()) {
            String end = "-" + coding.token + "\"";
            if (etag.endsWith(end)) {
                return etag.substring(0, etag.length() - end.length()) + "\"";
            }
        }
        return etag;
    }

    /// Returns the coding with the highest weight, or zstd if both weigh the same; empty if the client accepts
    /// neither.
    public static Optional<ContentCoding> accepted(List<String> acceptEncoding) {
        ContentCoding best = null;
        double most = 0;
        for (String line : acceptEncoding) {
            for (String entry : line.toLowerCase(Locale.ROOT).split(",", MAX_ENTRIES)) {
                String[] parts = entry.split(";", 2);
                double weight = weight(parts.length == 2 ? parts[1].strip() : "");
                for (ContentCoding coding : values()) {
                    boolean better = weight > most || weight == most && coding == ZSTD;
                    if (weight > 0 && better && coding.token.equals(parts[0].strip())) {
                        best = coding;
                        most = weight;
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /// Returns the weight. A malformed weight counts as 0, because the plain form is always right.
    private static double weight(String parameter) {
        if (parameter.isEmpty()) {
            return 1;
        }
        return WEIGHT.matcher(parameter).matches() ? Double.parseDouble(parameter.substring(2)) : 0;
    }
}
