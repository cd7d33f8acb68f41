-- The logo of a company: a PNG or JPEG as a data URI; null = none.
alter table company add column logo {text};

-- Availability on a day: time in which inverters should have run, and did, in steps; what was expected of them in that time, kWh. Null = not known.
alter table "performanceDay" add column "dueSteps" {int};
alter table "performanceDay" add column "ranSteps" {int};
alter table "performanceDay" add column "dueKwh" {real};
alter table "performanceDay" add column "ranKwh" {real};
