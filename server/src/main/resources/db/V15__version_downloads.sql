-- Pulls of a version on a UTC day, since there is this table. day: days since 1970. own: how many of the downloads were the
-- owning organization's.
CREATE TABLE version_day (
    version_id TEXT   NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    day        BIGINT NOT NULL,
    downloads  BIGINT NOT NULL,
    own        BIGINT NOT NULL,
    PRIMARY KEY (version_id, day)
);
