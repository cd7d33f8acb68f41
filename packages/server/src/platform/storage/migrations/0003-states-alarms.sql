-- Work to be done at a time, by whichever instance claims it first.
create table job (
  kind {text} not null,
  key {text} not null,
  "dueAt" {int} not null,
  -- Counts how often it was armed, so that arming during a run is not lost when the run ends.
  revision {int} not null default 0,
  "claimedUntil" {int} not null default 0,
  "claimedBy" {text},
  failures {int} not null default 0,
  primary key (kind, key)
);
create index "jobDue" on job ("dueAt");

-- 1 online, 2 offline, 3 alarm; plants also 4: building, no device yet.
alter table device add column state {short} not null default 2;
alter table device add column "stateSince" {int} not null default 0;
alter table device add column "offlineAbnormal" {short} not null default 0;
alter table device add column "expectedSeconds" {int} not null default 300;
-- When the watch looks at the device next; null: not before it reports.
alter table device add column "checkAt" {int};
-- Collectors: their last post, to the minute.
alter table device add column "reportedAt" {int};
-- The newest sample that the alarm rules have seen.
alter table device add column "evaluatedAt" {int} not null default 0;
-- Open alarms that put a reporting device into the state alarm.
alter table device add column "openAlarms" {int} not null default 0;
create index "deviceCheck" on device ("checkAt") where "checkAt" is not null;

alter table plant add column state {short} not null default 4;
alter table plant add column "stateSince" {int} not null default 0;
alter table plant add column "deviceCount" {int} not null default 0;
alter table plant add column "onlineDevices" {int} not null default 0;
alter table plant add column "alarmDevices" {int} not null default 0;
alter table plant add column "abnormalDevices" {int} not null default 0;

-- How many things of a kind and state an account may see: the sum of the rows. Changes are appended, never updated,
-- so that writers do not wait for one another; a job folds them.
create table "visibleCount" (
  no {serial} primary key,
  "accountId" {text} not null,
  -- In plants of the account's own.
  owned {short} not null,
  kind {text} not null,
  state {short} not null,
  amount {int} not null,
  folded {short} not null
);
create index "visibleCountAccount" on "visibleCount" ("accountId", kind);
create index "visibleCountUnfolded" on "visibleCount" ("accountId") where folded = 0;

create table alarm (
  id {text} primary key,
  "deviceId" {text} not null references device (id),
  "plantId" {text} not null references plant (id),
  sn {text} not null,
  kind {text} not null,
  code {text} not null,
  -- 1 tip, 2 general, 3 emergency
  level {short} not null,
  message {text} not null,
  "beginAt" {int} not null,
  -- The plant's local day of the beginning, yyyymmdd.
  "beginDay" {int} not null,
  "endAt" {int},
  -- 0 pending, 1 processed, 2 restored
  state {short} not null,
  "processedAt" {int}
);
-- Raised once, whoever raises it.
create unique index "alarmOpen" on alarm ("deviceId", code) where "endAt" is null;
create unique index "alarmBegin" on alarm ("deviceId", code, "beginAt");
create index "alarmPlant" on alarm ("plantId", state, id);
create index "alarmState" on alarm (state, id);
create index "alarmDay" on alarm ("beginDay", id);
create index "alarmSn" on alarm (sn, id);

-- Where a reader's page of alarms ended, so that the next page goes on there while alarms are added.
create table "alarmPage" (
  reader {text} not null,
  filter {text} not null,
  "pageNo" {int} not null,
  "lastId" {text} not null,
  -- Alarms of all pages when the first was read.
  total {int} not null,
  at {int} not null,
  primary key (reader, filter, "pageNo")
) {clustered};
create index "alarmPageAge" on "alarmPage" (at);
