package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import java.util.function.Function;
import java.util.function.Supplier;

/// A bundle as the reader of a page may see it.
///
/// @param snapshot its current state
/// @param isInside whether the reader sees which member of the organization did something
/// @param canWrite whether the reader may change it
/// @param canRecall whether the reader may recall its versions
public record VisibleBundle(BundleSnapshot snapshot, boolean isInside, boolean canWrite, boolean canRecall) {
    /// Returns the bundle of a page.
    ///
    /// @throws ProblemException bundle-not-found if it is missing or hidden, even for readers who are not
    ///     signed in
    public static VisibleBundle of(PageCall page, BundleReader bundles) {
        var snapshot = visible(() -> bundles.read(page));
        return new VisibleBundle(
                snapshot,
                Access.owns(page.call().caller(), snapshot.organizationId(), snapshot.name()),
                Access.mayWrite(page.call().caller(), snapshot),
                Access.mayReadRecalled(page.call().caller(), snapshot));
    }

    private static BundleSnapshot visible(Supplier<BundleSnapshot> reading) {
        try {
            return reading.get();
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unauthenticated || e.problem() instanceof Problem.ValidationFailed) {
                throw new Problem.NotFound("the bundle").raise();
            }
            throw e;
        }
    }

    /// Answers readers who see the bundle of a page.
    public static Answer answer(PageCall page, BundleReader bundles, Function<VisibleBundle, Answer> handler) {
        return handler.apply(of(page, bundles));
    }

    public RepositoryName name() {
        return snapshot.name();
    }

    public String visibility() {
        return snapshot.visibility().toString();
    }

    /// Returns the number of its snapshot, which changes as soon as the bundle changes.
    public long number() {
        return snapshot.number();
    }

    public boolean isPublic() {
        return snapshot.visibility() == Visibility.PUBLIC;
    }

    public String namespace() {
        return name().namespace().value();
    }

    public String bundle() {
        return name().bundle().value();
    }

    /// Returns the API's path of the bundle, or a path below it.
    ///
    /// @param rest a pattern as for [ApiPath#of]
    public ApiPath api(String rest, Object... values) {
        return below("/v1/namespaces/" + namespace() + "/bundles/" + bundle(), rest, values);
    }

    /// Returns the API's path of the bundle at the hub, or a path below it.
    public ApiPath hub(String rest, Object... values) {
        return below("/v1/hub/bundles/" + name(), rest, values);
    }

    /// Returns the path of a page of the bundle.
    public ApiPath at(String rest, Object... values) {
        return below("/" + name(), rest, values);
    }

    /// Returns the path of its publisher's page.
    public String publisher() {
        return ApiPath.of("/{}", namespace()).toString();
    }

    /// Returns its name as a word of a command.
    public String word() {
        return ShellQuoting.quote(name().toString());
    }

    /// Returns the page of a file of a version.
    public String file(String version, String path) {
        return at("/versions/{}/files/" + ApiPath.encodeFile(path), version).toString();
    }

    private static ApiPath below(String place, String rest, Object... values) {
        return ApiPath.of(place + rest, values);
    }

    /// Returns a page about the bundle.
    public PageView view(PageCall page, String title, String template) {
        return page.view(title.isEmpty() ? name().toString() : title + " · " + name(), "bundle/pages/" + template)
                .with("seen", this)
                .forEverybody()
                .in("browse");
    }
}
