package dev.sheaf.server.ops;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The pages behind the types of problems: what each means, and what to do about it.
final class ProblemPages {
    /// @param status the HTTP status it comes with
    private record Page(String slug, int status, String meaning, String advice) {}

    private static final List<Page> PAGES = List.of(
            new Page(
                    "bundle-not-found",
                    404,
                    "There is no such bundle, or the credential may not see it; the answer is the same on purpose.",
                    "Check the spelling of namespace/bundle, and that the API key belongs to the organization that owns it."),
            new Page(
                    "version-not-found",
                    404,
                    "The bundle exists and no version of it matches what was requested.",
                    "The member candidates names up to five versions and tags that look like it; GET …/versions lists all."),
            new Page(
                    "version-deleted",
                    410,
                    "The version was there and has been deleted. Nobody can publish its number or its digest again.",
                    "Choose another version; GET …/versions lists those that there are."),
            new Page(
                    "tag-not-found",
                    404,
                    "The bundle exists and has no such tag.",
                    "GET …/tags/list of the registry, or the tags of a resolved version, show which there are."),
            new Page(
                    "no-active-version",
                    404,
                    "Nothing was named, so the tag latest was meant, and the bundle has no version that is published and not yanked.",
                    "Publish a version, or name one that is yanked by its exact number."),
            new Page(
                    "asset-not-found",
                    404,
                    "The version, or the bundle as it is being edited, has no such asset; or its bytes are damaged.",
                    "List the assets of the version. If it is listed there, push the same content again: that repairs it."),
            new Page(
                    "not-found",
                    404,
                    "There is nothing under this address.",
                    "Check the address against the API's document."),
            new Page(
                    "totp-required",
                    401,
                    "The password is right, and the account takes a code besides: none was sent, or it is wrong, or was used.",
                    "Send the same again with the member totp: the six digits that the authenticator shows now, or a"
                            + " recovery code. Without either, an administrator can remove the authenticator."),
            new Page(
                    "not-owner",
                    403,
                    "What you want to change is public, so you can see it, but another organization owns it.",
                    "Use a key of the owner, or publish under a namespace of your own."),
            new Page(
                    "not-administrator",
                    403,
                    "What is under /v1/admin is about the whole installation, not about one organization.",
                    "Use an admin API key of the organization that the installation began with; not an access token made"
                            + " from it, and not a key with restrictions."),
            new Page(
                    "forbidden",
                    403,
                    "The credential is good and its scope suffices, but this is not for such a caller, as the detail says.",
                    "Use the kind of credential that the detail names: for keys and members an API key or a sign-in,"
                            + " not an access token that was handed on to a program."),
            new Page(
                    "version-exists",
                    409,
                    "The version's number is taken, and its content is not what was offered. A version never changes.",
                    "Publish under the next number. The members existing and offered hold both digests."),
            new Page(
                    "tag-moved",
                    409,
                    "The tag does not point to the version that the change expected: somebody moved it meanwhile.",
                    "Read the tag again. The members expected and actual hold both versions."),
            new Page(
                    "tag-protected",
                    409,
                    "The tag is protected against being moved or removed by hand.",
                    "If that is what you want, lift the protection first: PUT the tag with \"protected\": false."),
            new Page("name-taken", 409, "Somebody has the name already.", "Choose another name."),
            new Page(
                    "name-reserved",
                    422,
                    "The name, or one that looks like it, is kept back so that nobody can pose as the service.",
                    "Choose another name."),
            new Page(
                    "lease-lost",
                    409,
                    "The work was held for a time, and that time is over: somebody else may have taken it meanwhile.",
                    "Stop, and do not write a result. Ask for work again; renew the lease before it ends the next time."),
            new Page(
                    "conflict",
                    409,
                    "The request contradicts what there is.",
                    "The detail says what stands against it."),
            new Page(
                    "visibility-mismatch",
                    403,
                    "The push says that its bundle is private, and the bundle is public. Nothing was published: what"
                            + " somebody takes for private must not end where everybody reads it.",
                    "Leave visibility out of the push, or make the bundle private first: PATCH it with"
                            + " {\"visibility\": \"private\"}."),
            new Page(
                    "binary-assets",
                    409,
                    "What was asked for is answered as text, and some of it is no text. An empty text in its place"
                            + " would be taken for the file.",
                    "Ask for a whole version with ?binary=base64, for one asset with Accept: application/octet-stream,"
                            + " or pull the version from the registry. The member assets says which they are."),
            new Page(
                    "precondition-failed",
                    412,
                    "The resource has changed since you read it.",
                    "Read it again, and repeat the change with its new ETag."),
            new Page(
                    "validation-failed",
                    422,
                    "Something in the request breaks a rule.",
                    "The member errors lists everything: pointer says where (RFC 6901), detail says what the rule is."),
            new Page(
                    "idempotency-in-progress",
                    409,
                    "A request with this Idempotency-Key has arrived and is still being carried out.",
                    "Send the same request again in some seconds: it is answered with how the first one ended. A request"
                            + " whose server died counts as in progress for five minutes."),
            new Page(
                    "idempotency-mismatch",
                    422,
                    "The Idempotency-Key was used for another request: another path, query or body.",
                    "Make a new key for each new request, and send it again only with the very same one."),
            new Page("bad-request", 400, "The request cannot be read.", "The detail says where it breaks."),
            new Page(
                    "invalid-cursor",
                    400,
                    "The cursor of a list was changed, or belongs to another list or other filters.",
                    "Start again without a cursor."),
            new Page(
                    "cursor-expired",
                    410,
                    "The cursor of a feed of events is older than what is left of it, or is of a time that a restore took"
                            + " back.",
                    "Read the state of what you follow anew, then go on from the cursor in the member oldest."),
            new Page(
                    "payload-too-large",
                    413,
                    "What was sent, or asked for in one answer, is over a limit, such as the whole quota of the organization.",
                    "The member limit holds the limit. Large content goes through the OCI registry."),
            new Page(
                    "uri-too-long",
                    414,
                    "The first line of the request, which holds the path and the query, is over the limit.",
                    "Send less in the query."),
            new Page(
                    "headers-too-large",
                    431,
                    "The headers of the request are over the limit, or there are more than 200.",
                    "Send fewer or shorter headers, cookies for instance."),
            new Page(
                    "not-implemented",
                    501,
                    "The body of the request is coded for its way in a form that is not known here.",
                    "Send it chunked, or with its Content-Length."),
            new Page(
                    "http-version-not-supported",
                    505,
                    "The request is of a version of HTTP that is not spoken here.",
                    "Speak HTTP/1.1."),
            new Page(
                    "unsupported-media-type",
                    415,
                    "The Content-Type of the request is not one that this address reads.",
                    "Send the type that the member supported names."),
            new Page("not-acceptable", 406, "Nothing fits the Accept header.", "Leave Accept out, or send */*."),
            new Page(
                    "method-not-allowed",
                    405,
                    "The address does not know this method.",
                    "The Allow header names those it knows."),
            new Page(
                    "misdirected-request",
                    421,
                    "The request is for a host that this service is not known to have, so no answer may name it.",
                    "Use the address that the service was given to you with. Whoever runs it names its hosts in the"
                            + " setting allowed-hosts, or its one address in public-url; behind a proxy, what the proxy"
                            + " sends as Host or X-Forwarded-Host must be among them."),
            new Page(
                    "rate-limited",
                    429,
                    "Too much was asked for in too short a time.",
                    "Wait as many seconds as Retry-After says."),
            new Page(
                    "quota-exceeded",
                    507,
                    "There is no room for more: the organization's quota is used up, or the registry's disk is.",
                    "The detail says which. Where it is the quota, the members limit, used and requested hold the numbers"
                            + " of what: delete what is no longer needed, or ask the registry's operator for a larger quota."
                            + " Where it is the disk, tell the operator."),
            new Page(
                    "service-unavailable",
                    503,
                    "The registry cannot serve this now: it is starting, stopping, or its database is out of reach.",
                    "Try again after as many seconds as Retry-After says."),
            new Page(
                    "internal-error",
                    500,
                    "The registry failed.",
                    "Try again; if it stays, give the operator the request id of the answer."));

    private ProblemPages() {}

    static List<String> slugs() {
        return PAGES.stream().map(Page::slug).toList();
    }

    static String index() {
        var items = new StringBuilder();
        PAGES.stream()
                .sorted(Comparator.comparing(Page::slug))
                .forEach(page -> items.append("<li><a href=\"/problems/%s\">%s</a> (%d): %s</li>%n"
                        .formatted(page.slug(), page.slug(), page.status(), page.meaning())));
        return html("Problems", "<ul>" + items + "</ul>");
    }

    static Optional<String> page(String slug) {
        return PAGES.stream()
                .filter(page -> page.slug().equals(slug))
                .findFirst()
                .map(page -> html(
                        slug,
                        "<p>HTTP status %d.</p><p>%s</p><h2>What to do</h2><p>%s</p><p><a href=\"/problems\">All problems</a></p>"
                                .formatted(page.status(), page.meaning(), page.advice())));
    }

    private static String html(String title, String body) {
        return """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s - Sheaf</title>
                <style>body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}</style></head>
                <body><h1>%s</h1>%s</body></html>
                """.formatted(title, title, body);
    }
}
