package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.Role;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.queue.ExecutionDefaults;
import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.identity.publisher.ClaimRule;
import dev.sheaf.server.identity.publisher.WorkflowProvider;
import dev.sheaf.server.maintenance.backup.BackupManifest;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueStatus;
import dev.sheaf.server.queue.job.AttemptOutcome;
import dev.sheaf.server.queue.job.JobPriority;
import dev.sheaf.server.skill.image.ImageDialect;
import dev.sheaf.server.testing.JavaSources;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every name that is stored, or sent from node to node, and that is made of a name in the program: whoever renames a
/// class, a constant or a member of a record learns here that rows, backups and other nodes know it by the old one.
/// The list may grow; a line that goes is data that nobody can read any more.
class StoredNamesTest {
    private static final Path LIST = Path.of("src/test/resources/stored-names.txt");
    private static final Pattern DOTTED = Pattern.compile("\"([a-z]+(?:_[a-z]+)*\\.[a-z]+(?:_[a-z]+)*)\"");
    private static final Pattern LABEL = Pattern.compile("\"([a-z-]+/(?:1[^\"]*)?)\"");

    @Test
    void keepTheirNames() throws IOException {
        var names = new TreeSet<String>();
        events(Event.class, names);
        constants("role", Role.values(), names);
        constants("scope", Scope.values(), names);
        constants("visibility", Visibility.values(), names);
        constants("yank reason", YankReason.values(), names);
        constants("asset type", AssetType.values(), names);
        constants("audit outcome", AuditEntry.Outcome.values(), names);
        constants("announcement", DataChange.Kind.values(), names);
        constants("provider", WorkflowProvider.values(), names);
        constants("claim rule", ClaimRule.Kind.values(), names);
        constants("recall severity", RecallSeverity.values(), names);
        constants("image dialect", ImageDialect.values(), names);
        constants("queue status", QueueStatus.values(), names);
        constants("job state", JobState.values(), names);
        constants("job priority", JobPriority.values(), names);
        constants("attempt outcome", AttemptOutcome.values(), names);
        members("execution", ExecutionDefaults.class, names);
        constants("setting", Setting.values(), names);
        Arrays.stream(Setting.values()).forEach(setting -> names.add("setting key " + setting.key()));
        Arrays.stream(ServerExit.values()).forEach(exit -> names.add("exit " + exit + " " + exit.code()));
        Stream.of(Problem.class.getPermittedSubclasses())
                .forEach(problem -> members("problem " + problem.getSimpleName(), problem, names));
        members("report of a task", TaskRun.Report.class, names);
        members("backup", BackupManifest.class, names);
        literals(names);

        if ("write".equals(System.getProperty("sheaf.golden"))) {
            Files.write(LIST, names);
        }
        assertThat(names).containsExactlyElementsOf(Files.readAllLines(LIST));
    }

    private static void events(Class<?> kind, TreeSet<String> names) {
        if (kind.isRecord()) {
            var example = EventNames.of(kind);
            members("event " + example, kind, names);
        } else {
            Stream.of(kind.getPermittedSubclasses()).forEach(each -> events(each, names));
        }
    }

    /// As `EventNames` in the program: the words of the record, the last behind a dot.
    private static final class EventNames {
        static String of(Class<?> event) {
            String words =
                    event.getSimpleName().replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            return words.substring(0, words.lastIndexOf('_')) + "." + words.substring(words.lastIndexOf('_') + 1);
        }
    }

    private static void constants(String what, Enum<?>[] values, TreeSet<String> names) {
        for (Enum<?> value : values) {
            names.add(what + " " + value.name() + " " + value);
        }
    }

    private static void members(String what, Class<?> type, TreeSet<String> names) {
        var components = type.getRecordComponents();
        if (components == null) {
            names.add(what);
            return;
        }
        names.add(what + " ("
                + String.join(
                        ", ",
                        Stream.of(components).map(RecordComponent::getName).toList()) + ")");
        for (RecordComponent component : components) {
            if (component.getType().isRecord()
                    && component.getType().getPackageName().startsWith("dev.sheaf.server")) {
                members(what + " " + component.getName(), component.getType(), names);
            }
        }
    }

    /// Actions of the audit log, and the labels under which keys are derived from the master secret.
    private static void literals(TreeSet<String> names) throws IOException {
        for (Path file : JavaSources.files()) {
            for (var kind : List.of(DOTTED, LABEL)) {
                kind.matcher(Files.readString(file)).results().forEach(found -> names.add("text " + found.group(1)));
            }
        }
    }
}
