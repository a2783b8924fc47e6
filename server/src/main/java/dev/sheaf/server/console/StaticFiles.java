package dev.sheaf.server.console;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The style sheet, the scripts and the icons. Their names contain their digests, so browsers keep them
/// forever. Immutable.
public final class StaticFiles {
    private static final String FOLDER = "/-/"; // no namespace can have this name
    private static final int DIGITS = 12;
    private static final Map<String, String> TYPES = Map.of(
            "sheaf.css", "text/css; charset=utf-8",
            "console.js", "text/javascript; charset=utf-8",
            "htmx.js", "text/javascript; charset=utf-8",
            "highlight.js", "text/javascript; charset=utf-8",
            "highlight-lines.js", "text/javascript; charset=utf-8",
            "live.js", "text/javascript; charset=utf-8",
            "icons.svg", "image/svg+xml",
            "favicon.svg", "image/svg+xml");

    private record File(String type, byte[] bytes) {}

    private final Map<String, File> byName = new HashMap<>();
    private final Map<String, String> paths = new HashMap<>();

    StaticFiles() {
        TYPES.forEach((name, type) -> {
            byte[] bytes = read(name);
            int dot = name.lastIndexOf('.');
            String hashed = name.substring(0, dot) + "."
                    + Digest.sha256(bytes).hex().substring(0, DIGITS) + name.substring(dot);
            byName.put(hashed, new File(type, bytes));
            paths.put(name, FOLDER + hashed);
        });
    }

    private static byte[] read(String name) {
        try (var in = StaticFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program has no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the path of a file for pages.
    public String path(String name) {
        String path = paths.get(name);
        if (path == null) {
            throw new IllegalArgumentException("no such file: " + name);
        }
        return path;
    }

    public List<Route> routes() {
        return List.of(
                new Route(RouteMethod.GET, FOLDER + "{file}", RoutePermission.NONE, this::file),
                // browsers ask for it beside files that are no pages
                new Route(
                        RouteMethod.GET,
                        "/favicon.ico",
                        RoutePermission.NONE,
                        call -> Answer.empty(301).with("Location", path("favicon.svg"))));
    }

    private Answer file(Call call) {
        var file = byName.get(call.parameter("file"));
        if (file == null) {
            throw new Problem.NotFound("the path " + call.rawPath()).raise();
        }
        return Answer.bytes(200, file.type(), file.bytes())
                .with("Cache-Control", "public, max-age=31536000, immutable")
                .with("ETag", "\"" + call.parameter("file") + "\"")
                .packed();
    }
}
