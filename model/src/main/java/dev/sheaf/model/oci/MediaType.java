package dev.sheaf.model.oci;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// The media types that the registry writes or recognizes.
public final class MediaType {
    /// A manifest of OCI.
    public static final String IMAGE_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    /// An index of manifests of OCI.
    public static final String IMAGE_INDEX = "application/vnd.oci.image.index.v1+json";
    /// A manifest of docker, before OCI.
    public static final String DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
    /// A list of manifests of docker, before OCI.
    public static final String DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json";
    /// The artifact type of a bundle.
    public static final String BUNDLE = "application/vnd.sheaf.bundle.v1";
    /// Of a config or a layer with nothing in it (OCI image-spec, "Guidance for an Empty Descriptor").
    public static final String EMPTY = "application/vnd.oci.empty.v1+json";
    /// The config of a bundle, which lists its files.
    public static final String BUNDLE_CONFIG = "application/vnd.sheaf.bundle.config.v1+json";
    /// Bytes of any kind.
    public static final String OCTETS = "application/octet-stream";

    private static final Map<String, String> BY_ENDING = Map.ofEntries(
            Map.entry("md", "text/markdown"),
            Map.entry("txt", "text/plain"),
            Map.entry("json", "application/json"),
            Map.entry("yaml", "application/yaml"),
            Map.entry("yml", "application/yaml"),
            Map.entry("toml", "application/toml"),
            Map.entry("xml", "application/xml"),
            Map.entry("html", "text/html"),
            Map.entry("css", "text/css"),
            Map.entry("csv", "text/csv"),
            Map.entry("js", "text/javascript"),
            Map.entry("mjs", "text/javascript"),
            Map.entry("ts", "text/x-typescript"),
            Map.entry("py", "text/x-python"),
            Map.entry("sh", "text/x-shellscript"),
            Map.entry("java", "text/x-java"),
            Map.entry("sql", "application/sql"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("png", "image/png"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("gif", "image/gif"),
            Map.entry("webp", "image/webp"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("zip", "application/zip"),
            Map.entry("gz", "application/gzip"));

    private static final Pattern GRAMMAR =
            Pattern.compile("[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}");

    private MediaType() {}

    /// Parses a media type for a descriptor (RFC 6838, section 4.2). Parameters such as a charset are dropped.
    ///
    /// @throws ProblemException validation-failed if `text` is not a media type
    public static String parse(String text) {
        String type = text.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!GRAMMAR.matcher(type).matches()) {
            throw Problem.invalid("format", Quoted.of(text) + " is not a media type; write one such as text/markdown");
        }
        return type;
    }

    /// Returns the media type for the file extension, else `application/octet-stream`.
    public static String infer(LogicalPath path) {
        String name = path.fileName();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? OCTETS : BY_ENDING.getOrDefault(name.substring(dot + 1).toLowerCase(Locale.ROOT), OCTETS);
    }
}
