-- What was exchanged in a try. request_headers: those that were sent, one a line, without the values of the webhook's own; NULL:
-- it succeeded, or an older program sent it. answer_headers: those that help to find an error, one a line. answer_bytes: how much
-- of the body was read; answer has its beginning, or is NULL if that is no text.
ALTER TABLE delivery_attempt ADD COLUMN request_headers TEXT;
ALTER TABLE delivery_attempt ADD COLUMN answer_headers TEXT;
ALTER TABLE delivery_attempt ADD COLUMN answer_bytes BIGINT;
