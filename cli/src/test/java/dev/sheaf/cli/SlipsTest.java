package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a newcomer mistypes, and whether the answer says what to type.
class SlipsTest extends CommandLineFixture {
    private static final byte[] SKILL = "# Skill\n".getBytes(StandardCharsets.UTF_8);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            resolve acme/kit:^                         | "^" is not a valid range; write one such as ^1.2, ~1.2.3
            pull acme/kit:>>1                          | ">>1" is not a valid range
            pull acme/kit@0.5.0                        | write a version or a range after a colon: acme/kit:0.5.0
            pull acme/kit@^1                           | write a version or a range after a colon: 'acme/kit:^1'
            versions acme/kit:0.5.0                    | leave out :0.5.0
            push . acme/kit:v1.0.0                     | write the version without the v: acme/kit:1.0.0
            push acme/kit:1.0.0 kit                    | the directory comes first: sheaf push DIR REF
            push . acme/kit:1.0                        | 1.0 is a range or a tag; a push needs a full version, such as acme/kit:1.0.0
            push . acme/kit:1                          | such as acme/kit:1.0.0
            push no-such-folder acme/kit:1.0.0         | the directory no-such-folder does not exist
            push no-such-folder acme/kit:1.0.0         | see: sheaf push --help
            lint no-such-folder                        | the directory no-such-folder does not exist
            lint no-such-folder                        | see: sheaf lint --help
            lint pom.xml                               | pom.xml is a file, not a directory
            init acme/kit no-such-folder               | the directory no-such-folder does not exist
            verify kit acme/kit:1.0.0                  | the reference comes first: sheaf verify REF DIR
            verify ./kit acme/kit:1.0.0                | the reference comes first: sheaf verify REF DIR
            verify src/main acme/kit                   | the reference comes first: sheaf verify acme/kit src/main
            tags acme/kit stable=9.9.9                 | sheaf tags ls acme/kit; to move one: sheaf tags set acme/kit TAG VERSION
            lock --fil x                               | did you mean --ca-file or --lock-file?
            keys create ci --scope wirte               | --scope: "wirte" is not one of read, write, admin
            resolve acme/kit --format yaml             | --format: "yaml" is not one of human, json, quiet
            completion tcsh                            | "tcsh" is not one of bash, zsh, fish, man
            keys create ci --expires-in 30             | --expires-in: 30 has no unit; write 30d for days
            install acme/kit                           | sheaf add acme/kit
            list acme                                  | sheaf bundles acme
            pusj .                                     | did you mean sheaf push?
            tags lst acme/kit                          | did you mean sheaf tags list?
            push . acme/kit:1.0.0 --pubilc             | did you mean --public?
            resolve                                    | REF is missing
            webhooks                                   | a command is missing: list, create, show, edit
            verify acme/kit no-such-folder             | the directory no-such-folder does not exist
            tag rm acme/kit prod                       | there is no command "tag"
            tag rm acme/kit prod                       | did you mean sheaf tags?
            webhook rm abc                             | did you mean sheaf webhooks?
            queue schedule add checks n3 30 2 * * *    | put the five fields in quotes: '30 2 * * *'
            publishers add --github acme/kit           | --bundle=NS/SLUG is missing
            help nope                                  | there is no command "nope"
            yank acme/kit:v1.0.0 --yes                 | write the version without the v: sheaf yank acme/kit:1.0.0
            publish acme/kit:v1.0.0                    | write the version without the v: sheaf publish acme/kit:1.0.0
            tags set acme/kit stable v1.0.0            | is not a semantic version; leave out the v: "1.0.0"
            resolve acme/kit --url http://a.example/x  | has a path, which is not allowed; leave out /x
            info a.example/acme/kit --url b.example    | the reference and --url name different registries; leave one out
            lock a.example/acme/kit b.example/acme/b   | are different registries; run the command once for each
            """)
    void theWayOutIsNamed(String line, String said) {
        var ran = run(line.split(" "));

        assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.USAGE.status());
        assertThat(ran.err()).contains(said);
        assertThat(ran.out()).isEmpty();
        assertThat(registry.requests("/")).isEmpty();
    }

    @Test
    void aReferenceWithACapitalIsNotTakenForAFolder() {
        assertThat(run("verify", "ACME/kit").err()).startsWith("sheaf: REF: ").doesNotContain("stands first");
    }

    @Test
    void aFileIsNoDirectoryToPullInto() throws IOException {
        registry.content.publish("acme/kit:1.0.0", Map.of("a", SKILL));
        Path file = Files.writeString(folder.resolve("cookies"), "mine");

        var pulled = run("pull", "acme/kit", "-o", file.toString());

        assertThat(pulled.status()).isEqualTo(2);
        assertThat(pulled.err()).contains("cookies is a file, not a directory; name another with -o");
        assertThat(file).hasContent("mine");
    }

    @Test
    void adviceHasTheNameThatWasTyped() {
        registry.content.publish("acme/kit:1.0.0", Map.of("a", SKILL));

        assertThat(run("pull", "acme/kit:2.0.0").err()).contains("sheaf versions acme/kit");
    }

    /// A lock file of a registry that has moved.
    @Test
    void theRegistryInTheLockFileIsNamed() {
        registry.content.publish("acme/kit:1.0.0", Map.of("a", SKILL));
        String lock = folder.resolve("sheaf.lock").toString();
        assertThat(run("lock", "acme/kit", "--lock-file", lock).status()).isZero();

        var pulled = run("pull", "--frozen", "--lock-file", lock, "--url", "http://127.0.0.1:1");

        assertThat(pulled.status()).isEqualTo(ExitCode.OUT_OF_DATE.status());
        assertThat(pulled.err())
                .contains("its entries are from " + registry.url() + ": name that registry with --url, or lock again");
    }

    /// A pointer into JSON is nothing that anybody typed.
    @Test
    void anErrorNamesTheOptionAndNotThePlaceInJson() {
        registry.replace(
                "/api-keys", exchange -> TinyRegistry.send(exchange, 422, """
                        {"status": 422, "code": "validation-failed", "detail": "/expiresIn: must be an ISO 8601 duration",
                         "errors": [{"pointer": "/expiresIn", "code": "format", "detail": "must be an ISO 8601 duration"}]}""".getBytes(StandardCharsets.UTF_8)));

        var made = run("keys", "create", "ci", "--expires-in", "soon");

        assertThat(made.err())
                .contains("sheaf: --expires-in soon: must be an ISO 8601 duration")
                .doesNotContain("/expiresIn");
    }

    @Test
    void aSpentInvitationIsSaidToBe() {
        answer(
                "/v1/invitations",
                404,
                "{\"status\": 404, \"code\": \"not-found\", \"detail\": \"no such invitation\"}");

        var accepted = runWith(
                "shi_x\na long enough password\n", "members", "invitations", "accept", "--new", "--name", "Bob");

        assertThat(accepted.err()).contains("was used, expired or replaced by another; ask for a new one");
    }
}
