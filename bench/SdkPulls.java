import com.sun.management.OperatingSystemMXBean;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Reference;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;

/// Pulls a bundle repeatedly in one program and prints the medians of each state: `cold CPU-ms wall-ms`.
///
/// ```
/// java -cp cli.jar bench/SdkPulls.java URL REFERENCE FOLDER ROUNDS
/// ```
public final class SdkPulls {
    private static final int WARM_UP = 100;

    private SdkPulls() {}

    public static void main(String[] arguments) {
        var folder = Path.of(arguments[2]);
        var reference = Reference.parse(arguments[1]);
        for (String state : new String[] {"cold", "warm", "again"}) {
            int rounds = Integer.parseInt(arguments[3]);
            var cpu = new double[rounds];
            var wall = new double[rounds];
            for (int i = -WARM_UP; i < rounds; i++) {
                // Each round gets new folders, because ext4 creates files slowly for some seconds after others were
                // removed.
                Path cache = folder.resolve("cache-" + state + (state.equals("cold") ? i : ""));
                Path target = folder.resolve("out-" + state + (state.equals("again") ? "" : i));
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

    /// Returns the CPU time of this process in nanoseconds.
    private static long used() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
