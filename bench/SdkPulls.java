import com.sun.management.OperatingSystemMXBean;
import dev.sheaf.client.RegistryUrl;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;

/// Pulls a bundle over and over in one program, and prints for each state the medians: `cold CPU-ms wall-ms`.
///
/// ```
/// java -cp cli.jar bench/SdkPulls.java URL REFERENCE FOLDER ROUNDS
/// ```
public final class SdkPulls {
    private static final int WARM_UP = 30;

    private SdkPulls() {}

    public static void main(String[] arguments) throws IOException {
        var folder = Path.of(arguments[2]);
        Path cache = folder.resolve("cache");
        Path target = folder.resolve("out");
        var reference = Reference.parse(arguments[1]);
        for (String state : new String[] {"cold", "warm", "again"}) {
            int rounds = Integer.parseInt(arguments[3]);
            var cpu = new double[rounds];
            var wall = new double[rounds];
            for (int i = -WARM_UP; i < rounds; i++) {
                if (!state.equals("again")) {
                    remove(target);
                }
                if (state.equals("cold")) {
                    remove(cache);
                }
                long used = used();
                long began = System.nanoTime();
                try (var client = SheafClient.of(RegistryUrl.parse(arguments[0])).cache(cache).open()) {
                    client.pull(reference, target);
                }
                if (i >= 0) {
                    wall[i] = (System.nanoTime() - began) / 1e6;
                    cpu[i] = (used() - used) / 1e6;
                }
            }
            Arrays.sort(cpu);
            Arrays.sort(wall);
            System.out.println(state + " " + cpu[rounds / 2] + " " + wall[rounds / 2]);
        }
    }

    /// CPU time of this process, in nanoseconds.
    private static long used() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
