package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.bundle.BundleDraft;
import dev.sheaf.client.bundle.BundleFile;
import dev.sheaf.client.bundle.PluginDraft;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.RepositoryName;
import java.nio.file.Path;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The command `sheaf init`.
public final class InitCommand extends CliCommand {
    private final Shell shell;
    private final Output output;
    private final RequiredValue<RepositoryName> bundle = BundleCommands.bundle(this);
    private final OptionalValue<Path> folder =
            optionalArgument(Path.class, "DIR", "The directory. Default: the current one.");
    private final FlagOption plugin =
            flag("--plugin", "Also write a first plugin.json, so that agent programs take the bundle for a plugin.");
    private final FlagOption force = flag("--force", "Replace an existing sheaf.yaml and plugin.json.");

    public InitCommand(Shell shell) {
        super(
                "init",
                "Writes a first sheaf.yaml, and a skill if the folder is empty. Prints the path of"
                        + " each file it wrote.");
        this.shell = shell;
        this.output = use(new Output(shell));
        setWork(this::write);
    }

    /// The JSON of what was written.
    ///
    /// @param plugin null if it was not asked for
    /// @param skill null if the directory was not empty
    record Shown(
            String file, @Nullable String plugin, @Nullable String skill) {}

    private ExitCode write() {
        Path from = folder.or(Path.of(""));
        SourceFolder.check(this, from);
        var texts = new TreeMap<>(BundleDraft.texts(from, bundle.get(), new TransferDisplay(shell, output)));
        var skill = texts.keySet().stream()
                .filter(name -> name.endsWith("SKILL.md"))
                .findFirst();
        if (plugin.isGiven()) {
            texts.put(PluginDraft.NAME, PluginDraft.text(bundle.get().bundle()));
        }
        var written = BundleDraft.write(from, texts, force.isGiven());
        output.show(
                new Shown(
                        from.resolve(BundleFile.NAME).toString(),
                        plugin.isGiven() ? from.resolve(PluginDraft.NAME).toString() : null,
                        skill.map(name -> from.resolve(name).toString()).orElse(null)),
                to -> written.forEach(to.out()::println),
                () -> written);
        String where = from.toString().isEmpty() ? "" : " " + ShellWord.of(from);
        output.say((skill.isPresent() ? "write the skill, check it, then" : "check it, then") + ": sheaf lint" + where
                + " and sheaf push" + where);
        return ExitCode.OK;
    }
}
