package dev.sheaf.server.console.security;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The forms and links of a page.
final class HtmlForms {
    private static final Pattern FORM = Pattern.compile("(?s)<form\\b([^>]*)>(.*?)</form>");
    private static final Pattern FIELD =
            Pattern.compile("(?s)<(input|textarea|select|button)\\b([^>]*)>(?:([^<]*)</textarea>)?");
    private static final Pattern LINK = Pattern.compile("<a\\b[^>]*?\\bhref=\"(/[^\"#]*)");
    private static final Set<String> TYPED =
            Set.of("text", "url", "email", "search", "number", "password", "datetime-local", "date", "");

    private HtmlForms() {}

    /// @param action path, encoded
    /// @param fields what it comes with
    /// @param typed names of those that people type into
    /// @param chosen names of those that people choose of
    record Form(
            String action,
            boolean isPost,
            boolean isUpload,
            Map<String, String> fields,
            List<String> typed,
            List<String> chosen) {}

    static List<Form> forms(String html) {
        var forms = new ArrayList<Form>();
        FORM.matcher(html).results().forEach(form -> {
            var fields = new LinkedHashMap<String, String>();
            var typed = new ArrayList<String>();
            var chosen = new ArrayList<String>();
            FIELD.matcher(form.group(2)).results().forEach(field -> {
                String name = attribute(field.group(2), "name");
                String type = field.group(1).equals("textarea") ? "text" : attribute(field.group(2), "type");
                if (name.isEmpty() || field.group(1).equals("button")) {
                    return;
                }
                String content =
                        field.group(3) == null ? "" : plain(field.group(3)).replaceFirst("^\n", "");
                boolean isOff = List.of("radio", "checkbox").contains(type)
                        && !field.group(2).contains(" checked");
                if (!isOff) {
                    fields.put(
                            name,
                            field.group(1).equals("textarea") ? content : plain(attribute(field.group(2), "value")));
                }
                (field.group(1).equals("select") || !TYPED.contains(type) ? chosen : typed).add(name);
            });
            chosen.remove("_token");
            forms.add(new Form(
                    plain(attribute(form.group(1), "action")),
                    form.group(1).contains("method=\"post\""),
                    form.group(1).contains("multipart"),
                    fields,
                    typed,
                    chosen));
        });
        return forms;
    }

    /// The paths of this service that a page leads to.
    static Set<String> links(String html) {
        var links = new LinkedHashSet<String>();
        LINK.matcher(html).results().forEach(link -> links.add(plain(link.group(1))));
        return links;
    }

    private static String attribute(String tag, String name) {
        var found = Pattern.compile("(?:^|\\s)" + name + "=\"([^\"]*)\"").matcher(tag);
        return found.find() ? found.group(1) : "";
    }

    private static String plain(String html) {
        return html.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#34;", "\"")
                .replace("&#39;", "'")
                .replace("&#38;", "&")
                .replace("&amp;", "&");
    }
}
