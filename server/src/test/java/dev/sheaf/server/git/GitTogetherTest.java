package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.Together;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many who ask for a history that has yet to be derived, on one node and on two.
class GitTogetherTest extends OnEveryStack {
    private static final String REFS = "/together/kit.git/info/refs?service=git-upload-pack";

    @TempDir
    private Path folder;

    @Override
    public Map<String, String> settings() {
        return Map.of("master-key", MasterSecret.generate()); // which the other node is given
    }

    @Test
    void allAreToldTheSame() throws Exception {
        for (int i = 0; i < 25; i++) {
            app().push("together/kit", "1.0." + i, "public", "version " + i);
        }
        if (stack() == Stack.SQLITE) {
            sameFor(List.of(app()));
            return;
        }
        try (var other = app().another(folder.resolve("other"))) {
            sameFor(List.of(app(), other));
        }
    }

    /// As a fleet of CI runners does with its one key: git does not try again, so none may be refused.
    @Test
    void manyFetchesOfOneKeyAreAllAnswered() throws Exception {
        app().push("together/fetched", "1.0.0", "public", "content");
        String main = post(
                        "/together/fetched.git",
                        packet("command=ls-refs\n") + "0001" + packet("ref-prefix refs/heads/main\n"))
                .text()
                .substring(4, 44);
        String fetch = packet("command=fetch\n") + "0001" + packet("want " + main + "\n") + packet("done\n");

        var answers = Together.run(50, i -> () -> post("/together/fetched.git", fetch));

        for (var answer : answers) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.text()).contains("PACK");
        }
    }

    private Reply post(String repository, String lines) {
        return app().send(app().request("POST", repository + "/git-upload-pack", null, null)
                .header("Authorization", "Bearer " + app().admin())
                .header("Content-Type", "application/x-git-upload-pack-request")
                .header("Git-Protocol", "version=2")
                .POST(BodyPublishers.ofString(lines + "0000")));
    }

    private static String packet(String line) {
        return "%04x".formatted(line.length() + 4) + line;
    }

    private static void sameFor(List<TestApp> nodes) throws Exception {
        var told = Together.run(8, i -> () -> {
            var reply = nodes.get(i % nodes.size()).get(REFS, null);
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            return reply.text();
        });

        assertThat(new HashSet<>(told)).hasSize(1);
        assertThat(told.getFirst().lines().filter(line -> line.contains("refs/tags/1.0.")))
                .hasSize(25);
    }
}
