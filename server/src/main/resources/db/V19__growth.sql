-- Days that are due to be added up; the sum of earlier days is day 0.
CREATE INDEX download_day_by_day ON download_day (day) WHERE day > 0;
CREATE INDEX version_day_by_day ON version_day (day) WHERE day > 0;

-- Revoked keys that are due to be deleted.
CREATE INDEX api_key_revoked ON api_key (revoked_at) WHERE revoked_at IS NOT NULL;

-- Few manifests have a subject.
DROP INDEX manifest_by_subject;
CREATE INDEX manifest_by_subject ON manifest (repository_id, subject_digest, id) WHERE subject_digest IS NOT NULL;

-- The oldest entries may go that setting audit-start names.
${audit_removal}
${smaller}
