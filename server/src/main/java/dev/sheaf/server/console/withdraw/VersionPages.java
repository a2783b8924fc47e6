package dev.sheaf.server.console.withdraw;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Machine;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.edit.Edited;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.input.Form;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Yanks, deprecates and deletes versions of a bundle.
public final class VersionPages {
    private static final int SHOWN = 50;

    public List<Route> routes(Pages pages) {
        String one = Edited.AT + "/versions/{version}";
        return List.of(
                pages.own(Edited.AT + "/versions", this::list),
                pages.own(one + "/yank", page -> ask(page, "yank", Asked.NONE, FormErrors.NONE)),
                pages.form(one + "/yank", this::yank),
                pages.form(one + "/unyank", page -> change(page, ":unyank", " can be found by tags and ranges again.")),
                pages.own(one + "/deprecate", page -> ask(page, "deprecate", Asked.NONE, FormErrors.NONE)),
                pages.form(one + "/deprecate", this::deprecate),
                pages.form(one + "/undeprecate", page -> change(page, ":undeprecate", " is no longer deprecated.")),
                pages.own(one + "/delete", page -> ask(page, "delete", Asked.NONE, FormErrors.NONE)),
                pages.form(one + "/delete", this::delete));
    }

    /// The typed fields.
    public record Asked(String reason, String code, String replacement) {
        static final Asked NONE = new Asked("", "", "");

        static Asked of(Form form) {
            return new Asked(
                    form.first("reason").or(() -> form.first("message")).orElse(""),
                    form.first("reasonCode").orElse(""),
                    form.first("replacement").orElse(""));
        }
    }

    private Answer list(PageCall page) {
        var edited = Edited.of(page);
        var some = page.api()
                .list(
                        VersionSummary.class,
                        Edited.api(page, "/versions").with("limit", SHOWN).with("cursor", page.query("cursor")));
        String next = some.meta().nextCursor();
        return edited.view(page, "Versions", "withdraw/versions")
                .with("versions", some.data())
                .with("isFirst", page.query("cursor") == null)
                .with("next", next == null ? "" : edited.at("/versions?cursor=") + ApiPath.encode(next))
                .forMachines(Machine.of("GET " + Edited.api(page, "/versions"), "sheaf versions " + edited.name()))
                .show();
    }

    private static ApiPath api(PageCall page, String action) {
        return Edited.api(page, "/versions/{}" + action, page.parameter("version"));
    }

    /// Asks for confirmation, and lists the consequences.
    private Answer ask(PageCall page, String action, Asked asked, FormErrors errors) {
        var edited = Edited.of(page);
        var version = page.api().get(VersionDetail.class, api(page, ""));
        var tags = page.api().list(TagStatus.class, Edited.api(page, "/tags").with("limit", 100)).data().stream()
                .filter(tag -> tag.version().equals(version.version()))
                .map(TagStatus::name)
                .toList();
        String name = edited.name() + ":" + version.version();
        String call = action.equals("delete") ? "DELETE " + api(page, "") : "POST " + api(page, ":" + action);
        return edited.view(page, title(action), "withdraw/version-" + action)
                .with("version", version)
                .with("tags", tags)
                .with(
                        "codes",
                        Arrays.stream(YankReason.values())
                                .map(YankReason::toString)
                                .toList())
                .with("asked", asked)
                .with("errors", errors)
                .refused(errors)
                .forMachines(Machine.of(call, "sheaf " + action + " " + name))
                .show();
    }

    private static String title(String action) {
        return switch (action) {
            case "yank" -> "Yank a version";
            case "deprecate" -> "Deprecate a version";
            default -> "Delete a version";
        };
    }

    private Answer yank(PageCall page) {
        var asked = Asked.of(page.form());
        var members = new HashMap<String, @Nullable Object>();
        members.put("reason", orNull(asked.reason()));
        members.put("reasonCode", orNull(asked.code()));
        members.put("replacement", orNull(asked.replacement()));
        try {
            page.api().post(api(page, ":yank"), members);
        } catch (ProblemException e) {
            return ask(page, "yank", asked, PageCall.errors(e.problem(), "reason", "reasonCode", "replacement"));
        }
        return done(page, " is yanked. Pinned versions still work.");
    }

    private static @Nullable String orNull(String text) {
        return text.isBlank() ? null : text;
    }

    private Answer deprecate(PageCall page) {
        var form = page.form();
        try {
            page.api().post(api(page, ":deprecate"), Edited.advice(form));
        } catch (ProblemException e) {
            return ask(page, "deprecate", Asked.of(form), PageCall.errors(e.problem(), "message", "replacement"));
        }
        return done(page, " is deprecated from now on.");
    }

    private Answer delete(PageCall page) {
        var asked = Asked.of(page.form());
        try {
            String reason = asked.reason();
            page.api().send(Method.DELETE, api(page, ""), reason.isBlank() ? Map.of() : Map.of("reason", reason));
        } catch (ProblemException e) {
            return ask(page, "delete", asked, PageCall.errors(e.problem(), "reason"));
        }
        return done(page, " is deleted.");
    }

    private Answer change(PageCall page, String action, String said) {
        page.form();
        page.api().post(api(page, action), Map.of());
        return done(page, said);
    }

    private static Answer done(PageCall page, String said) {
        return page.seeOther(
                Edited.at(page, "/settings/versions").toString(), Notice.ok(page.parameter("version") + said));
    }
}
