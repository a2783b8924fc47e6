-- disabled: why the service disabled it.
ALTER TABLE schedule ADD COLUMN disabled TEXT;
