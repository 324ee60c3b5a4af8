-- One row that every process on this database writes each ten seconds (decision 38). A write that changes nothing would also
-- succeed on a full disk. `at` is the time by which payments go, `wall_at` what the clock of that process's machine said then,
-- `confirmed_at` what an operator has last confirmed. `filler` is empty but after a refused write: to be written, it needs room.
CREATE TABLE heartbeat (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  beats BIGINT NOT NULL,
  at BIGINT,
  wall_at BIGINT,
  confirmed_at BIGINT,
  filler TEXT NOT NULL
);
