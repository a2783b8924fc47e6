package dev.sheaf.server.clawhub;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.publish.PublishRequest;
import dev.sheaf.server.http.message.PathId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A version of a skill to publish, as ClawHub's client sends it. What it says of topics, sources and licenses is not
/// used.
///
/// @param tags without `latest`, which the registry moves itself
/// @param files by their tickets
public record ClawVersion(
        ClawName name,
        String displayName,
        Version version,
        @Nullable String changelog,
        List<Tag> tags,
        Map<UUID, File> files) {
    /// The largest file in bytes. A bucket keeps an upload of this size as one object, which can be read before it is
    /// published.
    public static final int MAX_FILE = 7 << 20;

    private static final int MAX_NAME = 200;

    public ClawVersion {
        tags = List.copyOf(tags);
        files = Map.copyOf(files);
    }

    /// A file, with its size in bytes.
    public record File(LogicalPath path, long size, Digest digest) {
        public static File parse(RequestFields fields) {
            long size = Objects.requireNonNullElse(fields.count("size"), -1L);
            if (size < 0 || size > MAX_FILE) {
                fields.error("size", "range", "must be the number of bytes, at most " + MAX_FILE);
            }
            return new File(
                    fields.parsed("path", LogicalPath::parse, new LogicalPath("none")),
                    size,
                    fields.parsed("sha256", Digest::ofSha256Hex, Digest.sha256(new byte[0])));
        }

        /// Returns what a ticket for the file says.
        String promise() {
            return size + " " + digest + " " + path;
        }

        /// Returns how a ticket for this content begins.
        static String beginning(byte[] content) {
            return content.length + " " + Digest.sha256(content) + " ";
        }
    }

    public static ClawVersion parse(RequestFields fields) {
        String slug = fields.required("slug", MAX_NAME);
        if (!SkillFolders.isName(slug)) {
            fields.error("slug", "format", "must be a-z, 0-9 and single hyphens between them, at most 64 characters");
        }
        if (Boolean.TRUE.equals(fields.flag("migrateOwner"))) {
            fields.error("migrateOwner", "range", "is not possible: namespaces have owners, and skills do not move");
        }
        var files = new LinkedHashMap<UUID, File>();
        for (var entry : fields.objects("files", SkillFolders.MAX_FILES)) {
            var ticket = entry.parsed("uploadTicket", PathId.of("the ticket %s"), new UUID(0, files.size()));
            if (files.put(ticket, File.parse(entry)) != null) {
                entry.error("uploadTicket", "duplicate", "is that of another file");
            }
        }
        if (files.values().stream().noneMatch(file -> file.path().value().equals(SkillText.FILE))) {
            fields.error("files", "required", "must contain SKILL.md, with its name written like this");
        }
        String changelog = fields.optional("changelog", PublishRequest.MAX_MESSAGE);
        var sent = new ClawVersion(
                new ClawName(fields.parsed("ownerHandle", ClawName::owner, new Namespace("none")), slug),
                fields.required("displayName", MAX_NAME),
                fields.parsed("version", Version::parse, PublishRequest.NO_VERSION),
                changelog == null || changelog.isBlank() ? null : changelog,
                PublishRequest.tags(fields).stream()
                        .filter(tag -> !tag.equals(Tag.LATEST))
                        .toList(),
                files);
        if (sent.size() > SkillFolders.MAX_BYTES) {
            fields.error("files", "range", "must have together at most " + SkillFolders.MAX_BYTES + " bytes");
        }
        return sent;
    }

    /// Returns the size of all files in bytes.
    public long size() {
        return files.values().stream().mapToLong(File::size).sum();
    }
}
