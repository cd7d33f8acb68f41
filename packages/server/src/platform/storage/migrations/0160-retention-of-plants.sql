-- How long readings of a plant are kept at most, and when they are thinned to one in how many minutes; null = as the settings say.
alter table plant add column "readingsKeptDays" {int};
alter table plant add column "readingsThinnedDays" {int};
alter table plant add column "readingsThinnedMinutes" {int};
-- A device that moves is kept in each plant as long as that plant says.
alter table binding add column "thinnedBefore" {int} not null default 0;
alter table binding add column "expiredBefore" {int} not null default 0;
update binding set
  "thinnedBefore" = (select device."thinnedBefore" from device where device.id = binding."deviceId"),
  "expiredBefore" = (select device."expiredBefore" from device where device.id = binding."deviceId");
alter table device drop column "thinnedBefore";
alter table device drop column "expiredBefore";
