package dev.sheaf.cli.work;

import dev.sheaf.client.work.ClaimedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The variables of a command: the worker's without its secrets, variables that the queue may set, and
/// variables about the job. A queue may set names that begin with `JOB_`, because no program takes code from
/// them. A list of dangerous names would never be complete, so the operator names all others that are passed.
///
/// @param named the names that the operator allows; `*` means all that [#REFUSED] does not contain
record JobEnvironment(Set<String> named) {
    private static final String ALL = "*";
    private static final String OWN = "JOB_";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final List<String> REFUSED_PREFIXES =
            List.of("SHEAF_", "LD_", "DYLD_", "BASH_", "GIT_", "_RLD", "MALLOC_");
    /// Variables that make a shell, a loader or an interpreter load code from elsewhere.
    private static final Set<String> REFUSED = Set.of(
            "PATH",
            "HOME",
            "IFS",
            "ENV",
            "SHELL",
            "SHELLOPTS",
            "PS4",
            "CDPATH",
            "GCONV_PATH",
            "LOCPATH",
            "NLSPATH",
            "TMPDIR",
            "PYTHONPATH",
            "PYTHONHOME",
            "PYTHONSTARTUP",
            "PERL5LIB",
            "PERL5OPT",
            "PERL5DB",
            "RUBYLIB",
            "RUBYOPT",
            "NODE_OPTIONS",
            "NODE_PATH",
            "CLASSPATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
            "JAVA_HOME",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "NO_PROXY",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "EDITOR",
            "PAGER");

    JobEnvironment {
        named = Set.copyOf(named);
    }

    /// Returns whether the operator may name it.
    static boolean canBeNamed(String name) {
        return name.equals(ALL) || canBePassed(name);
    }

    /// Returns whether a queue may set it if the operator allows it.
    static boolean canBePassed(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return NAME.matcher(name).matches()
                && !REFUSED.contains(upper)
                && REFUSED_PREFIXES.stream().noneMatch(upper::startsWith);
    }

    /// Returns whether a queue may set it.
    boolean isAllowed(String name, String value) {
        return value.indexOf('\0') < 0
                && canBePassed(name)
                && (name.startsWith(OWN) || named.contains(name) || named.contains(ALL));
    }

    /// Returns the names that the queue has but may not set.
    List<String> refused(ClaimedJob job) {
        var names = new ArrayList<String>();
        ofQueue(job).forEach((name, value) -> {
            if (value == null || !isAllowed(name, value)) {
                names.add(name);
            }
        });
        return names;
    }

    private static Map<String, String> ofQueue(ClaimedJob job) {
        var execution = job.claim().execution();
        Map<String, String> given = execution == null ? null : execution.environment();
        return given == null ? Map.of() : given;
    }

    /// @param own the worker's variables
    /// @param url the registry's address
    Map<String, String> of(ClaimedJob job, JobFiles files, Map<String, String> own, String url) {
        var all = new HashMap<>(own);
        all.keySet().removeIf(name -> name.startsWith("SHEAF_"));
        ofQueue(job).forEach((name, value) -> {
            if (value != null && isAllowed(name, value)) {
                all.put(name, value);
            }
        });
        all.put("TMPDIR", files.temporary().toString());
        all.put("SHEAF_URL", url);
        all.put("SHEAF_JOB_ID", job.job().id().toString());
        all.put("SHEAF_JOB_TYPE", showable(job.job().jobType()));
        all.put("SHEAF_JOB_ATTEMPT", Integer.toString(job.job().attemptNumber()));
        all.put("SHEAF_JOB_FILE", files.job().toString());
        all.put("SHEAF_INSTRUCTION_FILE", files.instruction().toString());
        all.put("SHEAF_EXECUTION_FILE", files.execution().toString());
        all.put("SHEAF_OUTPUT_FILE", files.output().toString());
        if (files.bundle() != null) {
            all.put("SHEAF_BUNDLE_DIR", files.bundle().toString());
        }
        return all;
    }

    private static String showable(String text) {
        return text == null ? "" : text.replace('\0', ' ');
    }

    /// Returns the variable that marks the processes of this job.
    static String mark(JobFiles files) {
        return "SHEAF_JOB_FILE=" + files.job();
    }
}
