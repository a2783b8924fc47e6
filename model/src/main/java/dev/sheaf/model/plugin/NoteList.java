package dev.sheaf.model.plugin;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.skill.SkillNote.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Collects notes about a file, and reads members that must have a type.
final class NoteList {
    private static final int MAX_NOTES = 50;

    private final LogicalPath path;
    private final List<SkillNote> notes = new ArrayList<>();

    NoteList(LogicalPath path) {
        this.path = path;
    }

    List<SkillNote> all() {
        return List.copyOf(notes);
    }

    void error(int line, String message) {
        add(Level.ERROR, line, message);
    }

    void warning(int line, String message) {
        add(Level.WARNING, line, message);
    }

    private void add(Level level, int line, String message) {
        if (notes.size() < MAX_NOTES) {
            notes.add(new SkillNote(path, level, line, message));
        }
    }

    boolean hasErrors() {
        return notes.stream().anyMatch(note -> note.level() == Level.ERROR);
    }

    /// Returns a string; null, with an error if it is there but of another type.
    ///
    /// @param where what precedes the name in the error, such as `author.`
    @Nullable
    String text(JsonValue.Members members, String where, String name) {
        var value = members.values().get(name);
        if (value instanceof JsonValue.Text text) {
            return text.value();
        }
        if (value != null) {
            error(value.line(), where + name + ": write a string here");
        }
        return null;
    }

    /// Returns a list of strings; empty if it is missing, or with an error if it is something else.
    List<String> texts(JsonValue.Members members, String where, String name) {
        var value = members.values().get(name);
        var texts = new ArrayList<String>();
        if (value == null) {
            return texts;
        }
        boolean isList = value instanceof JsonValue.Items;
        if (value instanceof JsonValue.Items(int line, List<JsonValue> items)) {
            for (var item : items) {
                isList &= item instanceof JsonValue.Text;
                if (item instanceof JsonValue.Text text) {
                    texts.add(text.value());
                }
            }
        }
        if (!isList) {
            error(value.line(), where + name + ": write a list of strings here");
        }
        return texts;
    }

    /// Returns an object of strings; empty if it is missing, or with an error if it is something else.
    Map<String, String> textMap(JsonValue.Members members, String where, String name) {
        var value = members.values().get(name);
        var texts = new LinkedHashMap<String, String>();
        if (value == null) {
            return texts;
        }
        boolean isMap = value instanceof JsonValue.Members;
        if (value instanceof JsonValue.Members(int line, Map<String, JsonValue> inner)) {
            for (var member : inner.entrySet()) {
                isMap &= member.getValue() instanceof JsonValue.Text;
                if (member.getValue() instanceof JsonValue.Text text) {
                    texts.put(member.getKey(), text.value());
                }
            }
        }
        if (!isMap) {
            error(value.line(), where + name + ": write an object of strings here");
        }
        return texts;
    }
}
