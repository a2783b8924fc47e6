package dev.sheaf.server;

import dev.sheaf.engine.heap.HeapPlan;
import dev.sheaf.server.config.CommandFlags;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.local.LocalAdmin;
import dev.sheaf.server.local.LocalUsers;
import dev.sheaf.server.local.UpgradeCheck;
import dev.sheaf.server.node.LogSetup;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/// The entry point of `sheaf serve`, `sheaf config`, and `sheaf admin` without a server.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        var exit = run(List.of(arguments), System.getenv(), System.out, System.err);
        if (exit != ServerExit.OK) {
            System.exit(exit.code());
        }
    }

    @Command(
            name = "sheaf serve",
            customSynopsis = {
                "sheaf serve  [--port 8080] [--host 127.0.0.1] [--data-dir ./data] [--config FILE] [--SETTING VALUE]...",
                "       sheaf config [the same]",
                "       sheaf admin  TASK --local [the same]; see sheaf admin --help --local"
            },
            description = {
                "%nserve   starts the registry: one port for the API (/v1), OCI clients (/v2) and health (/health/ready)",
                "config  prints the effective settings and where each came from",
                "admin   works on the storage itself while no server uses the data directory%n",
                "A setting is read from FILE (lines of `key = value`), then the environment (SHEAF_DATA_DIR for data-dir), then"
                        + " flags; the last one wins. `sheaf config` lists all of them.%n"
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:stopped as asked",
                "1:failure",
                "2:usage or settings",
                "3:port taken",
                "4:data directory unusable",
                "5:data directory locked by another process",
                "6:database of a newer or another program",
                "7:database unreachable",
                "8:wrong master key",
                "9:bucket missing or unreachable",
                "10:unfinished restore",
                "69:no JDK 25 or newer"
            })
    private record Serve(PrintStream out) implements CommandFlags.Command {
        /// Returns once the server is up. Its threads keep the process alive.
        @Override
        public ServerExit run(Config config) {
            serve(config, out);
            return ServerExit.OK;
        }
    }

    @Command(
            name = "sheaf config",
            customSynopsis = "sheaf config [--config FILE] [--SETTING VALUE]...",
            description = "Prints the effective settings of sheaf serve with the same flags, and where each came from.")
    private record Settings(PrintStream out) implements CommandFlags.Command {
        @Override
        public ServerExit run(Config config) {
            out.print(config.describe());
            return ServerExit.OK;
        }
    }

    public static ServerExit run(
            List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        try {
            var rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
            return switch (arguments.isEmpty() ? "" : arguments.getFirst()) {
                case "serve" -> CommandFlags.run(new Serve(out), rest, environment, out);
                case "-h", "--help" -> CommandFlags.run(new Serve(out), arguments, environment, out);
                case "config" -> CommandFlags.run(new Settings(out), rest, environment, out);
                case "admin" -> admin(rest, environment, out, err);
                case "" -> {
                    CommandFlags.run(new Serve(out), List.of("--help"), environment, err);
                    yield ServerExit.USAGE;
                }
                default ->
                    throw new StartException(
                            ServerExit.USAGE, "unknown command " + arguments.getFirst() + "; see sheaf serve --help");
            };
        } catch (Config.InvalidException e) {
            err.println("sheaf: " + e.getMessage());
            return ServerExit.USAGE;
        } catch (StartException e) {
            err.println("sheaf: " + e.getMessage());
            return e.exit();
        } catch (RuntimeException e) {
            err.println("sheaf: it failed because of a defect of this program; please report it with these lines:");
            e.printStackTrace(err);
            return ServerExit.FAILED;
        }
    }

    private static ServerExit admin(
            List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws Config.InvalidException {
        var rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
        return switch (arguments.isEmpty() ? "" : arguments.getFirst()) {
            case "user" -> new LocalUsers(System.in, out, err).run(rest, environment);
            case "upgrade-check" -> new UpgradeCheck(out, InstantSource.system()).run(rest, environment);
            default -> new LocalAdmin(out, err).run(arguments, environment);
        };
    }

    private static void serve(Config config, PrintStream out) {
        checkHeap(HeapPlan.OF_THIS_PROCESS);
        LogSetup.start(config.text(Setting.LOG_LEVEL));
        if (config.text(Setting.LOG_FORMAT).equals("json")) {
            LogSetup.json();
        }
        Thread.setDefaultUncaughtExceptionHandler((thread, e) ->
                LoggerFactory.getLogger(Main.class).error("the thread {} has ended", thread.getName(), e));
        var app = StartWait.start(config, port -> App.start(config, InstantSource.system(), port));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(app, config), "shutdown"));
        out.print(Welcome.ofThisProcess().text(app));
        out.flush();
        ServiceManager.ready();
    }

    private static void checkHeap(HeapPlan plan) {
        if (!plan.isEnough()) {
            throw new StartException(
                    ServerExit.USAGE,
                    "the heap of " + (plan.heap() >> 20) + " MiB is too small; the server needs at least "
                            + (HeapPlan.SMALLEST >> 20) + " MiB: set SHEAF_JAVA_OPTS=-Xmx"
                            + (HeapPlan.SMALLEST >> 20) + "m or more, or give the machine or container more memory");
        }
    }

    /// Ends the process with 0 if every request was finished. The JVM would exit with 143 after SIGTERM, but a
    /// requested stop is not a failure.
    private static void stop(App app, Config config) {
        ServiceManager.stopping();
        var drain = Duration.ofSeconds(config.number(Setting.DRAIN_SECONDS));
        int cut = app.stop(drain, Duration.ofSeconds(config.number(Setting.SHUTDOWN_SECONDS)));
        System.err.println(cut == 0 ? "sheaf: stopped" : "sheaf: stopped; " + cut + " requests were cut off");
        System.err.flush();
        Runtime.getRuntime().halt(cut == 0 ? ServerExit.OK.code() : ServerExit.FAILED.code());
    }
}
