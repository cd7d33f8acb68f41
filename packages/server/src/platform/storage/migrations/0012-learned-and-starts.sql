-- What the alarm rules have learned of a device: nominal voltages, connected strings.
alter table device add column learned {text};

-- Readings that came late or were corrected may have changed when a binding began to report and to produce; counted up when they did.
alter table binding add column revision {short} not null default 0;
-- When a binding reported and produced first, found once; of an older revision it no longer holds.
create table "bindingStart" (
  "bindingNo" {short} primary key,
  revision {short} not null,
  "reportedAt" {int} not null,
  -- Null: nothing was produced when it was looked for.
  "producedAt" {int}
);

-- Where pages of lists ended for their readers; before, those of alarms alone were kept.
drop table "alarmPage";
create table "pageEnd" (
  list {text} not null,
  "pageNo" {int} not null,
  "lastId" {text} not null,
  total {int},
  "atLeast" {short} not null,
  at {int} not null,
  primary key (list, "pageNo")
) {clustered};
create index "pageEndAge" on "pageEnd" (at);
