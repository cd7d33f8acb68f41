-- What an application has devices do for a while.
create table strategy (
  id {text} primary key,
  "applicationId" {text} not null references application (id),
  -- The owner, and the authorization that it rests on.
  "accountId" {text} not null references account (id),
  "grantId" {text} not null references "oauthGrant" (id),
  -- The application's own name for it, and the request that created it.
  reference {text} not null,
  request {text} not null,
  name {text} not null,
  program {text},
  priority {int},
  -- A day plan or a set point.
  content {text} not null,
  "startAt" {int} not null,
  "endAt" {int} not null,
  "heartbeatSeconds" {int},
  "heartbeatAt" {int},
  "createdAt" {int} not null,
  "dispatchedAt" {int},
  -- When a set point was last divided over the devices.
  "dividedAt" {int},
  -- When it ended before its time on all devices, how and why.
  "endedAt" {int},
  "endedAs" {text},
  reason {text}
);
create unique index "strategyReference" on strategy ("applicationId", "accountId", reference);
create index "strategyUnderWay" on strategy (id) where "dispatchedAt" is not null and "endedAt" is null;

-- A device of a strategy.
create table "strategyDevice" (
  "strategyId" {text} not null references strategy (id),
  "deviceId" {text} not null references device (id),
  -- Where it was when the strategy was created.
  "plantId" {text} not null references plant (id),
  state {text} not null,
  reason {text},
  -- Its share of a set point.
  "powerKw" {real},
  "appliedAt" {int},
  "endedAt" {int},
  -- null = it has not got its former settings back.
  "restoredAt" {int},
  -- When to try again what could not be restored, and how often that was so.
  "retryAt" {int},
  failures {short} not null default 0,
  primary key ("strategyId", "deviceId")
) {clustered};
create index "strategyOfDevice" on "strategyDevice" ("deviceId", "strategyId") where "restoredAt" is null;
create index "strategyOfPlant" on "strategyDevice" ("plantId", "strategyId");

-- A setting of a device that a strategy changes.
create table "strategySetting" (
  "strategyId" {text} not null,
  "deviceId" {text} not null,
  parameter {text} not null,
  -- What the device had before, and since when that is known.
  former {text},
  "formerAt" {int},
  -- What it has now; null = not known.
  held {text},
  -- Position among the settings that were written together: they are restored the other way round.
  place {short} not null default 0,
  -- 1 = it was changed, and must be restored.
  changed {tiny} not null default 0,
  -- The last command that read or wrote it.
  "commandId" {text},
  primary key ("strategyId", "deviceId", parameter)
) {clustered};

-- The strategy on whose behalf a command is sent, or that a command overrides; and which of these.
alter table command add column "strategyId" {text};
alter table command add column "strategyPart" {text};
create index "commandOfStrategy" on command ("strategyId", "deviceId") where "strategyId" is not null;

-- What the owner lets strategies do; null = anything.
alter table plant add column "strategyLimits" {text};
