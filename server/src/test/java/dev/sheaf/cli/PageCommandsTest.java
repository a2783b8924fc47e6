package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.routing.Router;
import dev.sheaf.server.testing.Browser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// What pages say that programs do in their place: the API has each call, and each command can be typed so.
class PageCommandsTest extends OnConsole {
    private static final Pattern LINE = Pattern.compile("<span>(API|CLI)</span><code class=\"u\">([^<]*)</code>");
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final Map<String, String> VALUES = Map.of(
            "namespace", "acme",
            "bundle", "notes",
            "version", "1.1.0",
            "tag", "stable",
            "pair", "1.0.0...1.1.0",
            "path...", "SKILL.md",
            "org_id", "default");

    private String review = "";
    private final CommandLine root = CommandTree.of(Shell.ofThisProcess(), "");

    @Override
    public boolean isByHand() {
        return false;
    }

    @Override
    public void prepare() {
        app().push("acme/notes", "1.0.0", "public", "# Notes");
        app().push("acme/notes", "1.1.0", "public", "# More notes");
        app().push("acme/held", "1.0.0", "public", "# Held");
        app().person("reviews@acme.test", "default", "owner");
        app().send(
                        "PUT",
                        "/v1/namespaces/acme/bundles/held/policy",
                        app().admin(),
                        "{\"review\": {\"notBy\": \"nobody\"}}");
        var held = app().push("acme/held", "1.1.0", "public", "# More").as(HeldVersion.class);
        review = "/acme/held/reviews/" + held.review().id();
        app().send("PUT", "/v1/namespaces/acme/bundles/notes/tags/stable", app().admin(), "{\"version\": \"1.0.0\"}");
        app().send(
                        "PUT",
                        "/v1/namespaces/acme/bundles/notes/assets/it%27s%20odd.md",
                        app().admin(),
                        "{\"contentText\": \"odd\"}");
    }

    private List<String> pages() {
        var pages = new ArrayList<String>();
        for (Route route : app().pages()) {
            String pattern = route.pattern();
            for (var value : VALUES.entrySet()) {
                pattern = pattern.replace("{" + value.getKey() + "}", value.getValue());
            }
            if (route.method() == RouteMethod.GET && !pattern.contains("{") && !pattern.contains("/raw/")) {
                pages.add(pattern);
            }
        }
        pages.add(review);
        pages.add("/?q=two+words");
        pages.add("/acme/notes/settings/files/edit?path=it%27s%20odd.md");
        pages.add("/acme/notes/settings/files/delete?path=it%27s%20odd.md");
        pages.add("/acme/notes/settings/publish/changes?path=it%27s%20odd.md");
        return pages;
    }

    @Test
    void everyCallAndCommandThatAPageShowsExists() {
        var router = new Router(app().routes());
        var wrong = new ArrayList<String>();
        int checked = 0;
        try (var owner = person("machines@acme.test", "default", "owner")) {
            for (String page : pages()) {
                var lines = LINE.matcher(owner.open(at(page)).html());
                while (lines.find()) {
                    String text = plain(lines.group(2));
                    boolean exists = lines.group(1).equals("API") ? hasCall(router, text) : hasCommand(text);
                    checked++;
                    if (!exists) {
                        wrong.add(page + ": " + text);
                    }
                }
            }
        }
        assertThat(checked).isGreaterThan(60);
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyPageAboutBundlesHasSome() {
        var without = new TreeSet<String>();
        try (var owner = person("lines@acme.test", "default", "owner")) {
            for (String page : pages()) {
                boolean isAboutBundles = page.startsWith("/acme") || page.equals("/") || page.equals("/new");
                Browser.Page shown = owner.open(at(page));
                if (isAboutBundles
                        && shown.status() == 200
                        && !page.endsWith(".csv")
                        && !LINE.matcher(shown.html()).find()) {
                    without.add(page);
                }
            }
        }
        assertThat(without).isEmpty();
    }

    private static boolean hasCall(Router router, String call) {
        var words = call.split(" ", 2);
        var found = router.find(words[1].split("\\?", 2)[0]);
        return found != null && found.routes().containsKey(RouteMethod.valueOf(words[0]));
    }

    private boolean hasCommand(String text) {
        var words = WORD.matcher(text)
                .results()
                .map(word -> word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"))
                .toList();
        if (!words.getFirst().equals("sheaf")) {
            return false;
        }
        try {
            root.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
            return true;
        } catch (CommandLine.ParameterException e) {
            return false;
        }
    }

    private static String plain(String html) {
        return html.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#34;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }
}
