-- Pulls of a version on a UTC day by kind of client; the other columns are those of version_day. client: sheaf | oci | git | skills |
-- plugins | mcp | apm | clawhub | browser | other. Rows are kept for 13 months.
CREATE TABLE version_client_day (
    version_id TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    client     TEXT   NOT NULL,
    downloads  BIGINT NOT NULL,
    own        BIGINT NOT NULL,
    PRIMARY KEY (version_id, day, client)
);
CREATE INDEX version_client_day_by_day ON version_client_day (day);

-- The keys and trusted publishers of the owning organization that pulled a version on a UTC day; no others, and no people.
-- credential: key:<id> or publisher:<id>, which may be deleted. organization_id: the organization whose credential it is: after the
-- transfer of a namespace, nobody but its old owner may read the row.
CREATE TABLE version_credential_day (
    version_id      TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    day             BIGINT NOT NULL,
    credential      TEXT ${bytewise} NOT NULL,
    organization_id TEXT   NOT NULL,
    client          TEXT   NOT NULL,
    PRIMARY KEY (version_id, day, credential)
);
CREATE INDEX version_credential_day_by_day ON version_credential_day (day);
