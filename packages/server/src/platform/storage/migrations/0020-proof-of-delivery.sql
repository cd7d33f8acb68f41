-- What a strategy asked for, from an instant on.
create table "strategyVersion" (
  "strategyId" {text} not null references strategy (id),
  "fromAt" {int} not null,
  content {text} not null,
  primary key ("strategyId", "fromAt")
) {clustered};

-- The share of a device in a set point, from an instant on.
create table "strategyShare" (
  "strategyId" {text} not null,
  "deviceId" {text} not null,
  "fromAt" {int} not null,
  "powerKw" {real} not null,
  primary key ("strategyId", "deviceId", "fromAt")
) {clustered};

-- What the owner of a plant let strategies do, from an instant on.
create table "strategyLimits" (
  "plantId" {text} not null references plant (id),
  "fromAt" {int} not null,
  limits {text} not null,
  primary key ("plantId", "fromAt")
) {clustered};

-- When a write by hand ended what a strategy asked of a device.
alter table "strategyDevice" add column "pausedAt" {int};
create index "strategyDeviceEver" on "strategyDevice" ("deviceId", "strategyId");
