package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A clone of a bundle or of a marketplace that is made again costs no query.
class GitCostTest {
    private static final int LENGTH = 4; // of a packet's length, which counts itself

    @TempDir
    private Path folder;

    private static Reply post(TestApp app, String repository, String... lines) {
        var body = new StringBuilder();
        for (String line : lines) {
            body.append(line.length() > LENGTH ? "%04x%s".formatted(line.length() + LENGTH, line) : line);
        }
        var request = app.request("POST", "/" + repository + "/git-upload-pack", null, null)
                .header("Content-Type", "application/x-git-upload-pack-request")
                .header("Git-Protocol", "version=2")
                .POST(BodyPublishers.ofString(body + "0000"));
        var reply = app.send(request);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    /// What git asks for a clone: what the server can do, the names, and all files of the newest commit.
    private static void clone(TestApp app, String repository) {
        var first = app.get("/" + repository + "/info/refs?service=git-upload-pack", null);
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        String names =
                post(app, repository, "command=ls-refs\n", "0001", "symrefs\n").text();
        String head = names.substring(LENGTH, names.indexOf(" HEAD"));
        String pack = post(app, repository, "command=fetch\n", "0001", "want " + head + "\n", "done\n")
                .text();
        assertThat(pack).contains("packfile", "PACK");
    }

    @Test
    void aCloneThatIsMadeAgainLooksNothingUp() throws Exception {
        try (var app = TestApp.start(Stack.POSTGRES, folder)) {
            app.push("acme/notes", "1.0.0", "public", "---\\nname: notes\\ndescription: Takes them.\\n---\\nGo.\\n");
            for (String repository : new String[] {"acme/notes.git", "acme.git"}) {
                var first = new Statements(app.database()).of(() -> clone(app, repository));
                var again = new Statements(app.database()).ofRepeated(() -> clone(app, repository));

                assertThat(first).as(repository).isNotEmpty();
                assertThat(again).as(repository).isEmpty();
            }
        }
    }
}
