-- What lists show of a bundle besides. facts_of: the version from which the columns below, the skills and the facets were
-- read; NULL or another than latest_version: written by an older program, nodes make up for it when they start.
-- latest_digest: of latest_version, to find its signatures. skill_tools: the tools that the skills ask for, one a line.
-- skills_digest: of the rows in hub_skill, so that equal ones are not written again; empty if there are none.
-- findings: the number of warnings of the checks; finding_codes: their kinds, one a line. yanked_version: the highest
-- version above latest_version that is yanked.
ALTER TABLE hub_entry ADD COLUMN facts_of TEXT;
ALTER TABLE hub_entry ADD COLUMN latest_digest TEXT ${bytewise} NOT NULL DEFAULT '';
ALTER TABLE hub_entry ADD COLUMN skill_tools TEXT NOT NULL DEFAULT '';
ALTER TABLE hub_entry ADD COLUMN skills_digest TEXT NOT NULL DEFAULT '';
ALTER TABLE hub_entry ADD COLUMN findings INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hub_entry ADD COLUMN finding_codes TEXT NOT NULL DEFAULT '';
ALTER TABLE hub_entry ADD COLUMN deprecated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hub_entry ADD COLUMN replacement TEXT;
ALTER TABLE hub_entry ADD COLUMN yanked_version TEXT;

DROP INDEX hub_entry_without_skills;
CREATE INDEX hub_entry_without_facts ON hub_entry (repository_id)
    WHERE listed = 1 AND (facts_of IS NULL OR facts_of <> latest_version);

-- The skills of listed bundles that clients can install. path: of its SKILL.md. files: their number. keywords, tools: one a
-- line.
CREATE TABLE hub_skill (
    repository_id BIGINT NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
    name          TEXT ${bytewise} NOT NULL,
    description   TEXT NOT NULL,
    keywords      TEXT NOT NULL,
    tools         TEXT NOT NULL,
    path          TEXT NOT NULL,
    files         INTEGER NOT NULL,
    PRIMARY KEY (repository_id, name)
);
CREATE INDEX hub_skill_by_name ON hub_skill (name);

-- Stars of people. Those of organizations, which their keys give, are in hub_star.
CREATE TABLE hub_person_star (
    account_id    TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    repository_id BIGINT NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, repository_id)
);
CREATE INDEX hub_person_star_by_repository ON hub_person_star (repository_id);
