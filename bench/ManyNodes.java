import dev.sheaf.server.App;
import dev.sheaf.server.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/// Many nodes of one installation in one process, each with its own connections, timers, caches and port. Prints the
/// ports, and ends with its input.
///
///     java -cp ... bench/ManyNodes.java COUNT FOLDER NAME=VALUE...
public class ManyNodes {
    public static void main(String[] arguments) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            System.exit(1);
        });
        var settings = new HashMap<String, String>();
        for (int i = 2; i < arguments.length; i++) {
            var parts = arguments[i].split("=", 2);
            settings.put(parts[0], parts[1]);
        }
        var nodes = new ArrayList<App>();
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            var folder = Path.of(arguments[1], "node-" + i);
            Path mark = folder.resolve("content/installation");
            if (i > 0 && Files.notExists(mark)) { // the content is small, so it needs no bucket
                Files.createDirectories(mark.getParent());
                Files.copy(Path.of(arguments[1], "node-0/content/installation"), mark);
            }
            settings.put("data-dir", folder.toString());
            settings.put("port", "0");
            nodes.add(App.start(Config.load(settings, Map.of())));
        }
        nodes.forEach(node -> System.out.print(node.port() + " "));
        System.out.println();
        while (System.in.read() >= 0) {}
        System.exit(0);
    }
}
