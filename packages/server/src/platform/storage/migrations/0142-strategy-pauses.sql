-- The times for which a write by hand had paused a strategy on a device until it was resumed.
create table "strategyPause" (
  "strategyId" {text} not null,
  "deviceId" {text} not null,
  "fromAt" {int} not null,
  "toAt" {int} not null,
  primary key ("strategyId", "deviceId", "fromAt")
);
