-- Squares of 0.1 degrees with plants for which a weather service is asked. Coordinates in tenths of a degree.
create table "weatherCell" (
  latitude {int} not null,
  longitude {int} not null,
  -- When a plant was last seen there that wants it.
  "wantedAt" {int} not null,
  "dueAt" {int} not null,
  -- In a row.
  failures {int} not null default 0,
  -- The last address that was answered, and the tag of the answer.
  address {text},
  tag {text},
  primary key (latitude, longitude)
) {clustered};
create index "weatherCellDue" on "weatherCell" ("dueAt");

-- What the weather service said of a day of such a square.
create table "weatherDay" (
  latitude {int} not null,
  longitude {int} not null,
  -- Of UTC, yyyymmdd.
  day {int} not null,
  -- Shape ServiceSample[].
  samples {text} not null,
  -- What is to be said where the figures are shown.
  licence {text} not null,
  primary key (latitude, longitude, day)
) {clustered};
