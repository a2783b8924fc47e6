package dev.sheaf.server.hub.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is found by words, and in which order.
class HubSearchTest extends HubScenario {
    private static final List<String> HOSTILE = List.of(
            "\"",
            "'",
            "*",
            "%",
            "_",
            "^",
            "-plain",
            "NOT plain",
            "plain NOT ordinary",
            "plain OR zzz",
            "NEAR(a b)",
            "names:plain",
            "{names}:x",
            "(",
            ")))",
            "plain\" OR \"x",
            "' OR 1=1 --",
            "plain & | !",
            "a:*b:A",
            "<->",
            "\\",
            "plain\\",
            "\u0000plain",
            "🙂",
            "..",
            "; DROP TABLE hub_entry",
            "${x}",
            ":name",
            "?",
            "plain*",
            "\"plain ordinary\"",
            "AND",
            "OR",
            "'plain':*",
            "x".repeat(200),
            "a b c d e f g h i j k l m n o p",
            "\uFFFF",
            "\u202E",
            "/",
            "//",
            "syntax/",
            "/kit",
            "%00");

    private static String typed(String text) {
        return "q=" + URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void anExactNameComesFirstThenNamesThenKeywordsThenTheRest() {
        publish("find/readme", "1.0.0", "{\"name\": \"A\", \"readmeContent\": \"All about quokkas.\"}");
        publish("find/keyword", "1.0.0", "{\"name\": \"B\", \"keywords\": [\"quokka\"]}");
        publish("find/described", "1.0.0", "{\"name\": \"C\", \"description\": \"For quokka keepers\"}");
        publish("find/quokka", "1.0.0", "{\"name\": \"D\"}");
        publish("find/named", "1.0.0", "{\"name\": \"Quokka Keeper\"}");
        var order = List.of("find/quokka", "find/named", "find/described", "find/keyword", "find/readme");

        assertThat(refs(typed("quokka"))).isEqualTo(order);
        assertThat(refs(typed("quokka") + "&limit=1")).isEqualTo(order);
        assertThat(refs(typed("QUOKKA keep"))).containsExactly("find/named", "find/described");
        assertThat(refs(typed("Quokka  Keeper")).getFirst()).isEqualTo("find/named");
        assertThat(refs(typed("find/quokka")).getFirst()).isEqualTo("find/quokka");
        assertThat(refs(typed("quokka") + "&sort=recent"))
                .containsExactly("find/quokka", "find/named", "find/described", "find/keyword", "find/readme");
        assertThat(refs(typed("quokka") + "&sort=recent&limit=2")).hasSize(5).doesNotHaveDuplicates();
        assertThat(refs(typed("quokka") + "&type=prompt")).isEmpty();
        assertThat(refs(typed("quokka") + "&namespace=find&type=skill&limit=2")).isEqualTo(order);
        assertThat(refs(typed("") + "&namespace=find")).hasSize(5);
    }

    @Test
    void wordsAreFoundInAnyCaseAccentAndScript() {
        publish("script/cafe", "1.0.0", "{\"description\": \"Größe im CAFÉ, 数据分析 и данные\"}");

        for (String text :
                List.of("café", "cafe", "GRÖSSE".replace("SS", "ß"), "grosse".replace("ss", "ß"), "数据", "分析", "данн")) {
            assertThat(refs(typed(text) + "&namespace=script")).as(text).containsExactly("script/cafe");
        }
        assertThat(refs(typed("SKILL.md") + "&namespace=script")).containsExactly("script/cafe");
        assertThat(refs(typed("afe") + "&namespace=script")).isEmpty();
    }

    /// Syllables of Hangul come apart into two letters or three, which is what is searched.
    @Test
    void textsThatGrowWhenTheyAreTakenApartAreFound() {
        var readme = new StringBuilder();
        var manifest = new StringBuilder();
        for (int i = 0; i < 4_700; i++) {
            readme.append(syllables(i)).append(' ');
            boolean begins = i % 12 == 0;
            manifest.append(begins ? "{\"logicalPath\": \"" : "/").append(syllables(5_000 + i));
            manifest.append(i % 12 == 11 || i == 4_699 ? "\", \"contentText\": \"x\"}," : "");
        }
        pass(Duration.ofSeconds(1));

        var pushed = app().post(bundle("hangul/kit") + ":push", app().admin(), """
                {"visibility": "public", "version": "1.0.0", "readmeContent": "%s",
                 "manifest": [%s {"logicalPath": "a", "contentText": "a"}]}""".formatted(readme, manifest));

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(refs(typed(syllables(0)) + "&namespace=hangul")).containsExactly("hangul/kit");
    }

    /// As long a word as is taken whole, and one that no other number has.
    private static String syllables(int number) {
        var word = new StringBuilder();
        for (int i = 0, rest = number; i < 13; i++, rest /= 100) {
            word.append((char) (0xAC01 + 28 * (rest % 100)));
        }
        return word.toString();
    }

    @Test
    void nothingThatIsTypedIsSyntax() {
        publish("syntax/kit", "1.0.0", "{\"name\": \"Plain\", \"description\": \"ordinary text\"}");

        for (String text : HOSTILE) {
            var reply = anonymous("/v1/hub/bundles?namespace=syntax&" + typed(text));

            assertThat(reply.status()).as(text + " " + reply.text()).isEqualTo(200);
        }
        for (String text : List.of("%", "_", "*", "' OR 1=1 --", "plain OR zzz", "NOT plain", "names:ordinary")) {
            assertThat(refs(typed(text) + "&namespace=syntax")).as(text).isEmpty();
        }
        assertThat(refs(typed("plain* \"ordinary\"") + "&namespace=syntax")).containsExactly("syntax/kit");
        anonymous("/v1/hub/bundles?" + typed("x".repeat(201))).assertRefused("422 validation-failed");
        anonymous("/v1/hub/bundles?cursor=%00").assertRefused("400 invalid-cursor");
    }
}
