package dev.sheaf.server;

import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Exit;
import dev.sheaf.server.config.Flags;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.cpu.Carriers;
import dev.sheaf.server.local.LocalAdmin;
import dev.sheaf.server.local.LocalUsers;
import dev.sheaf.server.node.Logging;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// `sheaf serve` and `sheaf config`.
public final class Main {
    private static final String USAGE = """
            Usage: sheaf serve  [--port 8080] [--host 127.0.0.1] [--data-dir ./data] [--config FILE] [--SETTING VALUE]...
                   sheaf config [the same]
                   sheaf admin  TASK --local [--dry-run] [--json] [the same]
                   sheaf admin  user create --email ADDRESS [--organization ORG --role ROLE] --local
                   sheaf admin  restore BACKUP [--dry-run] [--without-damaged] [--unsealed] [the same]

            serve   starts the registry: one port for the API (/v1), OCI clients (/v2) and health (/health)
            config  prints the effective settings and where each came from
            admin   runs upkeep (stats, gc, ...) on the storage itself while no server uses the data directory;
                    without --local a running server does it: see sheaf admin --help

            A setting is read from FILE (lines of `key = value`), then the environment (SHEAF_DATA_DIR for data-dir), then flags;
            the last one wins. `sheaf config` lists all of them.

            Exit codes: 0 stopped as asked, 1 failure, 2 usage or settings, 3 port taken, 4 data directory unusable,
            5 data directory locked by another process, 6 database of a newer or another program, 7 database unreachable,
            8 wrong master key, 9 bucket missing or unreachable, 10 unfinished restore, 69 no JDK 25 or newer.
            """;

    private static final String ADMIN_USAGE = """
            Usage: sheaf admin TASK --local [--dry-run] [--json] [--data-dir ./data] [--config FILE] [--SETTING VALUE]...
                   sheaf admin backup [DIR] --local
                   sheaf admin restore BACKUP [--dry-run] [--without-damaged] [--unsealed] [--data-dir ./data] ...
                   sheaf admin user create|reset-password|remove-totp --email ADDRESS --local

            Looks after the storage itself, on this machine. With embedded storage no server may use the data directory.
            Without --local a running server does the work: see sheaf admin --help.

            stats     counts what the installation holds
            gc        removes content that nothing needs any more
            sweep     finds stored bytes that no row names, and removes them days later
            scrub     compares all stored content with its digests
            fsck      checks that rows and stored content agree, and repairs what is safe to repair
            backup    writes a backup into DIR, or else into backup-dir
            restore   makes a new installation of BACKUP, the folder of one backup, with the master key of the old one
            audit verify, rotate-token-keys, replace-token-keys, rotate-pepper, retire-pepper, user ...: see docs/cli.md

              --dry-run           says what would be done, and writes nothing; of a restore, whether it would be refused
              --without-damaged   restores in spite of damaged objects; they wait to be pushed again
              --unsealed          restores a backup that nothing proves the origin of: one of an earlier version, from a
                                  place where nobody else could write
              --json              prints the result as JSON

            A setting is read as for sheaf serve; sheaf config lists all of them. docs/backup.md has more.

            Exit codes: those of sheaf serve; 1 where the task failed or the backup was refused.
            """;

    private Main() {}

    public static void main(String[] arguments) {
        var exit = run(List.of(arguments), System.getenv(), System.out, System.err);
        if (exit != Exit.OK) {
            System.exit(exit.code());
        }
    }

    /// Runs a command. `serve` returns once the server is up; its threads keep the process alive.
    public static Exit run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        if (arguments.isEmpty() || arguments.contains("--help") || arguments.contains("-h")) {
            boolean admin = !arguments.isEmpty() && arguments.getFirst().equals("admin");
            (arguments.isEmpty() ? err : out).print(admin ? ADMIN_USAGE : USAGE);
            return arguments.isEmpty() ? Exit.USAGE : Exit.OK;
        }
        try {
            if (arguments.size() > 1 && arguments.subList(0, 2).equals(List.of("admin", "user"))) {
                return new LocalUsers(System.in, out, err).run(arguments.subList(2, arguments.size()), environment);
            }
            if (arguments.getFirst().equals("admin")) {
                return new LocalAdmin(out, err).run(arguments.subList(1, arguments.size()), environment);
            }
            var config = Config.load(Flags.read(arguments.subList(1, arguments.size())), environment);
            switch (arguments.getFirst()) {
                case "serve" -> serve(config, out);
                case "config" -> out.print(config.describe());
                default ->
                    throw new StartException(Exit.USAGE, "unknown command " + arguments.getFirst() + "\n" + USAGE);
            }
            return Exit.OK;
        } catch (Config.InvalidException e) {
            err.println("sheaf: " + e.getMessage());
            return Exit.USAGE;
        } catch (StartException e) {
            err.println("sheaf: " + e.getMessage());
            return e.exit();
        }
    }

    private static void serve(Config config, PrintStream out) {
        Logging.start(config.text(Setting.LOG_LEVEL));
        var app = App.start(config);
        Carriers.watched();
        out.print(Welcome.ofThisProcess().text(app));
        out.flush();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(app, config), "shutdown"));
    }

    /// Ends the process with 0 where every request was finished: a stop that was asked for is no failure, though
    /// the JVM would say 143.
    private static void stop(App app, Config config) {
        int cut = app.stop(Duration.ofSeconds(config.number(Setting.SHUTDOWN_SECONDS)));
        System.err.println(cut == 0 ? "sheaf: stopped" : "sheaf: stopped; " + cut + " requests were cut off");
        System.err.flush();
        Runtime.getRuntime().halt(cut == 0 ? Exit.OK.code() : Exit.FAILED.code());
    }
}
