package dev.sheaf.server.module;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.oidc.OidcProvider;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.Passwords;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.api.OidcApi;
import dev.sheaf.server.identity.api.SessionsApi;
import dev.sheaf.server.identity.api.TotpApi;
import dev.sheaf.server.identity.api.UsersApi;
import dev.sheaf.server.identity.oidc.OidcSignIn;
import dev.sheaf.server.identity.pages.DevicePages;
import dev.sheaf.server.identity.signin.DeviceGrants;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.maintenance.api.AdminUsersApi;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.org.api.MembersApi;
import dev.sheaf.server.org.member.Members;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// People: their accounts, sign-in, and sessions.
public final class IdentityModule implements FeatureModule {
    private final NodeBase node;
    private final OrgModule org;
    private final IdentityParts identity;
    private final DeviceGrants devices;
    private final SessionCookie cookie;
    private final OidcApi oidc;

    public IdentityModule(NodeBase node, SecretsModule secrets, OrgModule org) {
        this.node = node;
        this.org = org;
        this.identity = new IdentityParts(
                node.database(),
                new Passwords(node.master(), node.cpu()),
                node.master(),
                secrets.tokens(),
                sessions(node.config()),
                org.invitations());
        this.devices = new DeviceGrants(node.database(), node.master(), identity.sessions());
        this.cookie = new SessionCookie(identity.pageSessions(), node.clock());
        this.oidc = new OidcApi(signIn(node.config()).orElse(null), devices, node.clock(), browsers(cookie));
    }

    private static OidcApi.Browsers browsers(SessionCookie cookie) {
        return new OidcApi.Browsers() {
            @Override
            public String session(Call call, Sessions.Opened opened) {
                return cookie.begin(call, opened);
            }

            @Override
            public String device(Call call, Secret ticket) {
                return DevicePages.cookie(call, ticket);
            }
        };
    }

    private static Sessions.Limits sessions(Config config) {
        return new Sessions.Limits(config.duration(Setting.SESSION_IDLE), config.duration(Setting.SESSION_LIFETIME));
    }

    private Optional<OidcSignIn> signIn(Config config) {
        return config.find(Setting.OIDC_ISSUER).map(issuer -> {
            var client = new OidcProvider.Client(
                    issuer,
                    config.text(Setting.OIDC_CLIENT_ID),
                    config.find(Setting.OIDC_CLIENT_SECRET).map(Secret::of).orElse(null));
            var rules = new OidcSignIn.Rules(
                    Set.copyOf(Config.list(config.text(Setting.OIDC_DOMAINS).toLowerCase(Locale.ROOT))),
                    config.isOn(Setting.OIDC_AUTO_PROVISION),
                    config.isOn(Setting.OIDC_LINK_BY_EMAIL),
                    config.isOn(Setting.OIDC_SKIPS_TOTP));
            return new OidcSignIn(node.database(), node.master(), identity, new OidcProvider(client), rules);
        });
    }

    @Override
    public List<Route> routes() {
        return Stream.of(
                        new MembersApi(new Members(node.database()), org.invitations(), identity.joining()).routes(),
                        new SessionsApi(identity, node.clock()).routes(),
                        oidc.routes(),
                        new UsersApi(identity).routes(),
                        new TotpApi(identity.totp()).routes(),
                        new AdminUsersApi(identity).routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("deleting expired sign-ins", Duration.ofHours(1), identity::purge);
        timer.every("deleting expired sign-ins of devices", Duration.ofHours(1), devices::purge);
    }

    public IdentityParts identity() {
        return identity;
    }

    SessionCookie cookie() {
        return cookie;
    }

    OidcApi oidc() {
        return oidc;
    }

    DeviceGrants devices() {
        return devices;
    }
}
