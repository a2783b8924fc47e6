package dev.sheaf.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.JavaSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every kind of secret that there is, and the classes that make or take it.
///
/// The list stays complete by [#assertComplete]: a class that draws random bytes, derives something from the
/// master secret, signs, or takes a [dev.sheaf.model.key.Secret] or a cookie out of a request stands here,
/// under its kinds or among those that have none; and so does each word of a secret that is handed out once.
/// [SecretsInLogsTest] uses one of each kind, and so does its test of the settings of each that is secret.
enum SecretKind {
    MASTER_KEY("MasterSecret"),
    API_KEY("CredentialReader", "LeakedCredentials"),
    BASIC("TokenApi"),
    REGISTRY_TOKEN("AccessTokens"),
    ACCESS_TOKEN("AccessTokens", "OAuthApi", "IssuedTokensApi"),
    SIGNED_IN_TOKEN("AccessTokens"),
    RUN_TOKEN("AccessTokens"),
    REFRESH_TOKEN("RefreshTokens", "SessionsApi"),
    PAGE_COOKIE("RefreshTokens", "SessionCookie"),
    VISITOR("PageCall v"),
    FORM_TOKEN("FormTokens"),
    PASSWORD("Passwords", "LocalUsers", "DevicePages", "SignIn", "PasswordRules"),
    PASSWORD_TICKET("PasswordChanges shp"),
    INVITATION("Invitations shi", "InvitationAcceptance"),
    DEVICE_CODE("DeviceGrants shd"),
    USER_CODE("DeviceGrants"),
    DEVICE_TICKET("DeviceGrants sht", "DeviceDecision"),
    TOTP_SEED("SealedSeeds", "TotpChanges"),
    WEBHOOK_SECRET("WebhookSecrets", "NewWebhook", "FlashMessage"),
    SCANNER_SECRET("ScannerSecrets"),
    SCAN_TOKEN("ScannerSecrets"),
    RECOVERY_CODE("RecoveryCodes", "ProviderPages", "ReviewsApi", "ReviewDecisions"),
    STATE("OidcSignIn state", "OidcApi"),
    NONCE("OidcSignIn nonce"),
    VERIFIER("OidcSignIn verifier"),
    SIGN_IN_COOKIE("SealedCookie", "OidcApi"),
    CODE_COOKIE("SealedCookie", "OidcApi"),
    AUTHORIZATION_CODE("OidcApi"),
    CLIENT_SECRET("IdentityModule"),
    ID_TOKEN("IdTokens");

    /// Those that make nothing that anybody could use: salts, numbers, names, keyed hashes, and keys that never
    /// leave memory; or that only carry what is a setting, which another test is about. A session's seed is
    /// stored as it is, and makes no token without the master secret. The codes of authenticators are not
    /// looked for: six digits stand in many a line by chance, and they are good for one use and 90 seconds.
    private static final Set<String> NONE = Set.of(
            "Sessions seed",
            "SignInAttempts",
            "DailyPseudonyms",
            "SigningKeys",
            "Ed25519Key",
            "Pepper",
            "OneTimeSecret",
            "DraftId",
            "FeedCursors",
            "FeedEpochs",
            "SealedSecrets",
            "WebhookSigner",
            "SkillArchives",
            "ClientArchives",
            "S3Writing",
            "AuditChain",
            "TimeOrderedIds",
            "StoreSetup",
            "DatabaseSetup");

    private static final Pattern SIGN =
            Pattern.compile("SecureRandom|OneTimeSecret\\.generate|\\.hashOf\\(|\\.derive\\("
                    + "|SignedJWT|\\bSecret(\\.of\\(|::of)|CookieHeaders\\.read\\(");
    private static final Pattern WORD = Pattern.compile("OneTimeSecret\\.generate\\(\"(\\w+)\"");

    private final List<String> places;

    SecretKind(String... places) {
        this.places = List.of(places);
    }

    /// That no class of the server makes or takes a secret which is not spoken of here.
    static void assertComplete() throws IOException {
        var known = Stream.concat(NONE.stream(), Arrays.stream(values()).flatMap(kind -> kind.places.stream()))
                .toList();
        var classes = known.stream().map(place -> place.split(" ")[0]).collect(Collectors.toCollection(TreeSet::new));
        var words = known.stream()
                .filter(place -> place.contains(" "))
                .map(place -> place.split(" ")[1])
                .collect(Collectors.toCollection(TreeSet::new));
        var foundClasses = new TreeSet<String>();
        var foundWords = new TreeSet<String>();
        for (Path file : JavaSources.files()) {
            String source = Files.readString(file);
            if (SIGN.matcher(source).find()) {
                foundClasses.add(file.getFileName().toString().replace(".java", ""));
            }
            WORD.matcher(source).results().forEach(hit -> foundWords.add(hit.group(1)));
        }
        assertThat(foundClasses).isEqualTo(classes);
        assertThat(foundWords).isEqualTo(words);
    }
}
