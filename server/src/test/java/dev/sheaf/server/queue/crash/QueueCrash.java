package dev.sheaf.server.queue.crash;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// `make queue-crash`: workers, of whom some die, do many jobs while every so often a node is killed (SIGKILL) and
/// started again: three nodes on PostgreSQL, then one on SQLite. At the end every job was done once.
final class QueueCrash {
    private static final int JOBS = number("QUEUE_CRASH_JOBS", 50_000);
    private static final int KILL_SECONDS = number("QUEUE_CRASH_KILL_SECONDS", 20);
    private static final int MINUTES = number("QUEUE_CRASH_MINUTES", 20); // the longest of each
    private static final int RARELY = 500;
    private static final List<String> OPTIONS = List.of("-Xmx256m", "-XX:TieredStopAtLevel=4");

    private final Path folder;
    private final Map<String, String> settings;
    private final ServerProcess[] processes;
    private final CrashingNodes nodes;
    private volatile int kills;
    private volatile @Nullable QueueCrashScenario scenario;

    private QueueCrash(Path folder, Map<String, String> settings, int count) {
        this.folder = folder;
        this.settings = settings;
        this.processes = new ServerProcess[count];
        this.nodes = new CrashingNodes(count);
    }

    private static int number(String variable, int otherwise) {
        return Integer.parseInt(System.getenv().getOrDefault(variable, "" + otherwise));
    }

    public static void main(String[] arguments) throws Exception {
        var stacks = System.getenv()
                .getOrDefault("QUEUE_CRASH_STACKS", "POSTGRES_AND_BUCKET SQLITE")
                .split(" ");
        boolean isWell = true;
        for (String name : stacks) {
            var stack = Stack.valueOf(name);
            var folder = Files.createTempDirectory("sheaf-queue-crash");
            var settings =
                    new HashMap<>(TestApp.settings(stack, folder, Map.of("master-key", MasterSecret.generate())));
            settings.remove("data-dir");
            isWell &= new QueueCrash(folder, settings, stack == Stack.SQLITE ? 1 : 3).run(name, folder);
        }
        System.out.println(isWell ? "PASSED" : "FAILED");
        System.exit(isWell ? 0 : 1);
    }

    private void start(int index) throws IOException {
        var flags = new ArrayList<String>();
        settings.forEach((name, value) -> {
            if (!name.startsWith("rate-")) { // which are there already
                flags.add("--" + name + "=" + value);
            }
        });
        flags.add("--log-level=warn");
        processes[index] = ServerProcess.start(folder.resolve("" + index), OPTIONS, flags);
        nodes.up(index, processes[index].url());
    }

    private boolean run(String name, Path folder) throws Exception {
        System.out.printf(
                "%s: %,d jobs, %d workers, a kill every %d s, nodes: %d, in %s%n",
                name, JOBS, QueueCrashScenario.WORKERS, KILL_SECONDS, processes.length, folder);
        long begin = System.nanoTime();
        var isOver = new CountDownLatch(1);
        Thread killer = null;
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::killAll)); // where this is interrupted
            for (int i = 0; i < processes.length; i++) {
                start(i);
            }
            Secret admin = processes[0].adminKey();
            var its = new QueueCrashScenario(nodes, admin.expose(), InstantSource.system(), JOBS);
            its.prepare();
            scenario = its;
            killer = Thread.ofPlatform().start(() -> kill(isOver));
            long end = begin + Duration.ofMinutes(MINUTES).toNanos();
            its.run(RARELY, () -> System.nanoTime() > end);
            report(its.held, (System.nanoTime() - begin) / 1_000_000_000);
            return its.held.violations().isEmpty();
        } finally {
            isOver.countDown();
            if (killer != null) {
                killer.join();
            }
            nodes.close();
            killAll();
        }
    }

    private void killAll() {
        for (var process : processes) {
            if (process != null) {
                process.kill();
            }
        }
    }

    private void kill(CountDownLatch isOver) {
        try {
            while (!isOver.await(KILL_SECONDS, TimeUnit.SECONDS)) {
                int index = ThreadLocalRandom.current().nextInt(processes.length);
                processes[index].kill();
                nodes.down(index);
                kills++;
                start(index);
                System.out.printf("node %d was killed and is up again; %,d jobs are completed%n", index, done());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("a node was not started again", e);
        }
    }

    private long done() {
        var its = scenario;
        return its == null ? 0 : its.held.counted("completed");
    }

    private void report(HeldJobs held, long seconds) {
        System.out.println("\n| What | |\n|---|--:|");
        System.out.printf("| jobs | %,d |%n| seconds | %,d |%n| nodes killed | %d |%n", JOBS, seconds, kills);
        held.counts().forEach((what, count) -> System.out.printf("| %s | %,d |%n", what, count));
        held.violations().forEach(what -> System.out.println("VIOLATION " + what));
        System.out.println();
    }
}
