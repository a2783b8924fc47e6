package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.LockOption;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.Verification;
import dev.sheaf.client.api.Verification.State;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.client.lock.LockFile;
import dev.sheaf.model.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "verify",
        description = "Compares files on disk with the digests of a bundle. Changes nothing. Exit status 7 if a "
                + "file is missing or differs.")
public final class VerifyCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Mixin
    private final Output output;

    @Parameters(index = "0", paramLabel = "REF", description = "The bundle that the directory should contain.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Reference reference;

    @Parameters(index = "1", arity = "0..1", paramLabel = "DIR", description = "The directory. Default: ./<bundle>.")
    private @Nullable Path folder;

    @Option(names = "--frozen", description = "Compare with the digests of the lock file, without asking the registry.")
    private boolean frozen;

    @Option(names = "--strict", description = "Count files that are not part of the bundle as a failure, too.")
    private boolean strict;

    @Mixin
    private final LockOption lock = new LockOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public VerifyCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    /// The JSON of a comparison.
    record Shown(String directory, String bundle, String version, String digest, boolean whole, List<File> files) {
        record File(String path, String state) {}

        static Shown of(Path folder, Verification found) {
            return new Shown(
                    folder.toString(),
                    found.bundle(),
                    found.version(),
                    found.manifestDigest().toString(),
                    found.isWhole(),
                    found.files().stream()
                            .map(file -> new File(file.path(), word(file.state())))
                            .toList());
        }
    }

    private static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Integer call() {
        if (folder != null && !Files.exists(folder) && Files.isDirectory(Path.of(reference.toString()))) {
            throw new ParameterException(
                    spec.commandLine(), "the reference comes first: sheaf verify " + folder + " " + reference);
        }
        if (folder != null) {
            SourceFolder.check(spec, folder);
        }
        Path target = folder == null ? Path.of(reference.repository().bundle().value()) : folder;
        var found = frozen ? SheafClient.verify(locked(), target) : compareWithRegistry(target);
        var wrong =
                found.files().stream().filter(file -> file.state() != State.OK).toList();
        long refused = found.count(State.REFUSED);
        output.show(
                Shown.of(target, found),
                shell -> wrong.forEach(
                        file -> shell.out().printf("%-8s %s%n", word(file.state()), Text.showable(file.path()))),
                () -> wrong.stream().map(Verification.Checked::path).toList());
        output.say(target + " compared with " + found.bundle() + ":" + found.version() + ": " + found.count(State.OK)
                + " right, " + found.count(State.MISSING) + " missing, " + found.count(State.CHANGED) + " changed, "
                + found.count(State.EXTRA) + " extra" + (refused == 0 ? "" : ", " + refused + " refused")
                + (found.count(State.MODE) > 0 ? ", " + found.count(State.MODE) + " with a different mode" : ""));
        if (found.isWhole() && !(strict && found.count(State.EXTRA) > 0)) {
            return ExitCode.OK.status();
        }
        output.say("  to repair it: sheaf pull " + found.bundle() + "@" + found.manifestDigest() + " -o "
                + ShellWord.of(target) + (found.count(State.CHANGED) + found.count(State.MODE) > 0 ? " --force" : "")
                + connection.typed());
        return ExitCode.INTEGRITY.status();
    }

    private Verification compareWithRegistry(Path target) {
        try (var client = connection.open()) {
            return client.verify(reference, target);
        }
    }

    private LockEntry locked() {
        var locked = LockFile.read(lock.file());
        return locked.find(connection.url(), reference)
                .orElseThrow(() -> LockCommand.missing(reference, connection, locked, lock, "verify"));
    }
}
