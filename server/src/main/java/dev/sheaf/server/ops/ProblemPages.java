package dev.sheaf.server.ops;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The pages about the types of problems: what each means, and what to do about it.
final class ProblemPages {
    private static final String CRUMBS =
            "<nav class=\"crumbs\" aria-label=\"Path\"><ol><li><a href=\"/problems\">Problems</a></li></ol></nav>";

    /// @param status the HTTP status of answers with this problem
    private record Page(String slug, int status, String meaning, String advice) {}

    private static final List<Page> PAGES = List.of(
            new Page(
                    "bundle-not-found",
                    404,
                    "The bundle does not exist, or the credential may not see it; both get the same answer on purpose.",
                    "Check the spelling of namespace/bundle, and that the API key belongs to the organization that owns it."),
            new Page(
                    "version-not-found",
                    404,
                    "The bundle exists and no version of it matches what was requested.",
                    "The member candidates contains up to five similar versions and tags; GET …/versions lists all."),
            new Page(
                    "version-deleted",
                    410,
                    "The version existed and has been deleted. Its number and its digest cannot be published again.",
                    "Choose another version; GET …/versions lists the existing ones."),
            new Page(
                    "version-recalled",
                    410,
                    "The version turned out bad, and its organization took its content from everybody; the member reason says why.",
                    "Remove it where it is installed, and use the replacement, or another version."),
            new Page(
                    "held",
                    409,
                    "Other content waits for approval under the same number. Only who pushed it or an admin can replace it.",
                    "Publish another version, or have the one that waits withdrawn: POST …/versions/{version}:withdraw."),
            new Page(
                    "needs-review",
                    409,
                    "A private bundle whose policy asks for approval cannot become public while it has versions that nobody approved.",
                    "Ask for their review: POST …/versions/{version}:request-review; or delete them."),
            new Page(
                    "too-many-held",
                    409,
                    "A bundle has at most 20 versions that wait for approval, an organization 200.",
                    "Have some of them decided, or withdraw them; GET /v1/reviews?state=held lists them."),
            new Page(
                    "review-needs-person",
                    403,
                    "Only people decide on reviews. The request was sent with an API key, or with a token that is not of a sign-in.",
                    "Sign in with sheaf login, or decide in the console."),
            new Page(
                    "unsatisfiable",
                    409,
                    "No choice of versions meets all that the version needs. The member demands lists the requirements that contradict each other, or that no version meets.",
                    "Resolve another version, or ask the publishers for ranges that fit together."),
            new Page(
                    "owner-changed",
                    409,
                    "The namespace of a required bundle belongs to somebody else than when the version that requires it was published.",
                    "If you trust the new owner, send acceptOwner with the namespace; else wait for a new version of what requires it."),
            new Page(
                    "closure-too-large",
                    422,
                    "The version needs more than is resolved in one request: 500 bundles, 2,000 requirements, 50 levels, 5,000 trials.",
                    "Resolve its requirements one by one, or require fewer."),
            new Page(
                    "required-by",
                    409,
                    "Published versions of the same organization need what would be deleted, and nothing else would do. The member dependents names them.",
                    "Publish another version that fits, yank those that need it, or repeat the request with force=true."),
            new Page(
                    "requirement-not-readable",
                    422,
                    "A version requires a bundle that does not exist, that not everybody who can read the version could read, or that has no published version in the range.",
                    "Require another bundle or range, or make the required bundle public; a private bundle may require public ones and those of its own organization. The credential must be able to read the required bundle."),
            new Page(
                    "review-impossible",
                    422,
                    "The policy asks for more approvals than there are people who may give one.",
                    "Invite more people, name more of them in by, ask for fewer approvals, or set notBy to nobody."),
            new Page(
                    "scan-blocked",
                    422,
                    "The policy of the bundle or its namespace refuses versions with findings of this severity; the member findings says"
                            + " what was found, and where.",
                    "Change the files and push again. If a finding is wrong, ask an admin of the organization to look at the policy."),
            new Page(
                    "tag-not-found",
                    404,
                    "The bundle exists, but does not have this tag.",
                    "GET …/tags/list of the registry, or the tags of a resolved version, show the tags."),
            new Page(
                    "no-active-version",
                    404,
                    "The request names no version, so it means the tag latest, and the bundle has no published version, or all are yanked.",
                    "Publish a version, or name one that is yanked by its exact number."),
            new Page(
                    "asset-not-found",
                    404,
                    "The version, or the draft of the bundle, does not have this asset, or the bytes of the asset are damaged.",
                    "List the assets of the version. If it is listed there, push the same content again: that repairs it."),
            new Page("not-found", 404, "This address does not exist.", "Check the address against the API's document."),
            new Page(
                    "totp-required",
                    401,
                    "The password is right, but the account also needs a code. It was missing, wrong or already used.",
                    "Send the same request again with the member totp: the six digits that the authenticator shows, or a"
                            + " recovery code. If you have neither, an administrator can remove the authenticator."),
            new Page(
                    "not-owner",
                    403,
                    "The resource is public, so you can see it, but another organization owns it.",
                    "Use a key of the owner, or publish under a namespace of your own."),
            new Page(
                    "not-administrator",
                    403,
                    "Addresses under /v1/admin concern the whole installation, not one organization.",
                    "Use an admin API key of the installation's first organization; not an access token made"
                            + " from it, and not a key with restrictions."),
            new Page(
                    "forbidden",
                    403,
                    "The credential is valid and its scope suffices, but this kind of caller may not do this. The detail says why.",
                    "Use the kind of credential that the detail names: for keys and members an API key or a sign-in,"
                            + " not an access token that a person passed on to a program."),
            new Page(
                    "version-exists",
                    409,
                    "This version exists already, with different content. A version never changes.",
                    "Publish under the next number. The members existing and offered contain both digests."),
            new Page(
                    "tag-moved",
                    409,
                    "The tag does not point to the version that the change expected: it was moved in the meantime.",
                    "Read the tag again. The members expected and actual contain both versions."),
            new Page(
                    "tag-protected",
                    409,
                    "The tag is protected against being moved or removed by hand.",
                    "If that is what you want, lift the protection first: PUT the tag with \"protected\": false."),
            new Page("name-taken", 409, "The name is already taken.", "Choose another name."),
            new Page(
                    "name-reserved",
                    422,
                    "The name, or one that looks like it, is reserved, so that nobody can pretend to be the registry.",
                    "Choose another name."),
            new Page(
                    "lease-lost",
                    409,
                    "The lease of the work has ended, so somebody else may have taken it in the meantime.",
                    "Stop, and do not write a result. Ask for work again. Next time, renew the lease before it ends."),
            new Page("conflict", 409, "The request contradicts the current state.", "The detail names the conflict."),
            new Page(
                    "visibility-mismatch",
                    403,
                    "The push has the visibility private, but the bundle is public. Nothing was published, so"
                            + " that private content does not become public.",
                    "Leave visibility out of the push, or make the bundle private first: PATCH it with"
                            + " {\"visibility\": \"private\"}."),
            new Page(
                    "binary-assets",
                    409,
                    "The answer would be text, but some of the content is not text. An empty text in its place"
                            + " would look like the file.",
                    "Ask for a whole version with ?binary=base64, for one asset with Accept: application/octet-stream,"
                            + " or pull the version from the registry. The member assets lists the assets that are not text."),
            new Page(
                    "precondition-failed",
                    412,
                    "The resource has changed since you read it.",
                    "Read it again, and repeat the change with its new ETag."),
            new Page(
                    "validation-failed",
                    422,
                    "The request breaks a rule.",
                    "The member errors lists all errors: pointer says where (RFC 6901), detail states the rule."),
            new Page(
                    "idempotency-in-progress",
                    409,
                    "A request with this Idempotency-Key is still being carried out.",
                    "Send the same request again in a few seconds: it gets the answer of the first one. If a server dies,"
                            + " its request counts as in progress for five minutes."),
            new Page(
                    "idempotency-mismatch",
                    422,
                    "The Idempotency-Key was used for another request: another path, query or body.",
                    "Make a new key for each new request, and reuse it only to send the same request again."),
            new Page("bad-request", 400, "The request cannot be read.", "The detail says where it is wrong."),
            new Page(
                    "invalid-cursor",
                    400,
                    "The cursor of a list was changed, or belongs to another list or other filters.",
                    "Start again without a cursor."),
            new Page(
                    "cursor-expired",
                    410,
                    "The cursor of a feed of events is older than the oldest stored event, or from a time that a restore"
                            + " has undone.",
                    "Read the current state again, then continue with the cursor in the member oldest."),
            new Page(
                    "payload-too-large",
                    413,
                    "The content sent, or the answer requested, is over a limit, such as the whole quota of the organization.",
                    "The member limit states the limit. Large content goes through the OCI registry."),
            new Page(
                    "uri-too-long",
                    414,
                    "The first line of the request, with the path and the query, is over the limit.",
                    "Send less in the query."),
            new Page(
                    "headers-too-large",
                    431,
                    "The headers of the request are over the limit, or there are more than 200.",
                    "Send fewer or shorter headers, for example fewer cookies."),
            new Page(
                    "not-implemented",
                    501,
                    "The body of the request has a transfer coding that is not supported.",
                    "Send it chunked, or with its Content-Length."),
            new Page(
                    "http-version-not-supported",
                    505,
                    "The request uses a version of HTTP that is not supported.",
                    "Use HTTP/1.1."),
            new Page(
                    "unsupported-media-type",
                    415,
                    "This address does not accept the Content-Type or the Content-Encoding of the request.",
                    "Send one of the types in the member supported."),
            new Page(
                    "not-acceptable",
                    406,
                    "No available type matches the Accept header.",
                    "Leave Accept out, or send */*."),
            new Page(
                    "method-not-allowed",
                    405,
                    "The address does not support this method.",
                    "The Allow header lists the methods that it supports."),
            new Page(
                    "misdirected-request",
                    421,
                    "The registry does not accept requests for this host name.",
                    "Use the address that you were given for the registry. Its operator can add hosts to the"
                            + " setting allowed-hosts, or set the address as public-url. Behind a proxy, the Host or"
                            + " X-Forwarded-Host that the proxy sends must be one of these hosts."),
            new Page(
                    "rate-limited",
                    429,
                    "Too many requests were sent in too short a time, or they need too much of the registry at a time.",
                    "Wait as many seconds as Retry-After says. The member throttle names the limit, and the detail the"
                            + " setting with which an operator changes it."),
            new Page(
                    "quota-exceeded",
                    507,
                    "The organization's quota is used up, or too many of its jobs wait.",
                    "The members limit, used and requested contain the numbers: delete what is no longer needed, or ask the"
                            + " registry's operator for a larger quota."),
            new Page(
                    "storage-full",
                    507,
                    "The disk of the registry is nearly full, so it accepts no content. Reads still work.",
                    "Tell the operator of the registry. Sending the request again helps only after there is room."),
            new Page(
                    "service-unavailable",
                    503,
                    "The registry cannot serve this now: it is starting, stopping, too busy, or cannot reach its database.",
                    "Try again after as many seconds as Retry-After says. If the registry is too busy, the member throttle"
                            + " names the limit."),
            new Page(
                    "internal-error",
                    500,
                    "The registry failed because of an internal error.",
                    "Try again. If it happens again, give the operator the request id of the answer."));

    private final String head;

    /// @param styleSheet the path of the style sheet of the console
    ProblemPages(String styleSheet) {
        this.head = """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\
                <meta name="color-scheme" content="light dark"><link rel="stylesheet" href="%s">\
                """.formatted(styleSheet);
    }

    String index() {
        var items = new StringBuilder();
        PAGES.stream()
                .sorted(Comparator.comparing(Page::slug))
                .forEach(page -> items.append("""
                        <li><h2><a href="/problems/%s">%s</a></h2><p class="small soft">%s</p>\
                        <p class="list-end small faint">HTTP %d</p></li>
                        """.formatted(page.slug(), page.slug(), page.meaning(), page.status())));
        return html(
                "Problems",
                "<p class=\"lead\">The errors of the API: what each means, and what to do.</p>",
                "",
                "<ul class=\"box list is-tight\">" + items + "</ul>");
    }

    Optional<String> page(String slug) {
        return PAGES.stream()
                .filter(page -> page.slug().equals(slug))
                .findFirst()
                .map(page -> html(
                        slug,
                        "<p class=\"lead\">HTTP status %d</p>".formatted(page.status()),
                        CRUMBS,
                        "<div class=\"box box-pad stack\"><p>%s</p><h2>What to do</h2><p>%s</p></div>"
                                .formatted(page.meaning(), page.advice())));
    }

    private String html(String title, String lead, String crumbs, String body) {
        return head + """
                <title>%s · Sheaf</title></head>
                <body><a class="skip" href="#main">Skip to content</a>
                <header class="top"><div class="wrap"><a class="brand" href="/">Sheaf</a>\
                <nav class="top-nav" aria-label="Site"><ul class="row"><li><a href="/">Back to the registry</a></li></ul></nav>\
                </div></header>
                <main id="main"><div class="wrap"><div class="head">%s<h1>%s</h1>%s</div><div class="body read">%s</div></div></main>
                </body></html>
                """.formatted(title, crumbs, title, lead, body);
    }
}
