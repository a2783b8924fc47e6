package dev.sheaf.cli;

import dev.sheaf.cli.terminal.TextFormat;
import java.util.HashMap;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/// Breaks the lines of help between words. picocli also breaks lines inside words such as
/// `acme/java-kit:1.0.0`, so it gets a width at which it never breaks a line.
final class HelpLayout {
    private static final int UNBROKEN = 4_000;
    private static final Pattern ESCAPE = Pattern.compile("\u001b\\[[0-9;]*m");
    /// An option or a parameter, and the gap before its description.
    private static final Pattern LABEL = Pattern.compile("^ *\\S.*? {2,}(?=\\S)");

    private static final int HANGING = 2;
    private static final int HANGING_EXAMPLE = 4;

    private HelpLayout() {}

    /// @param columns returns the width of help; called only if help is shown
    static void apply(CommandLine root, IntSupplier columns) {
        root.setUsageHelpWidth(UNBROKEN);
        var sections = new HashMap<String, IHelpSectionRenderer>(root.getHelpSectionMap());
        sections.replaceAll((section, renderer) -> help -> broken(section, renderer.render(help), help, columns));
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, _ -> "");
        sections.put(
                UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
                help -> lines(HelpCommands.list(help), columns.getAsInt(), true));
        var options = Objects.requireNonNull(sections.get(UsageMessageSpec.SECTION_KEY_OPTION_LIST));
        sections.put(
                UsageMessageSpec.SECTION_KEY_OPTION_LIST,
                help -> help.commandSpec().parent() == null ? HelpCommands.start(help) : options.render(help));
        root.setHelpSectionMap(sections);
    }

    private static String broken(String section, String text, Help help, IntSupplier columns) {
        if (!text.endsWith("\n")) {
            return text; // empty, or "Usage: "
        }
        return switch (section) {
            case UsageMessageSpec.SECTION_KEY_SYNOPSIS -> synopsis(text, help, columns.getAsInt());
            case UsageMessageSpec.SECTION_KEY_OPTION_LIST,
                    UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
                    UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST -> lines(text, columns.getAsInt(), true);
            default -> lines(text, columns.getAsInt(), false);
        };
    }

    private static String synopsis(String text, Help help, int columns) {
        int heading = help.synopsisHeadingLength();
        int indent = heading + help.commandSpec().qualifiedName().length() + 1;
        return wrapped("", text.strip(), heading, indent, columns) + "\n";
    }

    /// @param labels whether lines begin with a label; continuation lines then align with the descriptions
    private static String lines(String text, int columns, boolean labels) {
        return text.isEmpty()
                ? ""
                : text.lines().map(line -> line(line, columns, labels)).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String line(String line, int columns, boolean labels) {
        String visible = ESCAPE.matcher(line).replaceAll("");
        if (visible.length() <= columns) {
            return line;
        }
        var label = LABEL.matcher(visible);
        boolean labelled = labels && label.find();
        int begin = labelled
                ? label.end()
                : visible.length() - visible.stripLeading().length();
        int hanging = labels ? HANGING : begin > 0 ? HANGING_EXAMPLE : 0;
        int cut = raw(line, begin);
        return wrapped(line.substring(0, cut), line.substring(cut), begin, begin + hanging, columns);
    }

    /// Returns the index at which a column begins in a line with escape sequences.
    private static int raw(String line, int column) {
        int at = 0;
        var escape = ESCAPE.matcher(line);
        for (int seen = 0; seen < column; seen++) {
            while (escape.region(at, line.length()).lookingAt()) {
                at = escape.end();
            }
            at++;
        }
        return at;
    }

    private static String wrapped(String label, String text, int begin, int indent, int columns) {
        var out = new StringBuilder(label);
        int column = begin;
        boolean first = true;
        for (String word : text.split(" ")) {
            int width = TextFormat.width(ESCAPE.matcher(word).replaceAll(""));
            if (!first && column + 1 + width > columns) {
                out.append('\n').append(" ".repeat(indent));
                column = indent;
            } else if (!first) {
                out.append(' ');
                column++;
            }
            out.append(word);
            column += width;
            first = false;
        }
        return out.toString();
    }
}
