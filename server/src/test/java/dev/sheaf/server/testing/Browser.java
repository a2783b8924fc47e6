package dev.sheaf.server.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a person does with a browser without scripts: opens pages, follows links, fills in forms. Keeps cookies by
/// host, port and path, sends those that are Secure to this machine over http as browsers do, and follows
/// redirects.
public class Browser implements AutoCloseable {
    private static final Pattern FORM = Pattern.compile("<form\\b([^>]*)>(.*?)</form>", Pattern.DOTALL);
    private static final Pattern FIELD =
            Pattern.compile("<input\\b[^>]*?\\bname=\"([^\"]+)\"[^>]*?\\bvalue=\"([^\"]*)\"", Pattern.DOTALL);
    private static final Pattern CHOICE =
            Pattern.compile("<select name=\"([^\"]+)\"><option value=\"([^\"]*)\"", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("<a\\b[^>]*?\\bhref=\"([^\"]+)\"");
    private static final int MOST_REDIRECTS = 10;
    private static final String BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<Place, String> cookies = new LinkedHashMap<>();
    private boolean isRefreshing;

    private record Place(String authority, String path, String name) {}

    /// What is shown.
    public record Page(URI place, int status, String html) {}

    /// Whether it keeps a cookie of that name.
    public boolean has(String cookie) {
        return cookies.keySet().stream().anyMatch(place -> place.name().equals(cookie));
    }

    /// The value of a cookie that it keeps; empty: none of that name.
    public String cookie(String name) {
        return cookies.entrySet().stream()
                .filter(kept -> kept.getKey().name().equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    public Page open(String url) {
        return go(URI.create(url), null);
    }

    /// Asks for a page as one that refreshes itself does.
    public Page refresh(String url) {
        isRefreshing = true;
        try {
            return open(url);
        } finally {
            isRefreshing = false;
        }
    }

    /// Sends a form that no page has: fields as they stand in the body.
    public Page post(String url, String body) {
        return go(URI.create(url), body);
    }

    /// Signs in to the console.
    public Page signIn(String url, String email, String password) {
        return submit(open(url + "/login"), "/login", Map.of("email", email, "password", password));
    }

    /// The same without pages, for a test of something else: in a browser that a person holds, it takes the time of
    /// several pages.
    public void beSignedIn(String url, String email, String password) {
        signIn(url, email, password);
    }

    /// Follows the link of the page whose address holds `part`.
    public Page follow(Page page, String part) {
        return LINK.matcher(page.html())
                .results()
                .map(link -> plain(link.group(1)))
                .filter(link -> link.contains(part))
                .findFirst()
                .map(link -> go(page.place().resolve(link), null))
                .orElseThrow(() -> new IllegalStateException("no link to " + part + " in " + page));
    }

    /// Sends the first form that changes something, or else the first, with the fields that it comes with and these.
    public Page submit(Page page, Map<String, String> filledIn) {
        return submit(page, "", filledIn);
    }

    /// The same with the first form whose start tag holds that text, such as its action.
    public Page submit(Page page, String tag, Map<String, String> filledIn) {
        var forms = FORM.matcher(page.html())
                .results()
                .filter(found -> found.group(1).contains(tag))
                .toList();
        var form = forms.stream()
                .filter(found -> found.group(1).contains("method=\"post\""))
                .findFirst()
                .or(() -> forms.stream().findFirst())
                .orElseThrow(() -> new IllegalStateException("no form in " + page));
        var fields = new LinkedHashMap<String, String>();
        for (Pattern pattern : new Pattern[] {FIELD, CHOICE}) {
            pattern.matcher(form.group(2))
                    .results()
                    .forEach(field -> fields.put(field.group(1), plain(field.group(2))));
        }
        fields.putAll(filledIn);
        var action = Pattern.compile("action=\"([^\"]+)\"").matcher(form.group(1));
        if (!action.find()) {
            throw new IllegalStateException("a form without action in " + page);
        }
        var body = new StringJoiner("&");
        fields.forEach((name, value) -> body.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return go(page.place().resolve(plain(action.group(1))), body.toString());
    }

    /// A file that is chosen in a form.
    ///
    /// @param name as the browser sends it
    public record Chosen(String field, String name, byte[] content) {}

    /// Sends the form of that action with files: its token, these fields, and the files.
    public Page upload(Page page, String action, Map<String, String> fields, List<Chosen> files) {
        var token = Pattern.compile("name=\"_token\" value=\"([^\"]*)\"").matcher(page.html());
        if (!page.html().contains("action=\"" + action + "\"") || !token.find()) {
            throw new IllegalStateException("no form of " + action + " in " + page);
        }
        var all = new LinkedHashMap<>(Map.of("_token", token.group(1)));
        all.putAll(fields);
        return post(
                page.place().resolve(action).toString(),
                "multipart/form-data; boundary=" + BOUNDARY,
                parts(all, files));
    }

    /// Sends a body of any type that no page has.
    public Page post(String url, String type, byte[] body) {
        return go(URI.create(url), body, type);
    }

    /// The body of a form with files, as browsers write it (RFC 7578).
    public static byte[] parts(Map<String, String> fields, List<Chosen> files) {
        var body = new ByteArrayOutputStream();
        fields.forEach((name, value) -> body.writeBytes(
                ("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n")
                        .getBytes(StandardCharsets.UTF_8)));
        for (var file : files) {
            body.writeBytes(("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + file.field()
                            + "\"; filename=\"" + file.name() + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            body.writeBytes(file.content());
            body.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        body.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
        return body.toByteArray();
    }

    private static String plain(String html) {
        return html.replace("&lt;", "<")
                .replace("&#34;", "\"")
                .replace("&#39;", "'")
                .replace("&#38;", "&")
                .replace("&amp;", "&");
    }

    private Page go(URI first, @Nullable String form) {
        return go(
                first,
                form == null ? null : form.getBytes(StandardCharsets.UTF_8),
                "application/x-www-form-urlencoded");
    }

    /// Sends a request, and follows redirects.
    ///
    /// @param body null: a GET
    protected Page go(URI first, byte @Nullable [] body, String type) {
        var place = first;
        var answer = send(place, body, type);
        for (int i = 0; i < MOST_REDIRECTS && answer.statusCode() / 100 == 3; i++) {
            place = place.resolve(answer.headers().firstValue("Location").orElseThrow());
            answer = send(place, null, type);
        }
        return new Page(place, answer.statusCode(), answer.body());
    }

    private HttpResponse<String> send(URI place, byte @Nullable [] body, String type) {
        var request = HttpRequest.newBuilder(place).header("Accept", "text/html,*/*;q=0.8");
        if (isRefreshing) {
            request.header("Sheaf-Refresh", "quick");
        }
        if (body != null) {
            request.POST(BodyPublishers.ofByteArray(body)).header("Content-Type", type);
        }
        var sent = new StringJoiner("; ");
        cookies.forEach((cookie, value) -> {
            if (cookie.authority().equals(place.getAuthority())
                    && place.getPath().startsWith(cookie.path())) {
                sent.add(cookie.name() + "=" + value);
            }
        });
        if (sent.length() > 0) {
            request.header("Cookie", sent.toString());
        }
        try {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            answer.headers().allValues("Set-Cookie").forEach(line -> keep(place, line));
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void keep(URI place, String line) {
        String[] parts = line.split(";\\s*");
        String[] pair = parts[0].split("=", 2);
        String path = "/";
        boolean removed = false;
        for (String part : parts) {
            path = part.startsWith("Path=") ? part.substring("Path=".length()) : path;
            removed |= part.equals("Max-Age=0");
        }
        var cookie = new Place(place.getAuthority(), path, pair[0]);
        if (removed) {
            cookies.remove(cookie);
        } else {
            cookies.put(cookie, pair[1]);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
