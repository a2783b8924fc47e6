package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Call;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.fileupload2.core.FileUploadException;
import org.apache.commons.fileupload2.core.MultipartInput;
import org.apache.commons.fileupload2.core.ParameterParser;
import org.jspecify.annotations.Nullable;

/// A form with files, `multipart/form-data` (RFC 7578).
///
/// @param form the other fields
/// @param files the chosen files, in their order
record MultipartForm(FormFields form, List<Part> files) {
    private static final String TYPE = "multipart/form-data";
    private static final int MAX_BOUNDARY = 70; // RFC 2046, section 5.1.1
    private static final int MAX_HEAD = 8 << 10; // room for a path of 500 bytes, each encoded as three
    private static final int MAX_PARTS = 10_000;
    private static final int MAX_FIELD = 2 << 20;
    private static final String WHAT = "the uploaded form";

    /// A file.
    ///
    /// @param field the name of its field
    /// @param name the file's name from the browser; for a file in a folder, its path
    record Part(String field, String name, byte[] content) {}

    MultipartForm {
        files = List.copyOf(files);
    }

    /// Returns the files of a field.
    List<Part> of(String field) {
        return files.stream().filter(file -> file.field().equals(field)).toList();
    }

    /// @throws dev.sheaf.model.ProblemException unsupported-media-type, bad-request; payload-too-large above
    /// the size of a push; rate-limited if memory is short
    static MultipartForm read(Call call) {
        byte[] boundary = boundary(call.header("Content-Type").orElse(""));
        byte[] body = call.bytes(WHAT + " (max-push-bytes)", call.sizes().push());
        call.borrow(WHAT, body.length, 1); // for the copies of the parts
        return call.computed(body.length, budget -> parse(body, boundary));
    }

    private static byte[] boundary(String type) {
        String bare = type.split(";", 2)[0].strip();
        if (!bare.equalsIgnoreCase(TYPE)) {
            throw new Problem.UnsupportedMediaType("Content-Type", type, TYPE).raise();
        }
        String boundary = parameters(type).get("boundary");
        if (boundary == null || boundary.isEmpty() || boundary.length() > MAX_BOUNDARY) {
            throw broken("its boundary is missing or longer than " + MAX_BOUNDARY + " characters");
        }
        return boundary.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Map<String, String> parameters(String header) {
        var parser = new ParameterParser();
        parser.setLowerCaseNames(true);
        return parser.parse(header, ';');
    }

    private static RuntimeException broken(String why) {
        return new Problem.BadRequest("the form with files cannot be read: " + why).raise();
    }

    static MultipartForm parse(byte[] body, byte[] boundary) {
        try {
            var input = MultipartInput.builder()
                    .setInputStream(new ByteArrayInputStream(body))
                    .setBoundary(boundary)
                    .setPartHeaderSizeMax(MAX_HEAD)
                    .get();
            input.setHeaderCharset(StandardCharsets.UTF_8);
            return parts(input);
        } catch (FileUploadException e) {
            throw broken("it is incomplete, or the head of a part is too long");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MultipartForm parts(MultipartInput input) throws IOException {
        var fields = new HashMap<String, List<String>>();
        var files = new ArrayList<Part>();
        int count = 0;
        long text = 0;
        for (boolean more = input.skipPreamble(); more; more = input.readBoundary()) {
            if (++count > MAX_PARTS) {
                throw broken("it has more than " + MAX_PARTS + " parts");
            }
            var head = head(input.readHeaders());
            var content = new ByteArrayOutputStream();
            input.readBodyData(content);
            String field = head.get("name");
            String file = head.get("filename");
            if (field == null) {
                throw broken("a part of it has no name");
            }
            if (file == null) {
                text += content.size();
                fields.computeIfAbsent(field, name -> new ArrayList<>()).add(content.toString(StandardCharsets.UTF_8));
            } else if (!file.isEmpty() || content.size() > 0) {
                files.add(new Part(field, file, content.toByteArray()));
            }
            if (text > MAX_FIELD) {
                throw broken("its fields are longer than " + MAX_FIELD + " bytes");
            }
        }
        if (count == 0) {
            throw broken("it has no part");
        }
        return new MultipartForm(new FormFields(fields), files);
    }

    /// Returns the headers of a part.
    private static Map<String, String> head(String lines) {
        String disposition = null;
        for (String line : lines.split("\r\n")) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-disposition:")) {
                if (disposition != null) {
                    throw broken("a part of it has two names");
                }
                disposition = line.substring(line.indexOf(':') + 1).strip();
            } else if (lower.startsWith("content-type:") && value(lower).startsWith("multipart/")) {
                throw broken("a part of it contains parts itself");
            }
        }
        return named(disposition);
    }

    private static Map<String, String> named(@Nullable String disposition) {
        if (disposition == null || !disposition.toLowerCase(Locale.ROOT).startsWith("form-data")) {
            throw broken("a part of it is not a form field");
        }
        return parameters(disposition);
    }

    private static String value(String line) {
        return line.substring(line.indexOf(':') + 1).strip();
    }
}
