package dev.sheaf.cli;

import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Help.ColorScheme;

/// The look of help on a terminal: styles, no colours. Yellow, picocli's colour of options, is hard to see on a
/// light background.
final class HelpStyles {
    private HelpStyles() {}

    static ColorScheme of(boolean coloured) {
        return new ColorScheme.Builder(coloured ? Ansi.ON : Ansi.OFF)
                .commands(Style.bold)
                .options(Style.bold)
                .parameters(Style.bold)
                .optionParams(Style.italic)
                .errors(Style.fg_red, Style.bold)
                .build();
    }
}
