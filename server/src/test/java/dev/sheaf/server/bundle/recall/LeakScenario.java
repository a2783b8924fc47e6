package dev.sheaf.server.bundle.recall;

import static java.util.Objects.requireNonNull;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every way to read that exists, tried with a bundle that has a word in all of its files.
public abstract class LeakScenario extends OnEveryStack {
    protected static final String CANARY = "canaryf00dbad5";
    private static final String SKILL = "---\nname: kit\ndescription: Keeps notes.\n---\n";

    protected String key = "";
    protected String digest = "";
    protected List<String> assets = List.of();

    protected Reply push(String version, String word) {
        return app().post(bundle("leaky/kit") + ":push", app().admin(), """
                {"name": "Kit", "visibility": "public", "version": "%s", "manifest": [
                 {"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "%s"},
                 {"logicalPath": "README.md", "contentText": "%s readme"},
                 {"logicalPath": "scripts/run.sh", "contentText": "echo %s", "executable": true},
                 {"logicalPath": "plugin.json", "contentText": "{\\"name\\": \\"kit\\"}"}]}""".formatted(
                        version, (SKILL + word).replace("\n", "\\n"), word, word));
    }

    /// The values to try for each parameter of a path; a parameter without any has a value that finds nothing.
    private Map<String, List<String>> values() {
        var values = new LinkedHashMap<String, List<String>>();
        values.put("namespace", List.of("leaky"));
        values.put("bundle", List.of("kit"));
        values.put("slug", List.of("kit"));
        values.put("skill", List.of("kit"));
        values.put("package", List.of("kit"));
        values.put("version", List.of("1.1.0", digest, "v1.1.0"));
        values.put("tag", List.of("1.1.0", "latest"));
        values.put("reference", List.of("1.1.0", digest));
        values.put(
                "digest",
                Stream.of(SKILL + CANARY, CANARY + " readme", "echo " + CANARY)
                        .map(text -> Digest.sha256(text.getBytes(StandardCharsets.UTF_8))
                                .toString())
                        .toList());
        values.put("path", List.of("SKILL.md", "scripts/run.sh", "README.md"));
        values.put("file", List.of("SKILL.md"));
        values.put("asset_id", assets);
        values.put("org_id", List.of("default"));
        return values;
    }

    protected Set<String> paths() {
        var values = values();
        var paths = new LinkedHashSet<String>();
        for (Route route : Stream.concat(app().routes().stream(), app().pages().stream())
                .filter(route -> route.method() == RouteMethod.GET)
                .toList()) {
            fill(route.pattern(), values, paths);
        }
        for (String name : List.of("leaky/kit", "image/leaky/kit", "agentskill/leaky/kit/kit")) {
            for (String reference : List.of("1.1.0", digest)) {
                paths.add("/v2/" + name + "/manifests/" + reference);
            }
            for (String blob : requireNonNull(values.get("digest"))) {
                paths.add("/v2/" + name + "/blobs/" + blob);
            }
            paths.add("/v2/" + name + "/tags/list");
        }
        for (String place : List.of("/leaky/kit@1.1.0", "/leaky/kit@" + digest, "/leaky/kit")) {
            paths.add(place + "/plugin.zip");
            paths.add(place + "/.well-known/agent-skills/index.json");
            paths.add(place + "/.well-known/agent-skills/kit.tar.gz");
            paths.add(place + "/.well-known/agent-skills/v1.1.0/index.json");
            paths.add(place + "/.well-known/agent-skills/v1.1.0/kit.tar.gz");
        }
        paths.add("/leaky/marketplace.json");
        paths.add("/api/v1/download?slug=kit&ownerHandle=leaky&version=1.1.0");
        paths.add("/api/v1/skills/kit/file?ownerHandle=leaky&path=SKILL.md&version=1.1.0");
        var all = new LinkedHashSet<>(paths);
        for (String path : paths) {
            if (!path.contains("?") && path.contains("kit")) {
                all.add(path + "?version=1.1.0");
                all.add(path + "?version=1.1.0&binary=base64");
                all.add(path + "?a=1.0.0&b=1.1.0");
                all.add(path + "?to=1.0.0");
            }
        }
        return all;
    }

    private static void fill(String pattern, Map<String, List<String>> values, Set<String> paths) {
        int from = pattern.indexOf('{');
        if (from < 0) {
            paths.add(pattern);
            return;
        }
        int to = pattern.indexOf('}', from);
        String name = pattern.substring(from + 1, to).replace("...", "");
        for (String value : values.getOrDefault(name, List.of("01900000-0000-7000-8000-000000000001"))) {
            fill(pattern.substring(0, from) + value + pattern.substring(to + 1), values, paths);
        }
    }

    protected record Seen(String path, boolean known, byte[] body, String text) {
        public boolean hasCanary() {
            return text.contains(CANARY);
        }
    }

    protected List<Seen> all(Set<String> paths, @Nullable String[] keys) {
        var seen = new ArrayList<Seen>();
        for (String path : paths) {
            for (String one : keys) {
                var reply = app().get(path, one);
                seen.add(new Seen(
                        path,
                        one != null,
                        reply.status() == 200 ? reply.response().body() : new byte[0],
                        reply.status() + " " + reply.text()));
            }
        }
        return seen;
    }

    protected String mcp(String method, String params) {
        return app().post("/mcp/leaky/kit", null, """
                {"jsonrpc": "2.0", "id": 1, "method": "%s", "params": %s}""".formatted(method, params)).text();
    }
}
