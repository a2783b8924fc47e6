package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Confirmation;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.InputText;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.DesktopBrowser;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Hub;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.DependentBundle;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.model.wire.hub.HubSkill;
import dev.sheaf.model.wire.hub.StarStatus;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Commands that find and describe bundles, and those that change a bundle as a whole.
public final class BundleCommands {
    private static final int MOST_FOUND = 1000;

    /// The calls of a command about the bundles of an organization.
    private record Calls(SheafClient client, @Nullable String organization) {}

    /// The JSON of an opened page.
    private record Opened(String url, boolean opened) {}

    private BundleCommands() {}

    static RequiredValue<RepositoryName> bundle(CliCommand command) {
        return command.argument(RepositoryName.class, "BUNDLE", "namespace/bundle.");
    }

    public static CliCommand search(Connection connection) {
        var command =
                ResourceCommand.of(connection, "search", "Finds public bundles. Without words, lists all of them.");
        var words = command.arguments(
                String.class, "0..*", "WORD", "Every word must occur, or a word that begins with it.");
        var type = command.option(
                AssetType.class, "--type", "TYPE", "skill, agent_spec, toolset, prompt, config, plugin, mcp or other.");
        var namespace = command.option(
                Namespace.class, "--publisher --namespace", "NS", "Only bundles of this publisher, a namespace.");
        var license = command.option("--license", "LICENSE", "Only with this license, such as MIT; none: not stated.");
        var tool = command.option("--tool", "TOOL", "Only with skills that ask for this tool, such as Bash; or none.");
        var scripts = command.option(
                Hub.Scripts.class, "--scripts", "WHICH", "some: only bundles with something that runs; none: without.");
        var signed = command.flag("--signed", "Only bundles whose latest version has a signature.");
        var clean = command.flag("--clean", "Only those that were read as a whole, without a finding.");
        var workflow = command.flag("--workflow", "Only those that a workflow published.");
        var sort = command.option(
                Hub.Sort.class, "--sort", "ORDER", "relevance (the default), recent, downloads, stars or trending.");
        var typedLimit =
                command.option(Integer.class, "--limit", "N", "Maximum number of results, 1 to 1000. Default: 20.");
        Supplier<Integer> limit = () -> typedLimit.or(20);
        return command.check(() -> command.refuse(
                        limit.get() < 1 || limit.get() > MOST_FOUND, "--limit takes a number from 1 to " + MOST_FOUND))
                .run(client -> show(
                        command.output,
                        client.hub()
                                .find(new Hub.Search(
                                        String.join(" ", words.get()),
                                        type.get(),
                                        namespace.get(),
                                        license.get(),
                                        tool.get(),
                                        scripts.get(),
                                        flags(Map.of(
                                                Hub.Flag.SIGNED, signed,
                                                Hub.Flag.CLEAN, clean,
                                                Hub.Flag.WORKFLOW, workflow)),
                                        sort.or(Hub.Sort.RELEVANCE),
                                        limit.get()))));
    }

    private static Set<Hub.Flag> flags(Map<Hub.Flag, FlagOption> options) {
        return options.entrySet().stream()
                .filter(option -> option.getValue().isGiven())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static void show(Output output, Hub.Found found) {
        String other = found.suggestion() == null ? "" : "; did you mean: " + TextFormat.showable(found.suggestion());
        output.list(
                found.bundles(),
                BundleCommands::reference,
                new Table<HubBundle>()
                        .column("BUNDLE", BundleCommands::reference)
                        .column("HIGHEST", HubBundle::latestVersion)
                        .number("SKILLS", HubBundle::skillsCount)
                        .number("DOWNLOADS", HubBundle::downloadsTotal)
                        .number("STARS", HubBundle::starsCount)
                        .column("STATE", BundleCommands::state)
                        .column(
                                "ABOUT",
                                bundle -> bundle.summary().isEmpty() ? bundle.displayName() : bundle.summary()),
                "no public bundle matches" + other + "; private ones are listed by: sheaf bundles");
        if (output.format() == Output.Format.HUMAN && !found.skills().isEmpty()) {
            output.human(TextFormat.count(found.skills().size(), "matching skill") + " in these bundles:");
            output.list(
                    found.skills(),
                    HubSkill::name,
                    new Table<HubSkill>()
                            .column("SKILL", HubSkill::name)
                            .column("BUNDLE", HubSkill::bundle)
                            .column("ABOUT", HubSkill::description),
                    "");
        }
        Long total = found.total();
        if (total != null && total > found.bundles().size()) {
            output.human(found.bundles().size() + " of " + (found.isTotalExact() ? "" : "at least ")
                    + TextFormat.count(total, "bundle") + "; --limit shows more");
        } else if (total != null && total > 0) {
            output.human(TextFormat.count(total, "bundle"));
        }
    }

    /// Returns what is remarkable about the latest version, in the words of the options and pages.
    private static @Nullable String state(HubBundle bundle) {
        var words = new ArrayList<String>();
        if (Boolean.TRUE.equals(bundle.isDeprecated())) {
            words.add("deprecated");
        }
        if (bundle.isSigned()) {
            words.add("signed");
        }
        if (bundle.findings() > 0) {
            words.add(TextFormat.count(bundle.findings(), "finding"));
        }
        if ("part".equals(bundle.readExtent())) {
            words.add("read in part");
        } else if ("none".equals(bundle.readExtent())) {
            words.add("not read yet");
        }
        return words.isEmpty() ? null : String.join(", ", words);
    }

    private static String reference(HubBundle bundle) {
        return bundle.publisher().handle() + "/" + bundle.slug();
    }

    public static CliCommand list(Connection connection) {
        var command = ResourceCommand.ofOrganization(
                connection,
                Calls::new,
                "bundles",
                "Lists the bundles of namespaces, private ones included. Without a namespace: all of your organization.");
        var namespaces = command.arguments(Namespace.class, "0..*", "NAMESPACE", "Such as acme.");
        var visibility =
                command.option(Visibility.class, "--visibility", "VISIBILITY", "Only public or only private bundles.");
        var text = command.option("--matching", "TEXT", "Only bundles with this text in slug, name or description.");
        return command.list(
                calls -> (namespaces.isGiven() ? namespaces.get() : own(calls))
                        .stream()
                                .flatMap(namespace ->
                                        calls.client().bundles(namespace, text.or(""), Integer.MAX_VALUE).stream())
                                .filter(bundle -> !visibility.isGiven()
                                        || bundle.visibility().equals(String.valueOf(visibility.get())))
                                .toList(),
                BundleRecord::ref,
                new Table<BundleRecord>()
                        .column("BUNDLE", BundleRecord::ref)
                        .column("VISIBILITY", BundleRecord::visibility)
                        .column("CHANGED", BundleRecord::updatedAt)
                        .column("NAME", BundleRecord::name),
                "no bundle matches");
    }

    private static List<Namespace> own(Calls calls) {
        return calls.client().organization(calls.organization()).namespaces().stream()
                .map(namespace -> Namespace.parse(namespace.handle()))
                .toList();
    }

    public static CliCommand open(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "open",
                "Opens the page of a bundle in the browser. Prints its address if there is no browser or no terminal. "
                        + "The page of a private bundle asks you to sign in.");
        var bundle = bundle(command);
        var print = command.flag("--print", "Print only the address.");
        return command.run(client -> {
            var info = client.bundle(bundle.get()).info();
            // Built from the registry's own address and a valid name; no part of it comes from a response.
            URI page = connection
                    .url()
                    .at("/" + bundle.get().namespace() + "/" + bundle.get().bundle());
            var shell = connection.shell();
            boolean opened = !print.isGiven()
                    && shell.terminal()
                    && command.output.format() == Output.Format.HUMAN
                    && DesktopBrowser.open(page, shell.environment());
            command.output.show(
                    new Opened(page.toString(), opened),
                    to -> (opened ? to.err() : to.out()).println((opened ? "opened " : "") + page),
                    () -> List.of(page));
            if (!info.visibility().equals("public")) {
                command.output.say("note: " + bundle + " is private; sign in to the console to see its page");
            }
        });
    }

    public static CliCommand info(Connection connection) {
        return new InfoCommand(connection);
    }

    static Summary summary(BundleRecord info, @Nullable String latest) {
        return new Summary()
                .line("bundle", info.ref())
                .line("name", info.name())
                .line("about", info.description())
                .line("latest", latest)
                .line("highest", info.latestVersion())
                .line("versions", info.versionCount())
                .line("visibility", info.visibility())
                .line("license", info.license())
                .line("keywords", info.keywords())
                .line("repository", info.repositoryUrl())
                .line("homepage", info.homepageUrl())
                .line("created", info.createdAt())
                .line("deprecated", sentence(info.deprecation()));
    }

    private static @Nullable String sentence(Resolution.@Nullable Deprecation deprecation) {
        if (deprecation == null) {
            return null;
        }
        String message = deprecation.message().isBlank() ? "yes" : deprecation.message();
        return TextFormat.withReplacement(message, deprecation.replacement());
    }

    public static CliCommand versions(Connection connection) {
        var command = ResourceCommand.of(connection, "versions", "Lists the versions of a bundle, the highest first.");
        var bundle = bundle(command);
        return command.run(client -> command.output.list(
                client.bundle(bundle.get()).versions(Integer.MAX_VALUE),
                VersionSummary::version,
                new Table<VersionSummary>()
                        .column("VERSION", VersionSummary::version)
                        .column("STATE", version -> version.recall() == null ? version.state() : "recalled")
                        .column("FINDINGS", BundleCommands::findings)
                        .column("PUBLISHED", VersionSummary::createdAt)
                        .column("DIGEST", VersionSummary::ociDigest)
                        .column("NOTE", BundleCommands::note),
                "no version of " + bundle + " is published yet"));
    }

    public static CliCommand dependents(Connection connection) {
        var command = ResourceCommand.of(connection, "dependents", "Lists the bundles that require a bundle.");
        var bundle = bundle(command);
        return command.run(client -> command.output.list(
                client.bundle(bundle.get()).dependents(Integer.MAX_VALUE),
                DependentBundle::ref,
                new Table<DependentBundle>()
                        .column("BUNDLE", DependentBundle::ref)
                        .column("VERSION", DependentBundle::version)
                        .column("REQUIRES", DependentBundle::range)
                        .column("OPTIONAL", dependent -> dependent.optional() ? "yes" : null),
                "no bundle that you may see requires " + bundle));
    }

    /// Returns the number of findings of a version, with the worst and how much was read, in the words of pages.
    private static @Nullable String findings(VersionSummary version) {
        Integer count = version.findings();
        String extent = version.readExtent();
        if (count == null || "none".equals(extent) && count == 0) {
            return count == null ? null : "not checked";
        }
        String number = count == 0 ? "none" : count + ("high".equals(version.worstFinding()) ? " (high)" : "");
        return number + ("part".equals(extent) ? ", read in part" : "");
    }

    /// Returns what one must know of a version before using it, else what its publisher says is new.
    private static String note(VersionSummary version) {
        var advice = version.deprecation();
        if (version.yankReason() != null) {
            return version.yankReason();
        }
        if (advice == null) {
            return version.message() == null ? "" : version.message().strip().replaceAll("\\s+", " ");
        }
        return "deprecated"
                + (advice.message().isEmpty() ? "" : ": " + advice.message())
                + (advice.replacement() == null ? "" : "; instead: " + advice.replacement());
    }

    public static CliCommand restore(Connection connection) {
        var command = ResourceCommand.of(connection, "restore", "Restores a deleted bundle. Needs the scope admin.");
        var bundle = bundle(command);
        return command.change(
                client -> client.bundle(bundle.get()).restore(),
                BundleRecord::ref,
                back -> back.ref() + " is restored, " + back.visibility());
    }

    public static CliCommand visibility(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "visibility",
                "Shows or changes who may read a bundle. Everybody may read a public bundle; only the members of its "
                        + "organization may read a private one.");
        var bundle = bundle(command);
        var visibility = command.optionalArgument(Visibility.class, "VISIBILITY", "public or private.");
        var confirmation = new Confirmation(command, connection.shell());
        return command.ready(() -> !visibility.isGiven()
                        || confirmation.given("make " + bundle + " " + visibility.get() + command.at()))
                .run(client -> {
                    var output = command.output;
                    if (visibility.isGiven()) {
                        var changed = client.bundle(bundle.get())
                                .edit(Map.of("visibility", String.valueOf(visibility.get())));
                        output.done(
                                changed, changed.visibility(), changed.ref() + " is " + changed.visibility() + " now");
                    } else {
                        var now = client.bundle(bundle.get()).info();
                        output.show(
                                now, shell -> shell.out().println(now.visibility()), () -> List.of(now.visibility()));
                    }
                });
    }

    public static CliCommand star(Connection connection) {
        return star(connection, "star", "Stars a public bundle", true);
    }

    public static CliCommand unstar(Connection connection) {
        return star(connection, "unstar", "Removes the star of a bundle", false);
    }

    private static CliCommand star(Connection connection, String name, String description, boolean starred) {
        var command = ResourceCommand.of(connection, name, description);
        var bundle = bundle(command);
        return command.change(
                client -> star(client, bundle.get(), starred),
                StarStatus::starsCount,
                status -> bundle + (starred ? " is starred, " : " is no longer starred, ")
                        + TextFormat.count(status.starsCount(), "star") + " in total");
    }

    /// Says why a bundle that the caller sees cannot be starred. The registry does not, because there the
    /// bundle counts as missing.
    private static StarStatus star(SheafClient client, RepositoryName name, boolean starred) {
        try {
            return client.bundle(name).star(starred);
        } catch (SheafException.NotFound missing) {
            String visibility;
            try {
                visibility = client.bundle(name).info().visibility();
            } catch (SheafException.NotFound | SheafException.Unauthenticated e) {
                throw missing;
            }
            throw new SheafException.NotFound(
                    visibility.equals("private")
                            ? name + " is private; only public bundles can be starred"
                            : name
                                    + " has no version that is published and not yanked; only bundles with one can be starred",
                    SheafException.Answer.NONE);
        }
    }

    public static CliCommand edit(Connection connection) {
        var command = ResourceCommand.of(
                        connection, "edit", "Changes the description of a bundle. An empty string removes the value.")
                .footer(
                        "",
                        "Example: sheaf edit acme/kit --description 'Skills for Java.' --keyword java --license ''");
        var bundle = bundle(command);
        var texts = new LinkedHashMap<String, OptionalValue<String>>();
        texts.put("name", command.option("--name", "NAME", "Display name."));
        texts.put("description", command.option("--description", "TEXT", "One sentence about the bundle."));
        texts.put("license", command.option("--license", "LICENSE", "An SPDX expression, such as Apache-2.0."));
        texts.put("repositoryUrl", command.option("--repository", "URL", "Address of its source code."));
        texts.put("homepageUrl", command.option("--homepage", "URL", "Address of its home page."));
        var keywords =
                command.options("--keyword", "WORD", "A keyword; may be repeated. Replaces the current keywords.");
        var readme = command.option(Path.class, "--readme", "FILE", "A file in Markdown that becomes its README.");
        Supplier<Map<String, @Nullable Object>> changes = () -> {
            var changed = new LinkedHashMap<String, @Nullable Object>();
            texts.forEach((member, text) -> {
                if (text.isGiven()) {
                    changed.put(member, text.or("").isEmpty() ? null : text.get());
                }
            });
            if (keywords.isGiven()) {
                changed.put(
                        "keywords",
                        keywords.get().stream().filter(word -> !word.isBlank()).toList());
            }
            var file = readme.get();
            if (file != null) {
                changed.put("readmeContent", InputText.read(file));
                changed.put("readmeFormat", "markdown");
            }
            return changed;
        };
        return command.check(() ->
                        command.refuse(changes.get().isEmpty(), "say what to change: --description TEXT, for example"))
                .run(client -> {
                    var now = changes.get();
                    var changed = client.bundle(bundle.get()).edit(now);
                    command.output.done(
                            changed,
                            changed.ref(),
                            "changed in " + changed.ref() + ": " + String.join(", ", now.keySet()));
                });
    }
}
