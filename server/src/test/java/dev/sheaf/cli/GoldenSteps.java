package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// How the steps of a walk through commands are written down, with one form of output.
class GoldenSteps {
    final TestApp app;
    final Path work;
    final Output.Format format;
    final Recorder recorder;
    private final Changing changing;
    private final Map<String, String> shown = new LinkedHashMap<>();

    GoldenSteps(TestApp app, Path work, Output.Format format) throws IOException {
        this.app = app;
        this.work = Files.createDirectories(work);
        this.format = format;
        this.recorder = new Recorder(work.resolve("home"), app.url());
        this.changing = new Changing(app.url(), work);
        recorder.environment().put("SHEAF_API_KEY", app.admin());
    }

    /// What was seen, by the name of the command.
    Map<String, String> shown() {
        return shown;
    }

    /// Runs a command without a terminal; the name of its file is that of the command.
    Recorder.Ran step(String file, String... arguments) {
        return step(file, "", false, arguments);
    }

    Recorder.Ran step(String file, String input, boolean terminal, String... arguments) {
        var line = new ArrayList<>(List.of(arguments));
        if (format != Output.Format.HUMAN) {
            int end = line.indexOf("--"); // behind which nothing is read as an option
            line.addAll(end < 0 ? line.size() : end, List.of("--format", format.toString()));
        }
        var ran = recorder.run(input, terminal, line.toArray(String[]::new));
        String typed = line.stream()
                .map(word -> word.matches("[A-Za-z0-9_./:@%+=,-]+") ? word : "'" + word + "'")
                .collect(Collectors.joining(" "));
        String heading =
                "\n$ sheaf " + typed + (terminal ? "    (on a terminal, answering " + input.strip() + ")" : "");
        String exit = ran.status() == 0 ? "" : "[exit status " + ran.status() + "]\n";
        shown.merge(file, changing.fixed(file, heading + "\n" + ran.seen() + exit), String::concat);
        return ran;
    }

    /// A step that must succeed.
    Recorder.Ran done(String file, String... arguments) {
        var ran = step(file, arguments);
        assertThat(ran.status())
                .as(String.join(" ", arguments) + "\n" + ran.seen())
                .isZero();
        return ran;
    }

    /// What looks the same in every form: a failure.
    void once(String file, String... arguments) {
        failing(file, "", false, arguments);
    }

    void failing(String file, String input, boolean terminal, String... arguments) {
        if (format == Output.Format.HUMAN) {
            step(file, input, terminal, arguments);
        }
    }

    /// Prepares something that is not written down; what it printed for scripts.
    String quietly(String... arguments) {
        var line = new ArrayList<>(List.of(arguments));
        line.addAll(List.of("--format", "quiet"));
        var ran = recorder.run("", false, line.toArray(String[]::new));
        assertThat(ran.status())
                .as(String.join(" ", arguments) + "\n" + ran.seen())
                .isZero();
        return ran.out().strip();
    }

    String path(String name) {
        return work.resolve(name).toString();
    }

    void file(String name, String text) throws IOException {
        Path file = work.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /// Goes on with this key; the one before.
    String as(String key) {
        return String.valueOf(recorder.environment().put("SHEAF_API_KEY", key));
    }

    /// The access token of somebody who signs in.
    String session(String email, String password) {
        return app.signIn(email, password).json().get("accessToken").stringValue();
    }
}
