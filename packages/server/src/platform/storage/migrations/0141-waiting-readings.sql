-- Readings of devices that nobody has bound yet, for the owner of the plant in which their collector was.
create table "waitingReading" (
  no {serial} primary key,
  "collectorId" {text} not null,
  "ownerId" {text} not null,
  sn {text} not null,
  at {int} not null,
  -- By quantity, as JSON.
  "values" {text} not null,
  "receivedAt" {int} not null
);
create index "waitingReadingCollector" on "waitingReading" ("collectorId", no);
create index "waitingReadingSn" on "waitingReading" (sn, no);
create index "waitingReadingReceived" on "waitingReading" ("receivedAt");
