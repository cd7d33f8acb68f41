-- What an application asked for and was sent on one day of an owner's calendar. Instances add to it about once a minute.
create table "applicationUse" (
  "accountId" {text} not null references account (id) on delete cascade,
  "applicationId" {text} not null references application (id),
  -- Days since 1970-01-01.
  day {int} not null,
  reads {int} not null,
  writes {int} not null,
  forwarded {int} not null,
  -- When it last asked for something; null = it was only sent events.
  "lastAt" {int},
  primary key ("accountId", "applicationId", day)
) {clustered};
create index "applicationUseDay" on "applicationUse" (day);
