package dev.sheaf.server.mcp;

import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.bundle.StoredAsset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Skills in the format of the protocol and of its extension for skills.
final class SkillEntries {
    static final String FOLDER = "inode/directory";

    private static final String MARKDOWN = "text/markdown";

    private SkillEntries() {}

    /// A file of a skill, with the digest and size by which a host checks it.
    record FileEntry(String uri, String digest, long size) {}

    /// A skill with all of its files.
    record Entry(String uri, JsonRpcReplies.Raw frontmatter, List<FileEntry> resources) {
        /// Returns the approximate number of characters of its JSON.
        long length() {
            return frontmatter.json().length()
                    + resources.stream()
                            .mapToLong(file -> file.uri().length() + 120L)
                            .sum();
        }
    }

    /// A resource: a skill, a file or a folder.
    ///
    /// @param size the size in bytes; null for a folder
    record Resource(
            String uri,
            String name,
            @Nullable String description,
            String mimeType,
            @Nullable Long size) {}

    /// Returns the URI of a skill's folder.
    static String folder(BundleSkills.Target version, Skill<StoredAsset> skill) {
        return SkillUri.root(
                        version.bundle().name(),
                        version.version().resolved().version().version())
                + SkillUri.added(skill.name());
    }

    static String document(BundleSkills.Target version, Skill<StoredAsset> skill) {
        return folder(version, skill) + "/" + SkillText.FILE;
    }

    static Entry entry(BundleSkills.Target version, Skill<StoredAsset> skill, FrontMatters.Front front) {
        String folder = folder(version, skill);
        var files = new ArrayList<FileEntry>(skill.files().size());
        for (var file : skill.files()) {
            files.add(new FileEntry(
                    folder + SkillUri.added(skill.inside(file.path())),
                    file.digest().toString(),
                    file.size()));
        }
        return new Entry(folder + "/" + SkillText.FILE, front.json(), files);
    }

    static Resource listed(BundleSkills.Target version, Skill<StoredAsset> skill, FrontMatters.Front front) {
        return new Resource(
                document(version, skill),
                front.name(),
                front.description(),
                MARKDOWN,
                skill.document().size());
    }

    static Resource file(String uri, String name, StoredAsset file) {
        return new Resource(uri, name, null, type(file), file.size());
    }

    static Resource folder(String uri, String name) {
        return new Resource(uri, name, null, FOLDER, null);
    }

    static String type(StoredAsset file) {
        return file.path().fileName().equals(SkillText.FILE) ? MARKDOWN : file.mediaType();
    }
}
