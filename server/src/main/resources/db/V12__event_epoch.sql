-- epoch, of the hub's row, for all feeds: a random number that each restore makes anew; 0: never restored. Cursors hold it.
-- kept_seq: up to which number the events of a feed are the same in all epochs.
ALTER TABLE event_feed ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE event_feed ADD COLUMN kept_seq BIGINT NOT NULL DEFAULT 0;
