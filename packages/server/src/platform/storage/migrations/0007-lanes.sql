-- Work to be done at a time, by whichever instance claims it first.
create table task (
  kind {text} not null,
  key {text} not null,
  "dueAt" {int} not null,
  -- When "dueAt" was set: what a clock that ran ahead has put off is found by it.
  "setAt" {int} not null,
  -- Counts how often it was armed, so that arming during a run is not lost when the run ends.
  revision {int} not null default 0,
  "claimedUntil" {int} not null default 0,
  "claimedBy" {text},
  failures {int} not null default 0,
  primary key (kind, key)
);
create index "taskDue" on task (kind, "dueAt");
create index "taskSet" on task ("setAt");
-- Periodic work is made known at the start.
insert into task (kind, key, "dueAt", "setAt", revision) select kind, key, "dueAt", 0, revision from job where kind = 'recalculate';
drop table job;
