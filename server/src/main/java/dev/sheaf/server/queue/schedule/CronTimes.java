package dev.sheaf.server.queue.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.sheaf.model.Problem;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The times of a Unix cron expression of five fields: minute, hour, day of month, month, day of week. At a
/// change of the clock, a skipped time is left out, and a repeated time counts once.
final class CronTimes {
    private static final int MAX = 200;
    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private static final Map<String, String> FIELDS = fields();

    private final Cron cron;
    private final ZoneId zone;

    private CronTimes(Cron cron, ZoneId zone) {
        this.cron = cron;
        this.zone = zone;
    }

    private static Map<String, String> fields() {
        var fields = new LinkedHashMap<String, String>();
        fields.put("minute", "0 to 59");
        fields.put("hour", "0 to 23");
        fields.put("day of month", "1 to 31");
        fields.put("month", "1 to 12 or JAN to DEC");
        fields.put("day of week", "0 to 7 or SUN to SAT");
        return fields;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if it is not such an expression
    static String checked(String cron) {
        parse(cron);
        return cron;
    }

    private static Cron parse(String cron) {
        if (cron.length() > MAX || !cron.matches("[0-9A-Za-z*/, -]*")) {
            throw wrong("must have at most " + MAX + " letters, digits, spaces and signs * / , -");
        }
        var fields = List.of(cron.strip().split(" +"));
        if (fields.size() != FIELDS.size()) {
            throw wrong("has " + (fields.size() == 1 ? "1 field" : fields.size() + " fields") + ", but must have five: "
                    + String.join(", ", FIELDS.keySet()));
        }
        try {
            return PARSER.parse(cron).validate();
        } catch (IllegalArgumentException e) {
            throw wrong(why(fields));
        }
    }

    /// Returns the reason. Each field is tried alone, because the library's messages do not name the wrong
    /// field.
    private static String why(List<String> fields) {
        int index = 0;
        for (var field : FIELDS.entrySet()) {
            String value = fields.get(index);
            var alone = new ArrayList<>(Collections.nCopies(FIELDS.size(), "*"));
            alone.set(index, value);
            try {
                PARSER.parse(String.join(" ", alone)).validate();
            } catch (IllegalArgumentException e) {
                return "the " + field.getKey() + " \"" + value + "\" must be " + field.getValue()
                        + ", or a list, range or step of these such as 1,3 or 1-5 or */2";
            }
            index++;
        }
        return "must be a cron expression of five fields: " + String.join(", ", FIELDS.keySet());
    }

    private static RuntimeException wrong(String why) {
        return Problem.invalid("format", why + "; write for example \"30 8 * * MON-FRI\"");
    }

    static CronTimes of(String cron, String zone) {
        return new CronTimes(parse(cron), ZoneId.of(zone));
    }

    /// Returns the first time after this one; empty if there is none, as with 30 February. In that case the
    /// search takes a second.
    Optional<Instant> after(Instant time) {
        return ExecutionTime.forCron(cron).nextExecution(time.atZone(zone)).map(next -> next.toInstant());
    }
}
