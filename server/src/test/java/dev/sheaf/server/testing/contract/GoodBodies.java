package dev.sheaf.server.testing.contract;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// A good body of each operation that takes JSON: the example in docs/openapi.yaml, or one from here where that has not
/// all members, or names what is not there. Words in capital letters stand for what only a test can know.
public final class GoodBodies {
    private GoodBodies() {}

    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("createApiKey", """
                    {"name": "ci", "scopes": ["write"], "description": "d", "expiresIn": "P90D",
                     "restrictions": {"namespaces": ["acme"], "bundles": ["acme/notes*"], "cidrs": ["10.0.0.0/8"],
                                      "queues": ["reviews*"], "uses": ["work"]}}"""),
            Map.entry("updateApiKey", """
                    {"name": "more", "description": "d", "disabled": true}"""),
            Map.entry("reportLeakedCredentials", """
                    {"credentials": ["no credential of this registry"]}"""),
            Map.entry("createTrustedPublisher", """
                    {"provider": "github", "issuer": "https://token.actions.githubusercontent.com",
                     "repository": "acme/notes", "repositoryId": "4711", "repositoryOwnerId": "42",
                     "workflow": "release.yml", "environment": "production",
                     "claims": [{"claim": "ref", "in": ["refs/heads/main"]}], "bundles": ["acme/notes"]}"""),
            Map.entry("createWebhook", """
                    {"url": "https://hooks.example.invalid/sheaf", "description": "d", "headers": {"X-Token": "t"},
                     "rateLimit": 10, "eventTypes": ["blob.damaged"], "namespaces": ["acme"], "bundles": ["acme/notes*"],
                     "enabled": true, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}"""),
            Map.entry("updateWebhook", """
                    {"url": "https://hooks.example.invalid/other", "description": "d", "headers": {"X-Token": "t"},
                     "rateLimit": 10, "eventTypes": ["blob.*"], "namespaces": ["acme"], "bundles": ["acme/notes*"],
                     "enabled": true}"""),
            Map.entry("replayWebhook", """
                    {"after": "2020-01-01T00:00:00Z", "before": "00000000000000000001"}"""),
            Map.entry("createOrganization", """
                    {"handle": "more", "name": "More"}"""),
            Map.entry("updateOrganization", """
                    {"name": "default"}"""),
            Map.entry("changeMember", """
                    {"role": "admin"}"""),
            Map.entry("createInvitation", """
                    {"email": "more@bad.test", "role": "reader"}"""),
            Map.entry("acceptInvitation", """
                    {"token": "INVITATION", "password": "four words make sense", "fullName": "More"}"""),
            Map.entry("offerNamespace", """
                    {"organization": "taker"}"""),
            Map.entry("signIn", """
                    {"email": "somebody@bad.test", "password": "a password for tests", "totp": "123456"}"""),
            Map.entry("enrolTotp", """
                    {"password": "a password for tests"}"""),
            Map.entry("renewRecoveryCodes", """
                    {"password": "a password for tests", "code": "RECOVERY"}"""),
            Map.entry("confirmTotp", """
                    {"code": "CODE"}"""),
            Map.entry("removeOwnTotp", """
                    {"password": "a password for tests", "code": "RECOVERY"}"""),
            Map.entry("updateMe", """
                    {"username": "more", "fullName": "More", "timeZone": "Europe/Zurich"}"""),
            Map.entry("changePassword", """
                    {"currentPassword": "a password for tests", "newPassword": "four words make sense"}"""),
            Map.entry("setPassword", """
                    {"token": "TICKET", "password": "four words make sense"}"""),
            Map.entry("createUser", """
                    {"email": "created@bad.test", "fullName": "Created", "password": "four words make sense",
                     "organization": "default", "role": "reader"}"""),
            Map.entry("createNamespace", """
                    {"handle": "fresh", "displayName": "Fresh"}"""),
            Map.entry("createBundle", """
                    {"slug": "more", "name": "More", "description": "d", "visibility": "public", "readmeContent": "# R",
                     "readmeFormat": "text/markdown", "license": "MIT", "repositoryUrl": "https://a.example/r",
                     "homepageUrl": "https://a.example/", "keywords": ["writing"]}"""),
            Map.entry("editBundle", """
                    {"name": "More", "description": "d", "visibility": "public", "readmeContent": "# R",
                     "readmeFormat": "text/markdown", "license": "MIT", "repositoryUrl": "https://a.example/r",
                     "homepageUrl": "https://a.example/", "keywords": ["writing"]}"""),
            Map.entry("putAsset", """
                    {"contentText": "new", "assetType": "skill", "mediaType": "text/markdown"}"""),
            Map.entry("publishBundle", """
                    {"version": "2.0.0", "tags": ["beta"], "message": "m", "expectedLatest": "1.1.0",
                     "validateOnly": false}"""),
            Map.entry("pushBundle", """
                    {"slug": "notes", "name": "Notes", "description": "d", "visibility": "public", "version": "3.0.0",
                     "readmeContent": "# R", "readmeFormat": "text/markdown", "tags": ["beta"],
                     "manifest": [{"logicalPath": "a.md", "assetType": "skill", "contentText": "new",
                                   "mediaType": "text/markdown"}]}"""),
            Map.entry("yankVersion", """
                    {"reason": "r", "reasonCode": "broken", "replacement": "1.1.0"}"""),
            Map.entry("deprecateVersion", """
                    {"message": "m", "replacement": "1.1.0"}"""),
            Map.entry("deprecateBundle", """
                    {"message": "m", "replacement": "acme/next"}"""),
            Map.entry("deprecateHubBundle", """
                    {"message": "m", "replacement": "acme/next"}"""),
            Map.entry("putTag", """
                    {"version": "1.1.0", "expectedVersion": "1.0.0", "protected": false}"""),
            Map.entry("rollbackTag", """
                    {"expectedVersion": "1.0.0"}"""),
            Map.entry("createListing", """
                    {"bundleId": "BUNDLE_ID", "slug": "notes", "displayName": "Notes", "description": "d",
                     "readmeContent": "# R", "readmeFormat": "text/markdown"}"""),
            Map.entry("setMode", """
                    {"readOnly": false, "reason": "r"}"""),
            Map.entry("setQuota", """
                    {"bytes": 1000000000, "bundles": 1000, "versions": 1000}"""),
            Map.entry("deleteBundle", """
                    {"reason": "r"}"""),
            Map.entry("deleteVersion", """
                    {"reason": "r"}"""));

    private static final Map<String, String> ALL = all();

    private static Map<String, String> all() {
        var all = new HashMap<>(GoodBodiesOfQueues.ALL);
        all.putAll(OTHERS);
        return Map.copyOf(all);
    }

    /// Returns the body, with as many members as can stand together.
    public static String of(OpenApi.Operation operation) {
        String own = ALL.get(operation.id());
        return own == null
                ? operation
                        .node()
                        .requiredAt("/requestBody/content/application~1json/example")
                        .toString()
                : own;
    }

    /// Returns a body from here.
    public static String of(String operation) {
        return Objects.requireNonNull(ALL.get(operation), operation);
    }
}
