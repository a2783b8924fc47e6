-- Events that others read. seq: the place in the feed of the organization, hub_seq: in that of the hub; given after the
-- commit, by one at a time, so that nobody who follows a feed ever finds one before what was read. audience: read | admin,
-- whom of the organization it is for. bundle: which one it is about. hub: 1 where the hub's feed has it. All decided when
-- it is written. actor: as in audit; NULL: the service itself.
ALTER TABLE event ADD COLUMN seq BIGINT;
ALTER TABLE event ADD COLUMN hub_seq BIGINT;
ALTER TABLE event ADD COLUMN audience TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE event ADD COLUMN bundle TEXT;
ALTER TABLE event ADD COLUMN hub BIGINT NOT NULL DEFAULT 0;
ALTER TABLE event ADD COLUMN actor TEXT;
ALTER TABLE event ADD COLUMN actor_name TEXT;
UPDATE event SET audience = 'read'
    WHERE type LIKE 'bundle.%' OR type LIKE 'version.%' OR type LIKE 'tag.%' OR type LIKE 'manifest.%';
CREATE UNIQUE INDEX event_by_seq ON event (organization_id, seq) WHERE seq IS NOT NULL;
CREATE UNIQUE INDEX event_by_hub_seq ON event (hub_seq) WHERE hub_seq IS NOT NULL;
CREATE INDEX event_without_seq ON event (id) WHERE seq IS NULL;

-- name: an organization's id, or hub. last_seq: the highest number that was given. swept_seq: the highest that is gone.
CREATE TABLE event_feed (
    name      TEXT PRIMARY KEY,
    last_seq  BIGINT NOT NULL,
    swept_seq BIGINT NOT NULL
);
