package dev.sheaf.cli.completion;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Writes the manual page sheaf(1) with the `--help` texts of all commands, in the format of man(1).
final class ManPage {
    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    static String text(CommandLine root) {
        var man = new ManPage();
        String version = Arrays.stream(root.getCommandSpec().version()).collect(Collectors.joining());
        man.request("TH", "SHEAF", "1", "", version);
        man.request("SH", "NAME");
        man.line("sheaf - publishes and fetches bundles");
        man.request("SH", "SYNOPSIS");
        man.request("B", "sheaf");
        man.line("COMMAND [OPTION]... [ARGUMENT]...");
        man.request("SH", "DESCRIPTION");
        man.lines(root.getCommandSpec().usageMessage().description());
        man.line("");
        man.request("PP");
        man.line("sheaf COMMAND --help shows this for one command.");
        man.request("SH", "COMMANDS");
        man.commands(root);
        man.request("SH", "EXIT STATUS");
        root.getCommandSpec().usageMessage().exitCodeList().forEach((code, meaning) -> {
            man.request("TP");
            man.line(code.strip());
            man.line(meaning);
        });
        man.request("SH", "ENVIRONMENT");
        man.line(
                "SHEAF_API_KEY, SHEAF_URL, SHEAF_CACHE_DIR, SHEAF_CA_FILE, SHEAF_ID_TOKEN, SHEAF_DEBUG, NO_COLOR, COLUMNS and the"
                        + " variables of proxies; docs/cli-settings.md of the package explains them.");
        return man.page.toString();
    }

    private void commands(CommandLine parent) {
        parent.getSubcommands().values().stream().distinct().forEach(command -> {
            if (command.getCommandSpec().usageMessage().hidden()) {
                return;
            }
            if (command.getSubcommands().isEmpty()) {
                command(command);
            } else {
                commands(command);
            }
        });
    }

    private void command(CommandLine command) {
        var spec = command.getCommandSpec();
        request("SS", spec.qualifiedName());
        lines(spec.usageMessage().description());
        spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .forEach(parameter -> {
                    request("TP");
                    request("I", parameter.paramLabel());
                    described(parameter);
                });
        spec.options().stream()
                .filter(option -> !option.hidden() && !option.usageHelp())
                .forEach(this::option);
        for (String line : spec.usageMessage().footer()) {
            if (!line.isBlank()) {
                request("PP");
                line(line);
            }
        }
    }

    private void option(OptionSpec option) {
        request("TP");
        String value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
        request("B", String.join(", ", option.names()) + value);
        described(option);
    }

    private void described(ArgSpec argument) {
        lines(argument.description());
    }

    private void lines(String... lines) {
        Arrays.stream(lines).forEach(this::line);
    }

    private void request(String name, String... arguments) {
        page.append('.').append(name);
        for (String argument : arguments) {
            page.append(" \"").append(escaped(argument).replace("\"", "\\(dq")).append('"');
        }
        page.append('\n');
    }

    /// Appends a line of text. Escapes a dot or a quote at its start, which roff would take for a request.
    private void line(String text) {
        String escaped = escaped(text.replace("%n", " "));
        page.append(escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "")
                .append(escaped)
                .append(escaped.isEmpty() ? "" : "\n");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
    }
}
