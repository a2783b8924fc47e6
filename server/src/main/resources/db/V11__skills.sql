-- What is known of the archives of skills that somebody asked for. content: the digest of what an archive is made of. sums:
-- the checksums that stand in it. All of it follows from the files, so a row may go at any time.
CREATE TABLE skill_archive (
    content    TEXT ${bytewise} PRIMARY KEY,
    digest     TEXT ${bytewise} NOT NULL,
    size       BIGINT NOT NULL,
    sums       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX skill_archive_by_time ON skill_archive (created_at);

-- skills_index: 1 where the namespace lists the skills of its bundles for clients that ask for all of them.
ALTER TABLE namespace ADD COLUMN skills_index BIGINT NOT NULL DEFAULT 0;

-- skills: the names of those that clients can install, one a line; NULL: not known yet, nodes make up for it when they start.
ALTER TABLE hub_entry ADD COLUMN skills TEXT;
CREATE INDEX hub_entry_without_skills ON hub_entry (repository_id) WHERE listed = 1 AND skills IS NULL;

-- What a bundle shows of itself that its files said, where nobody else did: the next version may replace that, and what
-- somebody edits is told from it. keywords: one a line.
CREATE TABLE said_profile (
    bundle_id   TEXT PRIMARY KEY REFERENCES bundle (id),
    name        TEXT,
    description TEXT,
    license     TEXT,
    keywords    TEXT
);
