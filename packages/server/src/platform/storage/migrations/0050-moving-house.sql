-- Where the series are, and where they are being copied to. No row as long as nobody has decided: then the settings say it. series/home.ts
create table "seriesHome" (
  id {tiny} primary key check (id = 1),
  engine {text} not null,
  "copyingTo" {text},
  -- The process that copies.
  copier {text},
  -- Until then, nobody begins to write: the series are about to move.
  "shutUntil" {int}
);

-- What the copy has yet to bring: stretches of samples of devices, of days and of months of bindings. series/changes.ts
create table "seriesChange" (
  kind {tiny} not null,
  subject {short} not null,
  -- 1: the copier has begun with it; what changes meanwhile is a row of its own.
  taken {tiny} not null,
  -- Both included.
  "fromKey" {int} not null,
  "toKey" {int} not null,
  primary key (kind, subject, taken)
) {clustered};

-- Devices that were the same on both sides when they were compared.
create table "seriesComparison" (
  series {short} primary key,
  samples {int} not null,
  days {int} not null,
  months {int} not null,
  checksum {text} not null
) {clustered};

-- The lock is asked for before the row is read: a volatile function reads what is committed at each of its statements. series/gate.ts
{postgres} create function "enterSeries"(out entered boolean, out engine text, out copying boolean, out shut boolean) language plpgsql as $$ begin entered := pg_try_advisory_xact_lock_shared(72052, 0); select home.engine, home."copyingTo" is not null, coalesce(home."shutUntil" > extract(epoch from clock_timestamp()) * 1000, false) into engine, copying, shut from "seriesHome" as home; end $$;
