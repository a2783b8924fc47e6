package dev.sheaf.server.v1.account;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.signin.Identity;
import dev.sheaf.server.input.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What people do with the authenticators of their own accounts.
public final class TotpApi {
    /// Characters of a code of either kind, with room for spaces.
    static final int MAX_CODE = 100;

    private static final String PATH = "/v1/users/me/totp";

    private final Identity identity;

    public TotpApi(Identity identity) {
        this.identity = identity;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, PATH, Need.PERSON, this::enrol),
                new Route(POST, PATH + ":confirm", Need.PERSON, this::confirm),
                new Route(POST, PATH + ":renewRecoveryCodes", Need.PERSON, this::renew),
                new Route(DELETE, PATH, Need.PERSON, this::remove));
    }

    private Answer enrol(Call call) {
        var fields = call.jsonOrNothing();
        var password = password(fields);
        fields.finish();
        var enrolled = identity.secondFactor().enrol(call.origin(), password);
        return Answer.secret(
                new TotpEnrolment(enrolled.seed().expose(), enrolled.uri().expose()), new TotpEnrolment("", ""));
    }

    private Answer confirm(Call call) {
        var fields = call.json();
        var code = Secret.of(fields.required("code", MAX_CODE));
        fields.finish();
        return shown(identity.secondFactor().confirm(call.origin(), code));
    }

    /// Only the account tells whether it takes one.
    private static @Nullable Secret password(Fields fields) {
        String password = fields.optional("password", PasswordRules.MAX_LENGTH);
        return password == null ? null : Secret.of(password);
    }

    private static Answer shown(List<Secret> codes) {
        return Answer.secret(
                new RecoveryCodes(codes.stream().map(Secret::expose).toList()), new RecoveryCodes(List.of()));
    }

    private Answer renew(Call call) {
        var fields = call.json();
        var password = password(fields);
        var code = Secret.of(fields.required("code", MAX_CODE));
        fields.finish();
        return shown(identity.secondFactor().renewRecoveryCodes(call.origin(), password, code));
    }

    private Answer remove(Call call) {
        var fields = call.json();
        var password = password(fields);
        var code = Secret.of(fields.required("code", MAX_CODE));
        fields.finish();
        identity.secondFactor().remove(call.origin(), password, code);
        return Answer.empty(204);
    }
}
