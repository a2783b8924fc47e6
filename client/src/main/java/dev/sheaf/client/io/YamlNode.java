package dev.sheaf.client.io;

import dev.sheaf.model.text.YamlText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// A value of a YAML document with its line. Scalars remain strings as written: `1.10` is not a number.
public record YamlNode(Node node) {
    /// Thrown if something in a document is invalid.
    public static final class Wrong extends RuntimeException {
        private final int line;
        private final String message;

        Wrong(int line, String message) {
            super(message);
            this.line = line;
            this.message = message;
        }

        @Override
        public String getMessage() {
            return message;
        }

        /// Returns the line, from 1.
        public int line() {
            return line;
        }
    }

    private static final int LONGEST = 16 << 20;

    /// @throws Wrong if the text is not a YAML document, or is empty
    public static YamlNode parse(String text) {
        var settings = LoadSettings.builder()
                .setCodePointLimit(LONGEST)
                .setMaxAliasesForCollections(0)
                .build();
        try {
            var parser = new ParserImpl(settings, new StreamReader(settings, YamlText.of(text)));
            return new YamlNode(new Composer(settings, parser)
                    .getSingleNode()
                    .orElseThrow(() -> new Wrong(1, "the document is empty")));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new Wrong(line, "not valid YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new Wrong(1, "not valid YAML: " + e.getMessage());
        } catch (StackOverflowError e) {
            throw new Wrong(1, "nested too deeply");
        }
    }

    /// Returns the line, from 1.
    public int line() {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    public Wrong wrong(String message) {
        return new Wrong(line(), message);
    }

    /// Returns the members in the order of the document.
    public Map<String, YamlNode> members() {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("a mapping is expected here, such as \"name: value\"");
        }
        var members = new LinkedHashMap<String, YamlNode>();
        for (var tuple : mapping.getValue()) {
            var key = new YamlNode(tuple.getKeyNode());
            if (members.put(key.text(), new YamlNode(tuple.getValueNode())) != null) {
                throw key.wrong("\"" + key.text() + "\" appears twice");
            }
        }
        return members;
    }

    /// Returns a required member.
    public YamlNode member(String name) {
        var member = members().get(name);
        if (member == null) {
            throw wrong("\"" + name + "\" is missing");
        }
        return member;
    }

    public List<YamlNode> items() {
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue().stream().map(YamlNode::new).toList();
        }
        throw wrong("a list is expected here, with each item after a \"-\"");
    }

    public String text() {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong("a string is expected here");
    }

    /// Returns whether the value is null or missing: `name:` or `name: null`.
    public boolean isNull() {
        return node instanceof ScalarNode scalar
                && scalar.isPlain()
                && (scalar.getValue().isEmpty()
                        || scalar.getValue().equals("null")
                        || scalar.getValue().equals("~"));
    }
}
