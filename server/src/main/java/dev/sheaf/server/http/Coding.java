package dev.sheaf.server.http;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// Content codings that answers are sent in where the client takes them (RFC 9110, section 12.5.3; RFC 8878).
enum Coding {
    ZSTD("zstd") {
        @Override
        byte[] encode(byte[] bytes) {
            return Zstd.compress(bytes, ZSTD_LEVEL);
        }
    },
    GZIP("gzip") {
        @Override
        byte[] encode(byte[] bytes) {
            var out = new ByteArrayOutputStream(bytes.length / 4);
            try (var gzip = new GZIPOutputStream(out)) {
                gzip.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return out.toByteArray();
        }
    };

    /// In bytes: what is smaller fits into a packet anyway.
    static final int WORTHWHILE = 1_400;

    private static final int ZSTD_LEVEL = 3;

    private final String token;

    Coding(String token) {
        this.token = token;
    }

    abstract byte[] encode(byte[] bytes);

    /// As it stands in `Content-Encoding`.
    String token() {
        return token;
    }

    /// The entity tag of the encoded form: a strong one differs from that of other forms (RFC 9110, section 8.8.3).
    String etag(String plain) {
        return plain.substring(0, plain.length() - 1) + "-" + token + "\"";
    }

    /// The entity tag of the form without coding.
    static String plainEtag(String etag) {
        for (Coding coding : values()) {
            String end = "-" + coding.token + "\"";
            if (etag.endsWith(end)) {
                return etag.substring(0, etag.length() - end.length()) + "\"";
            }
        }
        return etag;
    }

    /// The coding that the client prefers, of those it names; zstd where it likes both the same.
    static Optional<Coding> accepted(List<String> acceptEncoding) {
        Coding best = null;
        double most = 0;
        for (String line : acceptEncoding) {
            for (String entry : line.toLowerCase(Locale.ROOT).split(",")) {
                String[] parts = entry.split(";", 2);
                double weight = weight(parts.length == 2 ? parts[1].strip() : "");
                for (Coding coding : values()) {
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

    /// A malformed weight refuses: the plain form is always right.
    private static double weight(String parameter) {
        if (parameter.isEmpty()) {
            return 1;
        }
        return parameter.matches("q=(?:0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?)")
                ? Double.parseDouble(parameter.substring(2))
                : 0;
    }
}
