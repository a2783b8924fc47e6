package dev.sheaf.server.clawhub;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.publish.Push;
import dev.sheaf.server.bundle.publish.PushRequest;
import dev.sheaf.server.bundle.publish.SentAsset;
import dev.sheaf.server.registry.upload.Uploads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/// Publishes skills as ClawHub's client does: it asks for a ticket for each file, sends the file, and then the version.
/// Until then its files are open uploads, limited and counted like those of OCI clients. Thread-safe.
public final class ClawPublish {
    private static final Duration LIFETIME = Duration.ofHours(1); // of a ticket

    private final Uploads uploads;
    private final ClawSkills skills;
    private final Push push;

    public ClawPublish(Uploads uploads, ClawSkills skills, Push push) {
        this.uploads = uploads;
        this.skills = skills;
        this.push = push;
    }

    /// Returns a ticket. It holds for this credential, this file and one publish.
    ///
    /// @throws ProblemException those of [Uploads#begin]
    public UUID ticket(ChangeOrigin origin, ClawVersion.File file) {
        return uploads.begin(origin.caller(), file.promise());
    }

    /// Takes the bytes of a file. Sending them again changes nothing.
    ///
    /// @param body returns the bytes
    /// @throws ProblemException those of [Uploads#fill]; validation-failed if they are not those of the ticket
    public void upload(ChangeOrigin origin, UUID ticket, Supplier<byte[]> body) {
        var held = uploads.held(origin.caller(), ticket, LIFETIME);
        byte[] bytes = body.get();
        if (!held.promise().startsWith(ClawVersion.File.beginning(bytes))) {
            throw Problem.invalid("format", "the body is not the file that the ticket was given for");
        }
        uploads.fill(origin.caller(), held, bytes);
    }

    /// Publishes a version, and uses up its tickets. A new bundle is private.
    ///
    /// @throws ProblemException those of [Push#push]; validation-failed if a file was not uploaded with its ticket;
    /// conflict if another bundle has a skill of this name
    public Publish.Outcome publish(ChangeOrigin origin, ClawVersion sent) {
        var name = sent.name().bundle();
        push.admit(origin, name);
        for (var other : skills.all(origin.caller(), sent.name(), () -> {})) {
            if (!other.bundle().name().equals(name)) {
                throw new Problem.Conflict("the bundle " + other.bundle().name() + " has a skill " + name
                                + "; push a version of that bundle, or choose another slug")
                        .raise();
            }
        }
        var held = new ArrayList<Uploads.Held>();
        var assets = new ArrayList<SentAsset>();
        sent.files().forEach((ticket, file) -> {
            var upload = uploads.held(origin.caller(), ticket, LIFETIME);
            boolean isMeant = file.promise().equals(upload.promise());
            byte[] content = isMeant ? uploads.content(upload) : new byte[0];
            if (!isMeant || !file.promise().startsWith(ClawVersion.File.beginning(content))) {
                throw Problem.invalid("format", "upload " + file.path() + " with a ticket for its path, size and hash");
            }
            held.add(upload);
            assets.add(SentAsset.of(file.path(), content, false));
        });
        var profile = BundleProfile.of(sent.displayName(), null, null, null);
        var request =
                new PushRequest(name, profile, null, sent.version(), sent.tags(), sent.changelog(), assets, List.of());
        var with = new Publish.With(
                List.of(), (tx, published, manifest) -> held.forEach(upload -> Uploads.end(tx, upload.upload())));
        return push.push(origin, request, with);
    }
}
