package dev.sheaf.server.registry.api.checks;

/// The same checks by a client that uses the token service, as docker and its kin do.
class V2ChecksWithTokensTest extends V2ChecksTest {
    @Override
    public String credential() {
        return callAs(
                        app().admin(),
                        "GET",
                        "/v2/token?scope=repository:checks/sha256:*&scope=repository:checks/sha512:*"
                                + "&scope=repository:checks/source:*&scope=repository:checks/nowhere:*",
                        null)
                .json()
                .get("token")
                .stringValue();
    }
}
