package dev.sheaf.model.skill;

import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.model.text.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// Parses the YAML of an untrusted front matter. It refuses aliases, which could expand a short document to a
/// huge one, and limits depth and size.
final class SkillYaml {
    private static final int MAX_DEPTH = 8;
    private static final int MAX_VALUES = 2_000;

    private final ParserImpl events;
    private final int lines;
    private int values;

    private SkillYaml(String text, int lines) {
        var settings =
                LoadSettings.builder().setCodePointLimit(text.length() + 1).build();
        this.events = new ParserImpl(settings, new StreamReader(settings, YamlText.of(text)));
        this.lines = lines;
    }

    /// @param lines the number of lines before the text in the file
    /// @throws SkillText.Wrong if it is not valid YAML, or exceeds a limit
    static SkillValue read(String text, int lines) {
        var yaml = new SkillYaml(text, lines);
        try {
            return yaml.document();
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new SkillText.Wrong(lines + line, "not valid YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new SkillText.Wrong(lines + 1, "not valid YAML: " + e.getMessage());
        } catch (IllegalArgumentException e) { // of the library, for an escape without digits
            throw new SkillText.Wrong(lines + 1, "not valid YAML: an escape is wrong");
        }
    }

    private SkillValue document() {
        events.next(); // stream start
        if (events.checkEvent(Event.ID.StreamEnd)) {
            throw new SkillText.Wrong(lines + 1, "the front matter is empty");
        }
        events.next(); // document start
        var root = value(0);
        events.next();
        if (!events.checkEvent(Event.ID.StreamEnd)) {
            throw wrong(events.peekEvent(), "a second document begins here");
        }
        return root;
    }

    private SkillValue value(int depth) {
        var event = events.next();
        values++;
        if (values > MAX_VALUES) {
            throw wrong(event, "there are more than " + MAX_VALUES + " values");
        }
        if (depth > MAX_DEPTH) {
            throw wrong(event, "it is nested too deeply");
        }
        return switch (event) {
            case ScalarEvent text -> new SkillValue.Text(line(text), checked(text), text.isPlain());
            case SequenceStartEvent start -> new SkillValue.Items(line(start), items(depth));
            case MappingStartEvent start -> new SkillValue.Members(line(start), members(depth));
            case AliasEvent alias -> throw wrong(alias, "there is an alias (*) here; write the value itself");
            default -> throw wrong(event, "a value is missing here");
        };
    }

    /// Refuses control characters, which escapes can add to a string even though a document cannot contain
    /// them. Programs show these strings on terminals, in lists of skills.
    private String checked(ScalarEvent event) {
        String text = event.getValue();
        if (!Unicode.isWellFormed(text) || text.chars().anyMatch(c -> Character.isISOControl(c) && !isBlank(c))) {
            throw wrong(event, "an escape here stands for a control character or half a character; remove it");
        }
        return text;
    }

    private static boolean isBlank(int c) {
        return c == '\t' || c == '\n' || c == '\r' || c == 0x85;
    }

    private List<SkillValue> items(int depth) {
        var items = new ArrayList<SkillValue>();
        while (!events.checkEvent(Event.ID.SequenceEnd)) {
            items.add(value(depth + 1));
        }
        events.next();
        return items;
    }

    private LinkedHashMap<String, SkillValue> members(int depth) {
        var members = new LinkedHashMap<String, SkillValue>();
        while (!events.checkEvent(Event.ID.MappingEnd)) {
            var event = events.peekEvent();
            if (!(value(depth + 1) instanceof SkillValue.Text name)) {
                throw wrong(event, "the name of a field must be a string");
            }
            if (members.put(name.value(), value(depth + 1)) != null) {
                throw wrong(event, Quoted.of(name.value()) + " appears twice");
            }
        }
        events.next();
        return members;
    }

    private int line(Event event) {
        return lines + event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    private SkillText.Wrong wrong(Event event, String message) {
        return new SkillText.Wrong(line(event), message);
    }
}
