package dev.sheaf.cli;

import dev.sheaf.model.Digest;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/// Sends a server many of the requests that servers get most. Java notes in the server's AOT cache how its methods were
/// used (JEP 515), and so compiles them well at once after the next start. What the server answers does not matter.
final class RehearsedLoad {
    private static final int READS = 1_000; // more than the calls after which Java takes notes of a method
    private static final int WRITES = 250;
    private static final int LARGE = 4 << 20;
    private static final int LARGE_WRITES = 8;
    private static final String BUNDLE = "/v1/namespaces/none/bundles/load";
    private static final String REPOSITORY = "/v2/none/load";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final String key;
    private int refused;

    RehearsedLoad(String url, String key) {
        this.url = url;
        this.key = key;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int refused = new RehearsedLoad(System.getenv("SHEAF_URL"), System.getenv("SHEAF_API_KEY")).run(READS, WRITES);
        System.out.println("of the load, " + refused + " requests were refused");
    }

    /// Returns how many requests were refused.
    int run(int reads, int writes) throws IOException, InterruptedException {
        push(writes);
        var small = upload(new byte[1_000]);
        for (int i = 0; i < LARGE_WRITES; i++) {
            byte[] large = new byte[LARGE];
            large[0] = (byte) i;
            read(REPOSITORY + "/blobs/" + upload(large), 1);
        }
        for (String path : List.of(
                BUNDLE + ":resolve",
                BUNDLE + "/versions",
                REPOSITORY + "/manifests/1.0.0",
                REPOSITORY + "/blobs/" + small)) {
            read(path, reads);
        }
        return refused;
    }

    private void push(int times) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            String body = """
                    {"name": "Load", "visibility": "public", "version": "1.0.%d",
                     "manifest": [{"logicalPath": "a.txt", "contentText": "%d"}]}""".formatted(i, i);
            send(to(BUNDLE + ":push").header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
        }
    }

    private Digest upload(byte[] bytes) throws IOException, InterruptedException {
        var digest = Digest.sha256(bytes);
        var begun = send(to(REPOSITORY + "/blobs/uploads/").POST(BodyPublishers.noBody()));
        String place = begun.headers().firstValue("Location").orElse("");
        send(to(place + "?digest=" + digest)
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofByteArray(bytes)));
        return digest;
    }

    /// Reads with the key and, half as often, without it.
    private void read(String path, int times) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            send(to(path).GET());
            if (i % 2 == 0) {
                send(HttpRequest.newBuilder(URI.create(url + path)).GET());
            }
        }
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + key);
    }

    private HttpResponse<Void> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer = http.send(request.build(), BodyHandlers.discarding());
        refused += answer.statusCode() < HttpURLConnection.HTTP_MULT_CHOICE ? 0 : 1;
        return answer;
    }
}
