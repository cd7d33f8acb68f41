-- The figures by which lists of plants are sorted and added up. Worked out every few minutes; name, state and capacity change with their plant.
create table "plantStanding" (
  "plantId" {text} primary key references plant (id),
  -- Of the name, and of name and address; '' = not worked out yet.
  "nameKey" {sortable} not null,
  "searchKey" {text} not null,
  state {short} not null,
  "capacityKwp" {real} not null,
  -- Unknown while the plant is offline.
  "powerW" {real},
  "dayKwh" {real},
  "monthKwh" {real},
  "yearKwh" {real},
  "totalKwh" {real},
  "dayIncome" {real},
  "monthIncome" {real},
  "yearIncome" {real},
  "totalIncome" {real},
  -- When the plant's own day, month and year end for which these were worked out.
  "dayEndsAt" {int} not null,
  "monthEndsAt" {int} not null,
  "yearEndsAt" {int} not null,
  "workedOutAt" {int} not null,
  "dueAt" {int} not null
) {clustered};
create index "plantStandingDue" on "plantStanding" ("dueAt");
create index "plantStandingName" on "plantStanding" ("nameKey", "plantId");
create index "plantStandingState" on "plantStanding" (state, "nameKey", "plantId");
create index "plantStandingCapacity" on "plantStanding" ("capacityKwp", "plantId");
create index "plantStandingPower" on "plantStanding" ("powerW", "plantId");
create index "plantStandingDay" on "plantStanding" ("dayKwh", "plantId");
create index "plantStandingMonth" on "plantStanding" ("monthKwh", "plantId");
create index "plantStandingTotal" on "plantStanding" ("totalKwh", "plantId");

insert into "plantStanding" ("plantId", "nameKey", "searchKey", state, "capacityKwp", "dayEndsAt", "monthEndsAt", "yearEndsAt", "workedOutAt", "dueAt")
select id, '', '', state, "capacityKwp", 0, 0, 0, 0, case when "archivedAt" is null then 0 else 9007199254740991 end from plant;
