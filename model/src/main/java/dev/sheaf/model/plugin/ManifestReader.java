package dev.sheaf.model.plugin;

import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.text.Quoted;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads `plugin.json` by the rules of Agent Plugins 1.0, section 5, and notes what programs refuse or ignore.
final class ManifestReader {
    private static final Set<String> MEMBERS = Set.of(
            "$schema",
            "name",
            "version",
            "description",
            "author",
            "homepage",
            "repository",
            "license",
            "keywords",
            "extensions");
    private static final Set<String> OF_AUTHOR = Set.of("name", "email", "url");
    private static final String DOCUMENT = "https://agent-plugins.org/schemas/";

    private final NoteList notes = new NoteList(PluginManifest.PATH);

    private ManifestReader() {}

    /// @param manifest null if programs refuse it
    record Read(@Nullable PluginManifest manifest, List<SkillNote> notes) {}

    static Read of(byte[] json) {
        var reader = new ManifestReader();
        var manifest = reader.manifest(json);
        return new Read(reader.notes.hasErrors() ? null : manifest, reader.notes.all());
    }

    private @Nullable PluginManifest manifest(byte[] json) {
        JsonValue value;
        try {
            value = JsonReader.read(json, PluginManifest.MAX_BYTES);
        } catch (JsonReader.Wrong e) {
            notes.error(e.line(), e.getMessage());
            return null;
        }
        if (!(value instanceof JsonValue.Members members)) {
            notes.error(value.line(), "write an object here");
            return null;
        }
        return isOurs(members) ? checked(members) : null;
    }

    /// Returns whether the file says that it is a manifest of this version. Another program may use the name for a file
    /// of
    /// another format, so that this is only a warning.
    private boolean isOurs(JsonValue.Members members) {
        var schema = members.values().get("$schema");
        if (schema instanceof JsonValue.Text text && text.value().equals(PluginManifest.SCHEMA)) {
            return true;
        }
        String problem = schema == null
                ? "\"$schema\" is missing"
                : schema instanceof JsonValue.Text text && text.value().startsWith(DOCUMENT)
                        ? "$schema: " + Quoted.of(text.value()) + " is not a version that is known here"
                        : "$schema: it names another format";
        notes.warning(
                schema == null ? members.line() : schema.line(),
                problem + ", so programs for Agent Plugins refuse it; a plugin has \"$schema\": \""
                        + PluginManifest.SCHEMA + "\"");
        return false;
    }

    private PluginManifest checked(JsonValue.Members members) {
        members.values().forEach((name, value) -> {
            if (!MEMBERS.contains(name)) {
                notes.warning(
                        value.line(),
                        Quoted.of(name) + " is not a member of a plugin's manifest, and programs ignore it; what is for"
                                + " one program belongs to \"extensions\"");
            }
        });
        extensions(members.values().get("extensions"));
        return new PluginManifest(
                name(members),
                notes.text(members, "", "version"),
                notes.text(members, "", "description"),
                author(members.values().get("author")),
                notes.text(members, "", "homepage"),
                notes.text(members, "", "repository"),
                notes.text(members, "", "license"),
                notes.texts(members, "", "keywords"));
    }

    private String name(JsonValue.Members members) {
        var value = members.values().get("name");
        String name = notes.text(members, "", "name");
        if (value == null) {
            notes.error(members.line(), "\"name\" is missing");
        } else if (name != null && !PluginManifest.isName(name)) {
            notes.error(
                    value.line(),
                    "name: use a-z, 0-9, and single hyphens and dots between them, at most " + PluginManifest.MAX_NAME
                            + " characters");
        }
        return name == null ? "" : name;
    }

    private PluginManifest.@Nullable Author author(@Nullable JsonValue value) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof JsonValue.Members author)) {
            notes.error(value.line(), "author: write an object here, with name, email and url");
            return null;
        }
        author.values().forEach((name, member) -> {
            if (!OF_AUTHOR.contains(name)) {
                notes.error(member.line(), "author: " + Quoted.of(name) + " is not a member; only name, email and url");
            }
        });
        return new PluginManifest.Author(
                notes.text(author, "author.", "name"),
                notes.text(author, "author.", "email"),
                notes.text(author, "author.", "url"));
    }

    /// Programs ignore what they do not know here, whatever it is (section 8.1).
    private void extensions(@Nullable JsonValue value) {
        if (value == null) {
            return;
        }
        if (!(value instanceof JsonValue.Members(int line, Map<String, JsonValue> all))) {
            notes.warning(value.line(), "extensions: programs ignore it, because it is not an object");
            return;
        }
        all.forEach((name, extension) -> {
            if (!(extension instanceof JsonValue.Members)) {
                notes.warning(extension.line(), "extensions: " + Quoted.of(name) + " is not an object");
            } else if (name.indexOf('.') < 1) {
                notes.warning(
                        extension.line(),
                        "extensions: " + Quoted.of(name)
                                + " is not a reversed domain name, such as com.example.client");
            }
        });
    }
}
