package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.install.AgentInstaller;
import dev.sheaf.client.install.BundleAccess;
import dev.sheaf.client.install.Workshop;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.client.pull.ResolvedBundle;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.bundle.ResolvedRequirement;
import dev.sheaf.model.wire.bundle.VersionVerdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// If an update is stopped between any two of its steps, the final state is either the old or the new one.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("slow")
class InstallCrashTest {
    private static final int KILLED = 137;
    private static final InstallOptions ALLOWED = InstallOptions.DEFAULT.allowExec(true);

    private Workshop workshop;
    private Path old;
    private Map<String, String> before;
    private Map<String, String> after;

    @BeforeEach
    void open(@TempDir Path folder) throws IOException {
        workshop = new Workshop(folder);
        old = workshop.project("old");
        workshop.publish("acme/kit:1.0.0", "skills/a/SKILL.md a", "skills/b/SKILL.md b", "skills/c/x one", server(1));
        Files.writeString(old.resolve(".mcp.json"), "{\"mcpServers\": {\"mine\": {\"command\": \"own\"}}}");
        workshop.in(old).add(Set.of(workshop.wish(old, "acme/kit:^1.0")), ALLOWED);
        workshop.publish(
                "acme/kit:1.1.0", "skills/a/SKILL.md A", "skills/a/x/y! new", "skills/d/SKILL.md d", server(2));
        before = Workshop.tree(old);
        Path fresh = copy("fresh");
        workshop.in(fresh).update(Set.of(), ALLOWED);
        after = Workshop.tree(fresh);
        assertThat(after).containsKey(".claude/skills/a/x/y").doesNotContainKey(".claude/skills/b/SKILL.md");
        assertThat(after.get(".mcp.json")).contains("own", "db@2");
        assertThat(before.get(".mcp.json")).contains("own", "db@1");
    }

    private static String server(int version) {
        return ".mcp.json {\"mcpServers\": {\"db\": {\"command\": \"db@" + version + "\"}}}";
    }

    @AfterEach
    void close() {
        workshop.close();
    }

    private Path copy(String name) throws IOException {
        Path to = workshop.project(name);
        for (String file : before.keySet()) {
            Files.createDirectories(to.resolve(file).getParent());
            Files.copy(old.resolve(file), to.resolve(file));
        }
        return to;
    }

    /// Run in a child process: an update that kills the process at one of its steps.
    public static void main(String[] arguments) {
        int last = Integer.parseInt(arguments[3]);
        var count = new AtomicInteger();
        update(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2], step -> {
            if (count.getAndIncrement() == last) {
                Runtime.getRuntime().halt(KILLED);
            }
        });
    }

    private static void update(Path project, Path cache, String url, Consumer<String> probe) {
        try (var client = SheafClient.of(RegistryUrl.parse(url)).cache(cache).open()) {
            var supply = new BundleAccess() {
                @Override
                public PartFetch.Pinned resolve(RegistryUrl registry, Reference reference, PullOptions options) {
                    var bundle = ResolvedBundle.of(reference, client.resolve(reference, options));
                    return new PartFetch.Pinned(bundle.repository(), bundle.version(), bundle.manifest());
                }

                @Override
                public List<ResolvedRequirement> closure(
                        RegistryUrl registry,
                        PartFetch.Pinned pinned,
                        PullOptions options,
                        List<Namespace> acceptedOwners) {
                    return List.of();
                }

                @Override
                public Map<PartFetch.Pinned, VersionVerdict> verdicts(
                        RegistryUrl registry, List<PartFetch.Pinned> pinned) {
                    return Map.of();
                }

                @Override
                public @Nullable YankedBundle yanked(RegistryUrl registry, PartFetch.Pinned pinned, boolean offline) {
                    return null;
                }

                @Override
                public PartFetch parts(RegistryUrl registry) {
                    return client.parts();
                }
            };
            new AgentInstaller(project, InstallLevel.PROJECT, project, supply, Progress.NONE, probe)
                    .update(Set.of(), ALLOWED);
        }
    }

    private void update(Path project, Consumer<String> probe) {
        update(
                project,
                workshop.folder.resolve("cache"),
                workshop.registry.url().toString(),
                probe);
    }

    private int killedAt(int step, Path project) throws IOException, InterruptedException {
        var process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InstallCrashTest.class.getName(),
                        project.toString(),
                        workshop.folder.resolve("cache").toString(),
                        workshop.registry.url().toString(),
                        Integer.toString(step)))
                .redirectErrorStream(true)
                .redirectOutput(workshop.folder.resolve("log").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /// Returns a copy of a project for each step of an update, as the step found it: what a process leaves that is
    /// killed there.
    private List<Path> atEachStep() throws IOException {
        Path project = copy("stepwise");
        var copies = new ArrayList<Path>();
        update(project, step -> {
            try {
                copies.add(Workshop.copyAll(project, workshop.folder.resolve("killed-" + copies.size())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(Workshop.tree(project)).isEqualTo(after);
        return copies;
    }

    @Test
    void killedAtAnyStepItLeavesTheOldStateOrTheNew() throws IOException {
        var copies = atEachStep();
        int kept = 0;
        for (int step = 0; step < copies.size(); step++) {
            boolean isOld = recovers(copies.get(step), "step " + step);
            assertThat(isOld && kept < step).as("once it is new, it stays new").isFalse();
            kept += isOld ? 1 : 0;
        }
        assertThat(kept).isBetween(6, copies.size() - 6);
    }

    /// Returns whether what was left becomes the old state, and not the new one.
    private boolean recovers(Path project, String step) throws IOException {
        Workshop.things(project).forEach((name, content) -> {
            if (!name.startsWith(".sheaf/")) {
                assertThat(content).as(name).isIn(before.get(name), after.get(name)); // each file is whole
            }
        });

        workshop.in(project).install(InstallOptions.DEFAULT.offline(true));

        var tree = Workshop.tree(project);
        assertThat(tree).as(step).isIn(before, after);
        assertThat(project.resolve(".sheaf").toFile().list()).containsExactlyInAnyOrder("installed.lock", ".gitignore");
        return tree.equals(before);
    }

    /// The copies above leave out what only a process has, such as its locks.
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.8})
    void aKilledProcessLeavesTheOldStateOrTheNew(double share) throws IOException, InterruptedException {
        int step = (int) (share * atEachStep().size());
        Path project = copy("killed");

        int status = killedAt(step, project);

        assertThat(status).as(Files.readString(workshop.folder.resolve("log"))).isEqualTo(KILLED);
        recovers(project, "killed at step " + step);
    }

    @Test
    void interruptedAtAnyStepItLeavesTheOldStateOrTheNewAtOnce() throws IOException {
        var self = Thread.currentThread();
        for (int step = 0; ; step++) {
            Path project = copy("interrupted-" + step);
            int last = step;
            var count = new AtomicInteger();
            boolean cancelled = false;
            try {
                update(project, one -> {
                    if (count.getAndIncrement() == last) {
                        self.interrupt();
                    }
                });
            } catch (SheafException.Cancelled e) {
                cancelled = true;
            }
            boolean interrupted = Thread.interrupted();

            assertThat(Workshop.tree(project)).as("step %d", step).isEqualTo(cancelled ? before : after);
            assertThat(interrupted).as("step %d", step).isEqualTo(count.get() > last);
            if (count.get() <= last) {
                break;
            }
        }
    }

    @Test
    void whatCannotBeEndedIsTakenBack() throws IOException {
        for (int step = 0; ; step++) {
            Path project = copy("failed-" + step);
            int last = step;
            var count = new AtomicInteger();
            Consumer<String> probe = one -> {
                if (count.getAndIncrement() == last) {
                    throw new SheafException.Local("the disk is full", null);
                }
            };
            if (last < 100 && steps(project, probe, count) <= last) {
                break;
            }
            assertThat(Workshop.tree(project)).as("step %d", step).isEqualTo(before);
        }
    }

    private int steps(Path project, Consumer<String> probe, AtomicInteger count) {
        try {
            update(project, probe);
            return count.get();
        } catch (SheafException.Local e) {
            assertThat(e).hasMessage("the disk is full");
            return Integer.MAX_VALUE;
        }
    }

    @Test
    void whatSomebodyChangedBeforeTheEndStaysTheirs() throws IOException {
        Path project = atEachStep().stream()
                .filter(copy -> Files.exists(copy.resolve(".sheaf/rewrite/journal.json")))
                .findFirst()
                .orElseThrow();
        Files.writeString(project.resolve(".claude/skills/a/SKILL.md"), "mine");

        workshop.in(project).install(InstallOptions.DEFAULT.offline(true));

        assertThat(project.resolve(".claude/skills/a/SKILL.md")).hasContent("mine");
        assertThat(workshop.notices).anyMatch(notice -> notice.contains("was changed"));
    }
}
