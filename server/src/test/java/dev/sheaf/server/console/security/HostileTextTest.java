package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.security.HtmlForms.Form;
import dev.sheaf.server.testing.Hurtful;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/// Cross-site scripting. All pages are walked by their links; every field of every form on them, and every parameter
/// of a list, is sent texts that would run if they stood in a page as they are: once all fields together, which comes
/// back with what is wrong with it (reflected), and once each field alone, which some keep (stored). Then all pages are
/// walked again.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostileTextTest extends OnNode {
    private static final String HOSTILE =
            "\"'></title></textarea><script>alert(1)</script><img src=x onerror=alert(1)>";
    private static final String JSON = HOSTILE.replace("\"", "\\\"") + "\u202E";
    private static final Pattern TYPED = Pattern.compile("<(input|textarea|option)\\b[^>]*+>[^<]*+");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}-[0-9a-f-]{27}|(?<=[=/])[A-Za-z0-9_%-]{40,}");
    private static final Pattern RAW_ID = Pattern.compile("\\b(?:user|key|publisher):[0-9a-f]{8}-[0-9a-f-]{27}");
    private static final Pattern DATA = Pattern.compile("(?s)<(pre|textarea)\\b.*?</\\1>");
    private static final int MOST_PAGES = 400;
    private static final int EACH = 2; // pages of a kind

    /// Forms after which there is nothing left to look at, and those of other people's tests.
    private static final Pattern LEFT_OUT =
            Pattern.compile("/logout|/leave|:delete|/delete|/remove|/revoke|:purge|/end|:deregister|/account/password"
                    + "|/second-factor/.*|/tasks.*|/admin/users.*|/transfers/.*");

    private PageClient owner = new PageClient("http://localhost");

    @Override
    Map<String, String> settings() {
        return Map.of("webhooks", "false", "max-live-keys", "10000");
    }

    @Override
    void prepare() {
        owner.close();
        app().person("walker@acme.test", "default", "owner");
        owner = PageClient.of(app(), "walker@acme.test");
        new Furnished(app()).make(JSON);
    }

    @AfterAll
    void leave() {
        owner.close();
    }

    /// All pages that links lead to, by their paths; of many of a kind a few.
    private Map<String, String> walk() {
        var pages = new LinkedHashMap<String, String>();
        var kinds = new HashMap<String, Integer>();
        var open = new ArrayDeque<>(List.of(
                "/",
                "/acme",
                "/acme/kit",
                "/acme/kit/settings",
                "/organizations/default",
                "/account",
                "/admin",
                "/new",
                "/device",
                "/invitations"));
        var seen = new HashSet<>(open);
        while (!open.isEmpty() && pages.size() < MOST_PAGES) {
            String path = open.remove();
            String kind = ID.matcher(path.replaceAll("=[^&]*", "=")).replaceAll("ID");
            if (kinds.merge(kind, 1, Integer::sum) > EACH) {
                continue;
            }
            var answer = owner.get(path);
            boolean isPage =
                    answer.headers().firstValue("Content-Type").orElse("").startsWith("text/html");
            if (answer.statusCode() == 200 && isPage) {
                pages.put(path, answer.body());
                HtmlForms.links(answer.body()).stream()
                        .filter(link -> !link.matches("/(v1|-|health|problems)/.*|/problems|/logout") && seen.add(link))
                        .forEach(open::add);
            }
        }
        return pages;
    }

    private static void check(List<String> faults, String what, String html) {
        Inert.faults(html).forEach(fault -> faults.add(what + ": " + fault));
    }

    private static Map<String, Form> forms(Map<String, String> pages, boolean isPost) {
        var forms = new LinkedHashMap<String, Form>();
        pages.values()
                .forEach(html -> HtmlForms.forms(html).stream()
                        .filter(form -> form.isPost() == isPost && !form.isUpload())
                        .filter(form -> !LEFT_OUT.matcher(form.action()).find())
                        .forEach(form -> forms.putIfAbsent(
                                ID.matcher(form.action()).replaceAll("ID")
                                        + form.fields().keySet(),
                                form)));
        return forms;
    }

    private static Map<String, String> filled(Form form, String text) {
        var fields = new LinkedHashMap<>(form.fields());
        form.typed().forEach(name -> fields.put(name, text));
        form.chosen().stream().filter(name -> !name.equals("etag")).forEach(name -> fields.put(name, text));
        fields.replace("_token", form.fields().getOrDefault("_token", ""));
        return fields;
    }

    /// A text of the generator of texts that hurt parsers, with the one that runs.
    private static String text(int seed) {
        return HOSTILE + Hurtful.mixed(seed).apply(100);
    }

    @Test
    @Order(1)
    void whatTheApiKeptIsText() {
        var faults = new ArrayList<String>();
        var pages = walk();
        pages.forEach((path, html) -> check(faults, path, html));
        pages.forEach((path, html) -> {
            if (TYPED.matcher(html).replaceAll("").contains("\u202E")) {
                faults.add(path + ": text that is shown backwards");
            }
            var raw = RAW_ID.matcher(DATA.matcher(html).replaceAll("").replaceAll("<[^>]*>", " "));
            if (raw.find()) {
                faults.add(path + ": " + raw.group() + " in place of a name");
            }
        });

        assertThat(faults).isEmpty();
        assertThat(pages).hasSizeGreaterThan(60);
        assertThat(String.join("", pages.values())).contains("&lt;script&gt;alert(1)&lt;/script&gt;");
    }

    @Test
    @Order(2)
    void whatIsSentByAFormComesBackAsText() {
        var faults = new ArrayList<String>();
        var reached = new TreeSet<String>();
        int seed = 0;
        for (var form : forms(walk(), true).values()) {
            var answer = owner.post(form.action(), filled(form, text(seed++)));
            check(faults, form.action(), answer.body());
            assertThat(answer.statusCode()).as(form.action()).isLessThan(500);
            reached.add(ID.matcher(form.action()).replaceAll("ID"));
        }
        assertThat(faults).isEmpty();
        assertThat(reached).hasSizeGreaterThan(30);
    }

    @Test
    @Order(3)
    void whatIsAskedForComesBackAsText() {
        var faults = new ArrayList<String>();
        int seed = 1000;
        for (var form : forms(walk(), false).values()) {
            var query = new ArrayList<String>();
            String text = ApiPath.encode(text(seed++));
            filled(form, "").keySet().forEach(name -> query.add(name + "=" + text));
            var answer = owner.get(form.action() + "?" + String.join("&", query));
            check(faults, form.action(), answer.body());
            assertThat(answer.statusCode()).as(form.action()).isLessThan(500);
        }
        assertThat(faults).isEmpty();
    }

    @Test
    @Order(4)
    void whatAFormKeepsIsText() {
        var faults = new ArrayList<String>();
        Set<String> kept = new TreeSet<>();
        for (var form : forms(walk(), true).values()) {
            for (String name : form.typed()) {
                var fields = new LinkedHashMap<>(form.fields());
                form.typed().forEach(other -> fields.computeIfPresent(other, Valid::value));
                fields.put(name, name.equals("inputData") ? "{\"a\": \"" + JSON + "\"}" : HOSTILE);
                fields.remove("etag");
                var answer = owner.post(form.action(), fields);
                check(faults, form.action() + " " + name, answer.body());
                assertThat(answer.statusCode()).as(form.action() + " " + name).isLessThan(500);
                if (answer.statusCode() == 303 || answer.statusCode() == 200) {
                    kept.add(name);
                }
            }
        }
        walk().forEach((path, html) -> check(faults, path, html));

        assertThat(faults).isEmpty();
        assertThat(kept).contains("name", "description", "fullName", "displayName", "inputData", "template", "message");
    }

    /// What a form takes that comes with nothing.
    private static final class Valid {
        private static int number;

        static String value(String name, String given) {
            if (!given.isEmpty()) {
                return given;
            }
            number++;
            return switch (name) {
                case "name", "fullName", "displayName" -> "Name " + number;
                case "handle", "slug" -> "thing-" + number;
                case "url", "homepageUrl", "repositoryUrl" -> "https://example.org/" + number;
                case "cron" -> "0 0 * * *";
                case "eventTypes" -> "version.*";
                case "version" -> "2.0." + number;
                case "email" -> "person" + number + "@acme.test";
                case "inputData", "input" -> "{}";
                case "template" -> "Do it";
                default -> "";
            };
        }
    }
}
