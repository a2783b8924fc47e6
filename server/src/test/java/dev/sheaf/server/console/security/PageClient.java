package dev.sheaf.server.console.security;

import dev.sheaf.server.testing.TestApp;
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
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A browser of which a test sees everything: headers, cookies, redirects, which it does not follow. A test may also
/// put cookies into it, as an attacker would.
final class PageClient implements AutoCloseable {
    private static final Pattern TOKEN = Pattern.compile("name=\"_token\" value=\"([^\"]*)\"");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private final String url;

    PageClient(String url) {
        this.url = url;
    }

    /// Of somebody who has signed in.
    static PageClient of(TestApp app, String email) {
        var client = new PageClient(app.url());
        var answer = client.signIn(email, "/");
        if (answer.statusCode() != 303) {
            throw new IllegalStateException(answer.body());
        }
        return client;
    }

    HttpResponse<String> signIn(String email, String next) {
        String token = token("/login");
        return post("/login", Map.of("_token", token, "email", email, "password", TestApp.PASSWORD, "next", next));
    }

    /// The token of the forms of a page.
    String token(String path) {
        String html = get(path).body();
        var found = TOKEN.matcher(html);
        if (!found.find()) {
            throw new IllegalStateException("no form in " + html);
        }
        return found.group(1);
    }

    /// The value of a cookie; empty: it has none of that name.
    String cookie(String name) {
        return cookies.getOrDefault(name, "");
    }

    void put(String cookie, String value) {
        cookies.put(cookie, value);
    }

    /// @param headers name, value, name, value...
    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET());
    }

    HttpResponse<String> post(String path, Map<String, String> fields, String... headers) {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(request(path, headers)
                .POST(BodyPublishers.ofString(body))
                .header("Content-Type", "application/x-www-form-urlencoded"));
    }

    private HttpRequest.Builder request(String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(url + path)).header("Accept", "text/html,*/*;q=0.8");
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie",
                    cookies.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            answer.headers().allValues("Set-Cookie").forEach(this::keep);
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void keep(String line) {
        String[] pair = line.split(";")[0].split("=", 2);
        if (line.contains("Max-Age=0")) {
            cookies.remove(pair[0]);
        } else {
            cookies.put(pair[0], pair[1]);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
