package dev.sheaf.server.bundle.pages.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Forms with files, well and badly made.
class MultipartFormTest {
    private static MultipartForm parse(String body) {
        return MultipartForm.parse(
                body.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8), "x".getBytes(StandardCharsets.UTF_8));
    }

    private static String file(String disposition) {
        return "--x\nContent-Disposition: form-data; name=\"files\"; " + disposition + "\n\nbytes\n--x--\n";
    }

    @Test
    void readsFieldsAndFiles() {
        var form = parse("""
                --x
                Content-Disposition: form-data; name="slug"

                größe
                --x
                Content-Disposition: form-data; name="folder"; filename="a/日本 \\ ; b.md"
                Content-Type: text/markdown

                one
                two
                --x
                content-disposition: FORM-DATA; name=files; filename=""
                Content-Type: application/octet-stream


                --x--
                """);

        assertThat(form.form().first("slug")).contains("größe");
        assertThat(form.files()).hasSize(1);
        assertThat(form.of("folder").getFirst().name()).isEqualTo("a/日本 \\ ; b.md");
        assertThat(form.of("folder").getFirst().content())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("one\r\ntwo");
    }

    @Test
    void aLongPathFitsIntoAHead() {
        var form = parse(file("filename=\"" + "ä/".repeat(700) + "\""));

        assertThat(form.files().getFirst().name()).hasSize(1_400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--x--\n",
                "no boundary at all\n",
                "--x\nContent-Disposition: form-data; name=\"a\"\n\nno end",
                "--x\nContent-Disposition: form-data\n\nno name\n--x--\n",
                "--x\nContent-Disposition: attachment; name=\"a\"\n\nnone of a form\n--x--\n",
                "--x\nContent-Type: text/plain\n\nno disposition\n--x--\n",
                "--x\nContent-Disposition: form-data; name=\"a\"\nContent-Disposition: form-data; name=\"b\"\n\ntwo\n"
                        + "--x--\n",
                "--x\nContent-Disposition: form-data; name=\"a\"\nContent-Type: Multipart/mixed; boundary=y\n\n--y\n"
                        + "\nz\n--y--\n--x--\n"
            })
    void refusesWhatIsNone(String body) {
        assertThatThrownBy(() -> parse(body))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("the form with files cannot be read");
    }

    @Test
    void refusesHugeHeadsManyPartsAndLongFields() {
        String part = "--x\nContent-Disposition: form-data; name=\"a\"\n\n";
        for (String body : new String[] {
            file("filename=\"" + "a".repeat(10_000) + "\""),
            (part + "\n").repeat(10_001) + "--x--\n",
            part + "a".repeat(3 << 20) + "\n--x--\n"
        }) {
            assertThatThrownBy(() -> parse(body)).isInstanceOf(ProblemException.class);
        }
    }
}
