-- What was expected of a plant on a local day that is over, beside what it produced. Calculated anew when what it was calculated from has changed.
create table "performanceDay" (
  "plantId" {text} not null references plant (id),
  -- yyyymmdd
  day {int} not null,
  -- Of everything that it was calculated from.
  digest {text} not null,
  -- Null if nothing is expected; then, why.
  "expectedKwh" {real},
  "clippedKwh" {real},
  "producedKwh" {real},
  "uncertaintyPercent" {real},
  missing {text},
  -- Mean value of a kWh, weighted by what was expected; null = no price is known.
  price {real},
  -- What its inverters made of the light, shape DayRatios.
  ratios {text} not null,
  primary key ("plantId", day)
) {clustered};

-- What a plant lost on such a day, for each known cause.
create table "performanceLoss" (
  "plantId" {text} not null references plant (id),
  day {int} not null,
  cause {text} not null,
  -- Of the inverter; '' = the whole plant.
  sn {text} not null,
  kwh {real} not null,
  amount {real},
  -- high, medium or low, and what speaks for the cause; shape LossEvidence.
  evidence {text} not null,
  primary key ("plantId", day, cause, sn)
) {clustered};

-- When the losses of a plant are next looked at.
alter table "plantStanding" add column "lossesDueAt" {int} not null default 0;
create index "plantStandingLosses" on "plantStanding" ("lossesDueAt");
