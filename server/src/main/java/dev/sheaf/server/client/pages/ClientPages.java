package dev.sheaf.server.client.pages;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.client.ClientArchives;
import dev.sheaf.server.client.ClientArchives.Kind;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// The command line of exactly this server's version, for anybody: a page, the archives with their checksums, and
/// a script that installs it.
public final class ClientPages {
    private static final String PAGE = "/client";
    private static final String SUM = ".sha256";
    private static final String SCRIPT = "install.sh";
    private static final String NPM = PAGE + "/npm";
    private static final String PACKAGE = "sheaf";

    /// Caches may keep the files, but ask whether they have changed: the script names the digest of the archive.
    private static final String CACHED = "public, no-cache";

    private final ClientArchives archives;

    public ClientPages(ClientArchives archives) {
        this.archives = archives;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open(PAGE, this::show),
                new Route(RouteMethod.GET, PAGE + "/{file}", RoutePermission.NONE, RequestCost.CONTENT, this::file),
                new Route(
                        RouteMethod.GET, NPM + "/{package}", RoutePermission.NONE, RequestCost.CONTENT, this::forNpm));
    }

    private Answer show(PageCall page) {
        String base = page.call().baseUrl();
        return page.view("Get the client", "client/pages/client")
                .with("get", archives.find().map(all -> GetClient.of(all, base)).orElse(GetClient.NONE))
                .with("exposed", base.startsWith("http:") && !ServerSite.isLoopback(base))
                .forEverybody()
                .show();
    }

    private Answer file(Call call) {
        String name = call.parameter("file");
        var all = archives.find().orElseThrow(() -> missing("a client beside this server"));
        if (name.equals(SCRIPT)) {
            return text("text/x-shellscript", InstallScript.of(all, call.baseUrl()));
        }
        if (name.endsWith(SUM)) {
            var archive = all.named(name.substring(0, name.length() - SUM.length()));
            return text(
                    "text/plain",
                    archive.map(its -> its.digest().hex() + "  " + its.name() + "\n")
                            .orElseThrow(() -> missing(name, all)));
        }
        return archive(call, all.named(name).orElseThrow(() -> missing(name, all)));
    }

    /// Returns what npm asks a registry for, so that it compares the checksum before it unpacks anything.
    private Answer forNpm(Call call) {
        var all = archives.find().orElseThrow(() -> missing("a client beside this server"));
        String name = call.parameter("package");
        if (!name.equals(PACKAGE)) {
            throw missing("the package " + Quoted.of(name) + "; the only one here is " + PACKAGE);
        }
        var archive = all.of(Kind.NPM);
        byte[] digest = HexFormat.of().parseHex(archive.digest().hex());
        var dist = new Dist(
                call.baseUrl() + PAGE + "/" + archive.name(),
                "sha256-" + Base64.getEncoder().encodeToString(digest));
        var version = new PackageVersion(PACKAGE, all.version(), Map.of(PACKAGE, PACKAGE), List.of("!win32"), dist);
        return Answer.ok(new Package(PACKAGE, Map.of("latest", all.version()), Map.of(all.version(), version)))
                .with("Cache-Control", CACHED);
    }

    /// A package as a registry of npm describes it.
    private record Package(
            String name, @JsonProperty("dist-tags") Map<String, String> tags, Map<String, PackageVersion> versions) {}

    private record PackageVersion(String name, String version, Map<String, String> bin, List<String> os, Dist dist) {}

    private record Dist(String tarball, String integrity) {}

    private static RuntimeException missing(String name, ClientArchives.Set all) {
        return missing("the file " + Quoted.of(name) + " of the client, which has the version " + all.version()
                + " here and is at " + PAGE);
    }

    private static RuntimeException missing(String what) {
        return new Problem.NotFound(what).raise();
    }

    private static Answer text(String type, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Answer.document(type + "; charset=utf-8", bytes, Digest.sha256(bytes))
                .with("Cache-Control", CACHED);
    }

    private static Answer archive(Call call, ClientArchives.Archive archive) {
        var digest = archive.digest();
        var answer = ConditionalRead.isUnmodified(call, digest) ? Answer.empty(304) : content(call, archive);
        return answer.with("Cache-Control", CACHED).with("ETag", ConditionalRead.etag(digest));
    }

    /// Ranges are not served: an archive is assembled from its beginning.
    private static Answer content(Call call, ClientArchives.Archive archive) {
        call.pay();
        return Answer.content(200, archive.mediaType(), archive.length(), archive::writeTo);
    }

    /// The commands and files of the page.
    ///
    /// @param version empty if this server has no client
    /// @param systems those for which the archives have Java, such as `linux-x64`; may be empty
    public record GetClient(
            String version,
            String systems,
            String byCurl,
            String byWget,
            String byNpx,
            String byNpm,
            String byHand,
            List<Download> files) {
        static final GetClient NONE = new GetClient("", "", "", "", "", "", "", List.of());

        public GetClient {
            files = List.copyOf(files);
        }

        /// @param use who takes it
        public record Download(String name, long size, String sha256, String use) {
            public String path() {
                return PAGE + "/" + name;
            }
        }

        public boolean isThere() {
            return !version.isEmpty();
        }

        private static GetClient of(ClientArchives.Set all, String base) {
            String place = base + PAGE + "/";
            var tar = all.of(Kind.TAR);
            var npm = all.of(Kind.NPM);
            return new GetClient(
                    all.version(),
                    npm.system(),
                    "curl -fsSL " + ShellQuoting.quote(place + SCRIPT) + " | sh",
                    "wget -qO- " + ShellQuoting.quote(place + SCRIPT) + " | sh",
                    "npx --registry " + ShellQuoting.quote(base + NPM) + " sheaf add NAMESPACE/BUNDLE --url "
                            + ShellQuoting.quote(base),
                    "npm install -g --registry " + ShellQuoting.quote(base + NPM) + " sheaf",
                    "curl -fsSLO " + ShellQuoting.quote(place + tar.name()) + " && echo '"
                            + tar.digest().hex() + "  " + tar.name() + "' | sha256sum -c && tar -xzf " + tar.name(),
                    all.all().stream()
                            .map(file -> new Download(
                                    file.name(), file.length(), file.digest().hex(), use(file)))
                            .toList());
        }

        private static String use(ClientArchives.Archive file) {
            return switch (file.kind()) {
                case TAR -> "Linux and macOS with Java";
                case WITH_JAVA -> file.system() + ", Java included";
                case NPM -> "npm and npx";
                case DEBIAN -> "Debian and Ubuntu on " + file.system() + ", Java included";
            };
        }
    }
}
