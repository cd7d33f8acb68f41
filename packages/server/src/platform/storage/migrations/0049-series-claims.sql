-- Who is writing the series of a device, where they are in an engine without transactions: an attempt writes while it holds the claim, with timestamps
-- from the revision on. "stored" is the last attempt that was stored as a whole.
create table "seriesClaim" (
  series {short} primary key,
  attempt {text},
  "until" {int} not null,
  revision {int} not null,
  stored {text}
) {rewritten};

-- How often a recalculation was asked for since it was last done: while one is being carried out, another may be asked for.
alter table recalculation add column requests {int} not null default 0;
