package dev.sheaf.client.http;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.SheafException.Answer;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.key.Scope;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Parses error responses: problem+json of `/v1` (contract 1.2) and the OCI error envelope of `/v2`. The
/// registry's text is shown to people, so it is shortened and stripped of control characters.
public final class ErrorResponses {
    private static final int LONGEST_MESSAGE = 1000;
    private static final Pattern SCOPE = Pattern.compile("requires '([a-z]+)' scope");
    private static final Pattern UNSHOWABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\u2028\\u2029]+");

    private ErrorResponses() {}

    static SheafException of(HttpCall call, int status, HttpHeaders headers, byte[] body) {
        @Nullable JsonNode document = WireJson.tree(body);
        @Nullable JsonNode oci = document == null ? null : document.at("/errors/0");
        boolean envelope = oci != null && document != null && !document.has("status") && oci.has("message");
        String code = envelope ? text(oci, "code") : code(document);
        String said = envelope ? text(oci, "message") : text(document, "detail");
        String message = said != null ? said : defaultMessage(call, status);
        String requestId =
                headers.firstValue("X-Request-Id").map(ErrorResponses::showable).orElse(text(document, "requestId"));
        String throttle = text(envelope && oci != null ? oci.path("detail") : document, "throttle");
        var answer = new Answer(status, code, requestId, retryAfter(headers), throttle);
        if (status == 404 && isNoRegistry(call, headers)) {
            return new SheafException.Server(
                    message + ", but this answer is not from a Sheaf registry; check the address", answer);
        }
        return switch (status) {
            case 401 -> refused(message, answer, headers);
            case 403 ->
                new SheafException.Forbidden(message, answer, scopeIn(message).orElse(null));
            case 404, 410 -> new SheafException.NotFound(message, answer);
            case 409, 412 -> new SheafException.Conflict(message, answer);
            case 429 -> new SheafException.RateLimited(message, answer);
            case 400, 405, 406, 413, 415, 416, 422 ->
                new SheafException.InvalidRequest(message, answer, envelope ? List.of() : errors(document));
            default -> new SheafException.Server(message + redirect(status, headers), answer);
        };
    }

    /// Returns whether the server is not a Sheaf registry. A Sheaf registry always answers `/v1` in JSON; other
    /// registries only have `/v2`.
    private static boolean isNoRegistry(HttpCall call, HttpHeaders headers) {
        return call.uri().getRawPath().startsWith("/v1/")
                && !headers.firstValue("Content-Type")
                        .orElse(RegistryTransport.JSON)
                        .contains("json");
    }

    /// Returns a message for a response without a message, such as the response to HEAD.
    private static String defaultMessage(HttpCall call, int status) {
        String request = call.method() + " " + call.uri().getRawPath();
        return switch (status) {
            case 401 -> "this requires a key that the registry accepts (" + request + ")";
            case 403 -> "the registry does not allow " + request;
            case 404, 410 -> "the registry does not have " + call.uri().getRawPath();
            default -> "the registry answered " + status + " to " + request;
        };
    }

    /// Returns the failure for a 401. `/v2` also answers 401 if a permission is missing, and then names the
    /// required scope (distribution token specification).
    private static SheafException refused(String message, Answer answer, HttpHeaders headers) {
        String challenge = String.join(" ", headers.allValues("WWW-Authenticate"));
        if (!challenge.contains("insufficient_scope")) {
            return new SheafException.Unauthenticated(message, answer);
        }
        return new SheafException.Forbidden(message, answer, challenge.contains("push") ? Scope.WRITE : Scope.READ);
    }

    private static Optional<Scope> scopeIn(String message) {
        var matcher = SCOPE.matcher(message);
        return matcher.find() ? Scope.find(matcher.group(1)) : Optional.empty();
    }

    private static String redirect(int status, HttpHeaders headers) {
        return status / 100 != 3
                ? ""
                : ", a redirect to "
                        + headers.firstValue("Location")
                                .map(ErrorResponses::showable)
                                .orElse("nowhere")
                        + " that is not followed; use the registry's own address";
    }

    private static @Nullable String code(@Nullable JsonNode problem) {
        String code = text(problem, "code");
        String type = text(problem, "type");
        if (code != null || type == null || type.indexOf('/') < 0) {
            return code;
        }
        return type.substring(type.lastIndexOf('/') + 1);
    }

    private static List<FieldError> errors(@Nullable JsonNode problem) {
        var errors = new ArrayList<FieldError>();
        if (problem != null) {
            for (JsonNode error : problem.path("errors")) {
                String detail = text(error, "detail");
                errors.add(new FieldError(place(error), orEmpty(text(error, "code")), orEmpty(detail)));
            }
        }
        return errors;
    }

    /// Returns the pointer to the wrong member, or the name of the wrong parameter.
    private static String place(JsonNode error) {
        String parameter = text(error, "parameter");
        return parameter == null ? orEmpty(text(error, "pointer")) : parameter;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable String text(@Nullable JsonNode object, String member) {
        if (object == null) {
            return null;
        }
        JsonNode value = object.path(member);
        return value.isString() ? showable(value.stringValue()) : null;
    }

    public static String showable(String text) {
        String cut = text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) + "…" : text;
        return UNSHOWABLE.matcher(cut).replaceAll(" ");
    }

    /// Parses seconds or a date (RFC 9110, section 10.2.3).
    private static @Nullable Duration retryAfter(HttpHeaders headers) {
        Optional<String> value = headers.firstValue("Retry-After").map(String::strip);
        if (value.isEmpty()) {
            return null;
        }
        try {
            return Duration.ofSeconds(Math.clamp(Long.parseLong(value.get()), 0, Integer.MAX_VALUE));
        } catch (NumberFormatException e) {
            return untilDate(value.get());
        }
    }

    private static @Nullable Duration untilDate(String date) {
        try {
            var until =
                    Duration.between(Instant.now(), DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
            return until.isNegative() ? Duration.ZERO : until;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
