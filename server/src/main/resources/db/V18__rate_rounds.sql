-- Used rate limits, summed up once for all nodes. xact: the transaction of the row, as in announcement.
ALTER TABLE rate_use ADD COLUMN xact ${transaction};
CREATE INDEX rate_use_by_transaction ON rate_use (xact);

-- The sums of a moment. uses: a line for each policy and holder: policy, holder, taken.
CREATE TABLE rate_round (
    number     BIGINT PRIMARY KEY,
    uses       TEXT   NOT NULL,
    written_at BIGINT NOT NULL
);

-- One row, which the node that sums up locks. round: the number of the last round. upto: the snapshot that it saw.
CREATE TABLE rate_fold (
    id         BIGINT PRIMARY KEY,
    round      BIGINT NOT NULL,
    upto       TEXT   NOT NULL,
    written_at BIGINT NOT NULL
);
${rate_unlogged}
