-- Whose access to which plant has ended, so that they are told rather than find nothing.
create table "endedAccess" (
  "accountId" {text} not null,
  "plantId" {text} not null,
  -- Its name at that time.
  "plantName" {text} not null,
  "endedAt" {int} not null,
  -- When they were sent an e-mail, or did not need one; null = not yet.
  "notifiedAt" {int},
  primary key ("accountId", "plantId")
);
create index "endedAccessUntold" on "endedAccess" ("endedAt") where "notifiedAt" is null;
