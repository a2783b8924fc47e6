package dev.sheaf.server.identity.publisher;

import dev.sheaf.server.auth.oidc.IdToken;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The services that run workflows and issue id_tokens for the runs. Each uses its own names of claims.
public enum WorkflowProvider {
    /// GitHub Actions.
    GITHUB("https://token.actions.githubusercontent.com", "repository", "repository_id", "repository_owner_id"),
    /// GitLab CI/CD.
    GITLAB("https://gitlab.com", "project_path", "project_id", "namespace_id"),
    /// Any other issuer; only its claim rules count.
    OIDC(null, null, null, null);

    private final @Nullable String issuer;
    private final @Nullable String repository;
    private final @Nullable String repositoryId;
    private final @Nullable String ownerId;

    WorkflowProvider(
            @Nullable String issuer,
            @Nullable String repository,
            @Nullable String repositoryId,
            @Nullable String ownerId) {
        this.issuer = issuer;
        this.repository = repository;
        this.repositoryId = repositoryId;
        this.ownerId = ownerId;
    }

    /// Returns the issuer to use by default.
    public Optional<String> issuer() {
        return Optional.ofNullable(issuer);
    }

    /// Returns the name of the claim that contains owner and name of the repository.
    String repositoryClaim() {
        return repository == null ? "sub" : repository;
    }

    String repositoryIdClaim() {
        return repositoryId == null ? "sub" : repositoryId;
    }

    String ownerIdClaim() {
        return ownerId == null ? "sub" : ownerId;
    }

    boolean hasRepositories() {
        return repository != null;
    }

    /// Returns the text in the lower case of ASCII, which names of repositories consist of: that of Unicode would make
    /// a k
    /// of the sign for kelvin.
    static String lower(String text) {
        var lower = new StringBuilder(text.length());
        text.chars().forEach(unit -> lower.append((char) (unit >= 'A' && unit <= 'Z' ? unit + 'a' - 'A' : unit)));
        return lower.toString();
    }

    /// Returns the repository in a token, in lower case.
    Optional<String> repository(IdToken token) {
        return repository == null ? Optional.empty() : token.text(repository).map(WorkflowProvider::lower);
    }

    /// Returns the name of the claim that contains the file of the workflow.
    String workflowClaim() {
        return this == GITHUB ? "workflow_ref" : "ci_config_ref_uri";
    }

    /// Returns whether the value of that claim is for the file. Its form is
    /// `owner/name/.github/workflows/FILE@ref` at GitHub and `host/group/project//FILE@ref` at GitLab. If
    /// `file` contains a directory, it is relative to the repository.
    boolean isWorkflow(String ref, String repositoryName, String file) {
        int at = ref.indexOf('@');
        String before = at < 0 ? "" : ref.substring(0, at);
        if (this == GITHUB) {
            String folder = file.contains("/") ? "/" : "/.github/workflows/";
            return lower(before).startsWith(repositoryName + "/")
                    && before.substring(repositoryName.length()).equals(folder + file);
        }
        return lower(before).contains("/" + repositoryName + "//")
                && before.substring(before.indexOf("//") + 2).equals(file);
    }

    /// Returns a description of the run, for people and the audit log.
    String run(IdToken token) {
        return switch (this) {
            case GITHUB ->
                told(token, "repository") + " run " + told(token, "run_id") + "." + told(token, "run_attempt") + " of "
                        + told(token, "workflow") + " at " + told(token, "ref") + " " + told(token, "sha");
            case GITLAB ->
                told(token, "project_path") + " job " + told(token, "job_id") + " of pipeline "
                        + told(token, "pipeline_id") + " at " + told(token, "ref") + " " + told(token, "sha");
            case OIDC -> told(token, "sub");
        };
    }

    private static String told(IdToken token, String claim) {
        String text = token.text(claim).orElse("?").replaceAll("\\p{C}", "?");
        return text.length() > 120 ? text.substring(0, 120) : text;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
