package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import org.junit.jupiter.api.Test;

/// The code of a device, as a person types it.
class DevicePagesTest extends OnConsole {
    @Override
    public boolean isByHand() {
        return false;
    }

    private static void assertAskedAgain(Browser.Page shown, String value) {
        assertThat(shown.place().getPath()).isEqualTo("/device");
        assertThat(shown.html())
                .contains("name=\"user_code\"", "value=\"" + value + "\"", "id=\"error-user_code\"")
                .doesNotContain("name=\"password\"");
    }

    @Test
    void aWrongCodeIsSaidToWhoIsSignedInAndToOthers() {
        try (var member = person("code@acme.test", "default", "reader");
                var stranger = browser()) {
            for (var browser : new Browser[] {member, stranger}) {
                for (String code : new String[] {"ABCD-EFGH", "xyz"}) {
                    var shown = browser.open(at("/device?user_code=" + code));

                    assertThat(shown.status()).isEqualTo(401);
                    assertAskedAgain(shown, code);
                    assertThat(shown.html()).contains("no device waits with this code");
                }
            }
            assertThat(member.open(at("/account")).status()).isEqualTo(200);
        }
    }

    /// A warning that everybody gets is one that nobody reads.
    @Test
    void onlyAnotherAddressIsCalledAnother() {
        String code = app().form("/v1/oauth/device_authorization", null, "client_id", "cli", "scope", "read")
                .json()
                .get("user_code")
                .stringValue();
        try (var stranger = browser()) {
            assertThat(stranger.open(at("/device?user_code=" + code)).html())
                    .contains("the same address")
                    .doesNotContain("another address");
        }
    }

    @Test
    void anEmptyCodeIsSaid() {
        try (var stranger = browser()) {
            var shown = stranger.open(at("/device?user_code="));

            assertThat(shown.status()).isEqualTo(422);
            assertAskedAgain(shown, "");
            assertThat(stranger.open(at("/device")).html()).doesNotContain("error-user_code");
        }
    }
}
