package dev.sheaf.client.bundle;

import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.model.key.SecretScan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;

/// Searches files for forgotten secrets before they are published.
public final class SecretLint {
    /// The limit in bytes. Larger files are skipped; a registry does not search them for secrets either.
    private static final long LARGEST = 4 << 20;

    private SecretLint() {}

    /// Returns the lines that seem to contain a secret.
    public static List<Finding> check(List<LocalAsset> assets) {
        var findings = new ArrayList<Finding>();
        for (LocalAsset asset : assets) {
            SecretScan.find(
                    text(asset),
                    found -> findings.add(Finding.warning(
                            asset.path().value(),
                            found.line(),
                            "this looks like " + found
                                    + ", and everyone who can read the bundle could read it; remove it, or"
                                    + " exclude the file with a line in " + BundleFile.IGNORE)));
        }
        return findings;
    }

    /// Decodes a file so that ASCII is preserved. Secrets consist of ASCII.
    private static String text(LocalAsset asset) {
        try (var in = Files.newInputStream(asset.file(), LinkOption.NOFOLLOW_LINKS)) {
            if (Files.size(asset.file()) > LARGEST) {
                return "";
            }
            return new String(in.readNBytes((int) LARGEST), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + asset.file(), e);
        }
    }
}
