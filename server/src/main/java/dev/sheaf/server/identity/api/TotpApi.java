package dev.sheaf.server.identity.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.factor.TotpChanges;
import java.util.List;

/// Lets people manage the authenticators of their own accounts.
public final class TotpApi {
    private static final String PATH = "/v1/users/me/totp";

    private final TotpChanges totp;

    public TotpApi(TotpChanges totp) {
        this.totp = totp;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, PATH, RoutePermission.PERSON, this::enrol),
                new Route(POST, PATH + ":confirm", RoutePermission.PERSON, this::confirm),
                new Route(POST, PATH + ":renewRecoveryCodes", RoutePermission.PERSON, this::renew),
                new Route(DELETE, PATH, RoutePermission.PERSON, this::remove));
    }

    private Answer enrol(Call call) {
        var password = call.jsonOrNothing().to(PasswordRules::given);
        var enrolled = totp.enrol(call.origin(), password);
        return Answer.secret(
                new TotpEnrolment(enrolled.seed().expose(), enrolled.uri().expose()), new TotpEnrolment("", ""));
    }

    private Answer confirm(Call call) {
        var code = call.json().to(TotpChanges::code);
        return shown(totp.confirm(call.origin(), code));
    }

    private static Answer shown(List<Secret> codes) {
        return Answer.secret(
                new RecoveryCodes(codes.stream().map(Secret::expose).toList()), new RecoveryCodes(List.of()));
    }

    private Answer renew(Call call) {
        var proof = call.json().to(TotpChanges.Proof::parse);
        return shown(totp.renewRecoveryCodes(call.origin(), proof));
    }

    private Answer remove(Call call) {
        var proof = call.json().to(TotpChanges.Proof::parse);
        totp.remove(call.origin(), proof);
        return Answer.empty(204);
    }
}
