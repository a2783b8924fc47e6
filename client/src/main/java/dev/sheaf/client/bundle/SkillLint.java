package dev.sheaf.client.bundle;

import dev.sheaf.client.http.Failures;
import dev.sheaf.client.io.Disk;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.client.io.YamlNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Checks the front matter of a SKILL.md by the Agent Skills specification (agentskills.io): a YAML document
/// between two lines `---` with a name, which is that of the folder, and a description.
final class SkillLint {
    private static final String FENCE = "---";
    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_DESCRIPTION = 1024;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(?:-[a-z0-9]+)*");
    private static final Set<String> KNOWN =
            Set.of("name", "description", "license", "compatibility", "metadata", "allowed-tools");

    private final String file;
    private final List<Finding> findings = new ArrayList<>();

    private SkillLint(String file) {
        this.file = file;
    }

    static List<Finding> check(LocalAsset asset) {
        var lint = new SkillLint(asset.path().value());
        try {
            lint.check(beginning(asset), asset);
        } catch (CharacterCodingException e) {
            lint.error(0, "this is no text in UTF-8");
        } catch (YamlNode.Wrong e) {
            lint.error(e.line() + 1, e.getMessage()); // the front matter begins on the second line
        } catch (IOException e) {
            throw Disk.failed("cannot read " + asset.file(), e);
        }
        return lint.findings;
    }

    /// The lines that may hold the front matter, of a file however long.
    private static List<String> beginning(LocalAsset asset) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(asset.file(), LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(OwnFile.LONGEST);
        }
        int end = bytes.length;
        while (bytes.length == OwnFile.LONGEST && end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, 0, end))
                .toString()
                .lines()
                .toList();
    }

    private void error(int line, String message) {
        findings.add(Finding.error(file, line, message));
    }

    private void check(List<String> lines, LocalAsset asset) {
        if (lines.isEmpty() || !lines.getFirst().stripTrailing().equals(FENCE)) {
            error(1, "a skill begins with front matter: a line \"---\", name and description, and \"---\" again");
            return;
        }
        int end = 1;
        while (end < lines.size() && !lines.get(end).stripTrailing().equals(FENCE)) {
            end++;
        }
        if (end == lines.size()) {
            error(1, "the front matter has no end; put a line \"---\" behind it");
            return;
        }
        var root = YamlNode.parse(String.join("\n", lines.subList(1, end)) + "\n");
        var members = root.members();
        checkName(members, asset);
        checkText(members, "description", LONGEST_DESCRIPTION);
        members.forEach((name, value) -> {
            if (!KNOWN.contains(name)) {
                findings.add(Finding.warning(
                        file,
                        value.line() + 1,
                        "\"" + Failures.showable(name) + "\" is no member of a skill's front matter"));
            }
        });
    }

    private void checkName(Map<String, YamlNode> members, LocalAsset asset) {
        var node = checkText(members, "name", LONGEST_NAME);
        if (node == null) {
            return;
        }
        String name = node.text();
        var folders = asset.path().folders();
        if (!NAME.matcher(name).matches()) {
            error(node.line() + 1, "name: use a-z, 0-9 and single hyphens between them, as in \"linux-triage\"");
        } else if (!folders.isEmpty() && !folders.getLast().equals(name)) {
            findings.add(Finding.warning(
                    file,
                    node.line() + 1,
                    "name: \"" + name + "\" is not the name of the folder, \"" + folders.getLast() + "\""));
        }
    }

    /// The text, where there is one that is neither empty nor too long, else null.
    private @Nullable YamlNode checkText(Map<String, YamlNode> members, String name, int longest) {
        var node = members.get(name);
        if (node == null || node.isNull() || node.text().isBlank()) {
            error(node == null ? 2 : node.line() + 1, "\"" + name + "\" is missing");
            return null;
        }
        int length = node.text().codePointCount(0, node.text().length());
        if (length > longest) {
            error(node.line() + 1, name + ": " + length + " characters; at most " + longest);
            return null;
        }
        return node;
    }
}
