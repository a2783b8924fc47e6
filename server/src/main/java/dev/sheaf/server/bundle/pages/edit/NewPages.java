package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.NewNamespace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Creates a bundle: empty, from files, from a folder, or from an archive.
public final class NewPages {
    private static final String READER = "reader";
    private static final int MOST_NAMESPACES = 100; // of an organization

    private final BundleReader bundles;
    private final Namespaces namespaces;
    private final FirstPublish publishing;
    private final int mostFiles;

    NewPages(BundleReader bundles, Namespaces namespaces, FirstPublish publishing, int mostFiles) {
        this.bundles = bundles;
        this.namespaces = namespaces;
        this.publishing = publishing;
        this.mostFiles = mostFiles;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own("/new", this::begin), pages.upload("/new", this::make));
    }

    /// The form without files.
    ///
    /// @param namespace a namespace of the viewer; may be empty if there is a new one
    /// @param newNamespace a namespace to claim; counts instead of the other, unless it is empty
    /// @param organization the organization that gets a new namespace
    /// @param isDraft whether nothing is published yet
    public record Wanted(
            String namespace,
            String newNamespace,
            String organization,
            String slug,
            String description,
            String visibility,
            String version,
            boolean isDraft) {
        static Wanted of(FormFields form) {
            return new Wanted(
                    text(form, "namespace"),
                    text(form, "newNamespace"),
                    text(form, "organization"),
                    text(form, "slug"),
                    text(form, "description"),
                    form.first("visibility").orElse("private"),
                    text(form, "version"),
                    form.first("then").orElse("").equals("draft"));
        }

        private static String text(FormFields form, String name) {
            return form.first(name).orElse("").strip();
        }

        boolean isNewNamespace() {
            return namespace.isEmpty() || !newNamespace.isEmpty();
        }

        String in() {
            return isNewNamespace() ? newNamespace : namespace;
        }

        String name() {
            return in() + "/" + slug;
        }

        ApiPath at(String rest) {
            return ApiPath.of("/{}/{}" + rest, in(), slug);
        }
    }

    // --- the form ---

    private Answer begin(PageCall page) {
        var own = namespaces(page);
        String asked = PageFormat.text(page.query("namespace"));
        String first = own.contains(asked) ? asked : own.isEmpty() ? "" : own.getFirst();
        var wanted = new Wanted(first, "", "", "", "", "private", "1.0.0", false);
        return show(page, wanted, FormErrors.NONE);
    }

    private Answer show(PageCall page, Wanted wanted, FormErrors errors) {
        return page.view("New bundle", "bundle/pages/edit/new")
                .with("wanted", wanted)
                .with("namespaces", namespaces(page))
                .with("organizations", organizations(page))
                .with("errors", errors)
                .refused(errors)
                .forMachines(new ApiEquivalent(
                        List.of("POST /v1/namespaces/acme/bundles/notes:push"),
                        List.of("sheaf push ./notes acme/notes:1.0.0 --public")))
                .show();
    }

    /// Returns the organizations in which the viewer may do more than read.
    private static List<User.Belonging> organizations(PageCall page) {
        return page.viewer().organizations().stream()
                .filter(own -> !own.role().equals(READER))
                .toList();
    }

    private List<String> namespaces(PageCall page) {
        var all = new ArrayList<String>();
        for (var own : organizations(page)) {
            page.in(own.id())
                    .ifPresent(member -> namespaces
                            .permitted(member, null, MOST_NAMESPACES)
                            .forEach(namespace -> all.add(namespace.handle())));
        }
        return all.stream().sorted().toList();
    }

    // --- the result ---

    private Answer make(PageCall page) {
        var form = MultipartForm.read(page.call());
        page.check(form.form());
        var wanted = Wanted.of(form.form());
        var chosen = ChosenFiles.of(page.call(), form).within(mostFiles, Set::of);
        boolean isDraft = wanted.isDraft() || chosen.files().isEmpty();
        var errors = errors(page, wanted, chosen, isDraft);
        if (!errors.isEmpty()) {
            return show(page, wanted, errors);
        }
        try {
            claim(page, wanted);
            page.require(RoutePermission.WRITE);
            var secrets = isDraft
                    ? List.<String>of()
                    : page.call().computed(chosen.size(), budget -> chosen.withSecrets(budget));
            if (!secrets.isEmpty()) {
                return stopped(page, wanted, chosen, secrets);
            }
            if (isDraft) {
                return draft(page, wanted, chosen);
            }
            var made = publishing.publish(page, wanted, chosen);
            return page.seeOther(made.at(), made.notice());
        } catch (ProblemException e) {
            return show(page, wanted, errors(e.problem(), chosen));
        } catch (WorkingFiles.Stopped e) {
            return page.seeOther(
                    wanted.at("/settings/files").toString(),
                    PageNotice.bad(wanted.name() + " is created, but not everything was accepted.", e.outcome()));
        }
    }

    /// Returns the errors that are known without the API.
    private FormErrors errors(PageCall page, Wanted wanted, ChosenFiles chosen, boolean isDraft) {
        var fields = new LinkedHashMap<>(chosen.errors().fields());
        parse(fields, wanted.isNewNamespace() ? "newNamespace" : "namespace", wanted.in(), Namespace::parse);
        parse(fields, "slug", wanted.slug(), BundleName::parseSlug);
        if (!isDraft) {
            parse(fields, "version", wanted.version(), Version::parse);
        }
        if (fields.isEmpty() && exists(page, wanted)) {
            fields.put("slug", wanted.name() + " already exists. Choose another name, or change that bundle.");
        }
        return new FormErrors(fields, chosen.errors().others());
    }

    /// Returns whether the viewer sees such a bundle. From now on, the viewer acts for the owner of its namespace.
    private boolean exists(PageCall page, Wanted wanted) {
        var namespace = new Namespace(wanted.in());
        var owner = namespaces.owner(namespace);
        if (owner != null) {
            page.actFor(owner);
        }
        var name = new RepositoryName(namespace, BundleName.parseBundle(wanted.slug()));
        return PageCall.find(() -> bundles.read(page, name)) != null;
    }

    private static void parse(Map<String, String> errors, String field, String text, Consumer<String> parser) {
        try {
            parser.accept(text);
        } catch (ProblemException e) {
            errors.put(field, FormErrors.of(e.problem(), List.of()).others().getFirst());
        }
    }

    /// Returns the errors of a refusal by the API. Errors of a file are shown with its path.
    private static FormErrors errors(Problem problem, ChosenFiles chosen) {
        var all = PageCall.errors(problem, "slug", "description", "visibility", "version");
        if (!(problem instanceof Problem.ValidationFailed failed)) {
            return all;
        }
        var ofFiles = new ArrayList<String>();
        for (var error : failed.errors()) {
            String[] pointer = error.pointer().split("/");
            if (pointer.length > 1 && pointer[1].equals("manifest")) {
                ofFiles.add(pathOf(pointer, chosen) + error.detail());
            }
        }
        return ofFiles.isEmpty() ? all : new FormErrors(all.fields(), ofFiles);
    }

    private static String pathOf(String[] pointer, ChosenFiles chosen) {
        if (pointer.length < 3 || !pointer[2].matches("[0-9]{1,6}")) {
            return "";
        }
        int index = Integer.parseInt(pointer[2]);
        return index < chosen.files().size() ? chosen.files().get(index).path() + ": " : "";
    }

    /// Claims a new namespace for the chosen organization if the viewer is a member of several; with one
    /// organization, the push claims it.
    private void claim(PageCall page, Wanted wanted) {
        if (wanted.isNewNamespace() && organizations(page).size() > 1) {
            var own = page.viewer()
                    .in(wanted.organization())
                    .orElseThrow(() -> new Problem.NotFound("the organization").raise());
            page.actFor(own.id());
            page.require(RoutePermission.ADMIN);
            var claimed = RequestFields.form(Map.of("handle", wanted.in())).to(NewNamespace::parse);
            namespaces.create(page.origin(), claimed);
        }
    }

    /// Creates the bundle without publishing what may be a secret, and asks.
    private Answer stopped(PageCall page, Wanted wanted, ChosenFiles chosen, List<String> secrets)
            throws WorkingFiles.Stopped {
        publishing.create(page, wanted, chosen);
        return page.seeOther(
                wanted.at("/settings/publish/check")
                        .with("version", wanted.version())
                        .toString(),
                PageNotice.bad(
                        "Nothing is published yet: "
                                + PageFormat.count(secrets.size(), "file contains", "files contain")
                                + " what looks like a secret.",
                        PageFormat.visible(secrets.getFirst())
                                + (secrets.size() > 1 ? " and others" : "")
                                + ". Take it out and revoke it; publish below only if it is none."));
    }

    private Answer draft(PageCall page, Wanted wanted, ChosenFiles chosen) throws WorkingFiles.Stopped {
        publishing.create(page, wanted, chosen);
        String done = wanted.name() + " is created. Nothing is published yet.";
        return page.seeOther(
                wanted.at(chosen.files().isEmpty() ? "/settings/files" : "/settings/publish")
                        .toString(),
                FilesPages.notice(done, chosen.leftOut()));
    }
}
