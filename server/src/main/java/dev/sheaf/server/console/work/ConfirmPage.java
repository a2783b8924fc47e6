package dev.sheaf.server.console.work;

import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.http.message.Answer;
import java.util.List;

/// A confirmation page before something that cannot be undone.
///
/// @param title the question, with the name of the object
/// @param lead what happens immediately
/// @param breaks the consequences: what no longer works
/// @param action the address to which the form is sent
/// @param button the label of the button, with the name of the object
/// @param back the page for readers who cancel
public record ConfirmPage(String title, String lead, List<String> breaks, String action, String button, String back) {
    public ConfirmPage {
        breaks = List.copyOf(breaks);
    }

    /// Returns the page.
    ///
    /// @param typed the text to type for confirmation; empty if none is needed
    public Answer ask(OrgCall call, String selected, String typed, FormErrors errors) {
        return call.view(title, "console/work/question", selected)
                .with("question", this)
                .with("typed", typed)
                .with("errors", errors)
                .refused(errors)
                .show();
    }
}
