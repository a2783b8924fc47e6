-- Which manifests have the type of a signature, and whose format they have; decided when a manifest is stored, so that
-- nobody reads its annotations to know. signer: NULL where it is another statement after all. What has no row was stored
-- before, or by a node that did not know the table: nodes make up for it when they start.
CREATE TABLE signature (
    manifest_id    BIGINT PRIMARY KEY REFERENCES manifest (id) ON DELETE CASCADE,
    repository_id  BIGINT NOT NULL,
    subject_digest TEXT ${bytewise},
    signer         TEXT,
    created_at     BIGINT NOT NULL
);
CREATE INDEX signature_by_subject ON signature (repository_id, subject_digest, created_at, manifest_id)
    WHERE signer IS NOT NULL;
CREATE INDEX manifest_of_signature_type ON manifest (id) WHERE artifact_type IN (
    'application/vnd.cncf.notary.signature',
    'application/vnd.dev.cosign.artifact.sig.v1+json',
    'application/vnd.dev.sigstore.bundle.v0.3+json');
