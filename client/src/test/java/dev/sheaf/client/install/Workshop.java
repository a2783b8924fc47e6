package dev.sheaf.client.install;

import dev.sheaf.client.Installation;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.InstallReport;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A registry, and the project of a user of three programs: Claude Code, Cursor and Gemini CLI.
public final class Workshop implements AutoCloseable {
    public static final RepositoryName KIT = RepositoryName.parse("acme/kit");

    public final TinyRegistry registry = TinyRegistry.start();
    public final Path folder;
    public final List<String> notices = new ArrayList<>();
    private final SheafClient client;

    public Workshop(Path folder) {
        this.folder = folder;
        this.client =
                SheafClient.of(registry.url()).cache(folder.resolve("cache")).open();
    }

    /// Returns the project with that name, created if necessary.
    public Path project(String name) {
        Path project = folder.resolve(name);
        for (String sign : List.of(".claude", ".cursor", ".gemini")) {
            try {
                Files.createDirectories(project.resolve(sign));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return project;
    }

    public Installation in(Path project) {
        return at(project, InstallLevel.PROJECT);
    }

    /// Returns the installation for all projects of the user with this home.
    public Installation home(Path home) {
        return at(home, InstallLevel.USER);
    }

    private Installation at(Path root, InstallLevel level) {
        return new Installation(root, level, folder.resolve("home"), this::client, new Progress() {
            @Override
            public void notice(String message) {
                notices.add(message);
            }

            @Override
            public void hint(String message) {
                notices.add(message);
            }
        });
    }

    private SheafClient client(RegistryUrl url) {
        if (!url.equals(registry.url())) {
            throw new IllegalArgumentException("nobody is to ask " + url);
        }
        return client;
    }

    public InstallReport add(Path project, String reference, String... things) {
        return in(project).add(List.of(wish(project, reference, things)), InstallOptions.DEFAULT);
    }

    public WantedBundle wish(Path project, String text, String... things) {
        var reference = Reference.parse(text);
        return new WantedBundle(
                registry.url(),
                reference.repository(),
                reference.selector(),
                Arrays.stream(things).map(ThingName::parse).collect(Collectors.toCollection(TreeSet::new)),
                in(project).programs(),
                false);
    }

    /// Publishes a version, which `^1.0` then means. Each file is its path, a space, and its content; a path that
    /// ends in `!` is executable.
    public void publish(String reference, String... files) {
        var content = new TreeMap<String, byte[]>();
        registry.content.executables.clear();
        for (String file : files) {
            String path = file.substring(0, file.indexOf(' '));
            if (path.endsWith("!")) {
                path = path.substring(0, path.length() - 1);
                registry.content.executables.add(path);
            }
            content.put(path, file.substring(file.indexOf(' ') + 1).getBytes(StandardCharsets.UTF_8));
        }
        var published = registry.content.publish(reference, content);
        String bundle = reference.substring(0, reference.indexOf(':'));
        registry.content.versions.put(bundle + ":^1.0", published);
        registry.content.versions.put(bundle + ":latest", published);
    }

    /// Copies what a project keeps under version control.
    static void copyState(Path from, Path to) {
        for (String name : List.of(WishFile.NAME, InstallLock.NAME)) {
            try {
                Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Returns everything in a folder: files with their content, `*` after executable files, an arrow for links.
    public static SortedMap<String, String> tree(Path folder) {
        var tree = new TreeMap<String, String>();
        try (var all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                String name = folder.relativize(path).toString();
                if (Files.isSymbolicLink(path)) {
                    tree.put(name, "-> " + Files.readSymbolicLink(path));
                } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    tree.put(name, Files.readString(path) + (Files.isExecutable(path) ? "*" : ""));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tree;
    }

    /// Copies a folder with everything in it, links as links, and returns the copy.
    public static Path copyAll(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(
                        path,
                        to.resolve(from.relativize(path)),
                        LinkOption.NOFOLLOW_LINKS,
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return to;
    }

    /// Returns whether a file is a local record of a project, which clones do not contain.
    public static boolean isNote(String name) {
        return name.equals(".sheaf/installed.lock") || name.equals(".sheaf/.gitignore");
    }

    /// Returns the tree without the files for wishes and locks.
    public static Map<String, String> things(Path folder) {
        var tree = tree(folder);
        tree.keySet().removeIf(name -> name.startsWith("sheaf-install.") || isNote(name));
        return tree;
    }

    @Override
    public void close() {
        client.close();
        registry.close();
    }
}
