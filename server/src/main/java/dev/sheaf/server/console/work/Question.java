package dev.sheaf.server.console.work;

import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.http.message.Answer;
import java.util.List;

/// A page that asks before something goes that does not come back.
///
/// @param title the question, with the name of the thing
/// @param lead what happens at once
/// @param breaks what does not work any more
/// @param action where the form is sent to
/// @param button what it does, with the name of the thing
/// @param back where one goes who does not want it
public record Question(String title, String lead, List<String> breaks, String action, String button, String back) {
    public Question {
        breaks = List.copyOf(breaks);
    }

    /// The page.
    ///
    /// @param typed what is to be typed to go on; empty: nothing
    public Answer ask(OrgCall call, String selected, String typed, FormErrors errors) {
        return call.view(title, "work/question", selected)
                .with("question", this)
                .with("typed", typed)
                .with("errors", errors)
                .refused(errors)
                .show();
    }
}
