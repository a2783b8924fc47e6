package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.PollingPause;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Bundle;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import java.time.Duration;
import java.util.List;

/// What a publisher sees of a version that needs approval.
final class HeldReview {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private HeldReview() {}

    /// Says that the version waits, and where. Prints the address of the review.
    static ExitCode show(HeldVersion held, Output output) {
        output.show(
                held,
                shell -> shell.out().println(TextFormat.showable(held.review().url())),
                () -> List.of(held.review().url()));
        output.say("held for review, not published: " + name(held) + "; see how it goes with sheaf review show "
                + name(held));
        return ExitCode.OK;
    }

    /// Waits until somebody has decided.
    static ExitCode await(Bundle bundle, HeldVersion held, Output output) {
        output.say("held for review: " + TextFormat.showable(held.review().url()) + "; waiting for a decision");
        var looks = new PollingPause(PAUSE);
        var review = bundle.review(Version.parse(held.version()));
        while (isSame(review, held) && review.state().equals("held")) {
            looks.await();
            review = bundle.review(Version.parse(held.version()));
        }
        output.show(review, shell -> {}, List::of);
        if (!isSame(review, held)) {
            output.say(name(held) + " was replaced by other content while it waited");
            return ExitCode.CONFLICT;
        }
        output.say(name(held) + " is " + review.state() + ReviewCommands.reasons(review));
        return review.state().equals("published") ? ExitCode.OK : ExitCode.FORBIDDEN;
    }

    private static boolean isSame(ReviewRecord review, HeldVersion held) {
        return review.id().equals(held.review().id())
                && review.round() == held.review().round();
    }

    private static String name(HeldVersion held) {
        return TextFormat.showable(held.namespace() + "/" + held.bundle() + ":" + held.version());
    }
}
