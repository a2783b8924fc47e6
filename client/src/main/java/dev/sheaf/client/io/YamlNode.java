package dev.sheaf.client.io;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// A value of a YAML document, which knows its line. Texts stay as they are written: `1.10` is no number.
public record YamlNode(Node node) {
    /// Something in a document is not as it must be.
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

        /// From 1.
        public int line() {
            return line;
        }
    }

    private static final int LONGEST = 16 << 20;

    /// @throws Wrong where the text is no YAML document, or an empty one
    public static YamlNode parse(String text) {
        var settings = LoadSettings.builder()
                .setCodePointLimit(LONGEST)
                .setMaxAliasesForCollections(0)
                .build();
        try {
            return new YamlNode(new Compose(settings)
                    .composeString(text)
                    .orElseThrow(() -> new Wrong(1, "there is nothing in it")));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new Wrong(line, "this is no YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new Wrong(1, "this is no YAML: " + e.getMessage());
        } catch (StackOverflowError e) {
            throw new Wrong(1, "this is nested too deeply");
        }
    }

    /// From 1.
    public int line() {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    public Wrong wrong(String message) {
        return new Wrong(line(), message);
    }

    /// The members in the order of the document.
    public Map<String, YamlNode> members() {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("there must be members here, such as \"name: value\"");
        }
        var members = new LinkedHashMap<String, YamlNode>();
        for (var tuple : mapping.getValue()) {
            var key = new YamlNode(tuple.getKeyNode());
            if (members.put(key.text(), new YamlNode(tuple.getValueNode())) != null) {
                throw key.wrong("\"" + key.text() + "\" is there twice");
            }
        }
        return members;
    }

    /// A member that must be there.
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
        throw wrong("there must be a list here, each item after a \"-\"");
    }

    public String text() {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong("there must be a text here");
    }

    /// Whether nothing stands there: `name:` or `name: null`.
    public boolean isNull() {
        return node instanceof ScalarNode scalar
                && scalar.isPlain()
                && (scalar.getValue().isEmpty()
                        || scalar.getValue().equals("null")
                        || scalar.getValue().equals("~"));
    }
}
