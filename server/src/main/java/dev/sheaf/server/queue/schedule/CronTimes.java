package dev.sheaf.server.queue.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.sheaf.model.Problem;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// The times of a cron expression of five fields, as Unix has it: minute, hour, day of month, month, day of week. A
/// time that a change of the clock leaves out does not come; one that comes twice counts once.
final class CronTimes {
    private static final int MAX = 200;
    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private final Cron cron;
    private final ZoneId zone;

    private CronTimes(Cron cron, ZoneId zone) {
        this.cron = cron;
        this.zone = zone;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed where it is no such expression
    static String checked(String cron) {
        parse(cron);
        return cron;
    }

    private static Cron parse(String cron) {
        if (cron.length() > MAX || !cron.matches("[0-9A-Za-z*/, -]*")) {
            throw wrong("");
        }
        try {
            return PARSER.parse(cron).validate();
        } catch (IllegalArgumentException e) {
            throw wrong(" (" + String.valueOf(e.getMessage()).replaceFirst(".*parse cron expression\\. ", "") + ")");
        }
    }

    private static RuntimeException wrong(String why) {
        return Problem.invalid(
                "format",
                "must be a cron expression of five fields (minute, hour, day of month, month, day of week), such as"
                        + " \"30 8 * * MON-FRI\"" + why);
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed where there is no such zone
    static String zone(String text) {
        if (!ZoneId.getAvailableZoneIds().contains(text)) {
            throw Problem.invalid("unknown", "must be a time zone of the IANA database, such as Europe/Zurich or UTC");
        }
        return text;
    }

    static CronTimes of(String cron, String zone) {
        return new CronTimes(parse(cron), ZoneId.of(zone));
    }

    /// The first time after that; empty where none ever comes. An expression whose time never comes, such as of 30
    /// February, takes a second to find out.
    Optional<Instant> after(Instant time) {
        return ExecutionTime.forCron(cron).nextExecution(time.atZone(zone)).map(next -> next.toInstant());
    }
}
