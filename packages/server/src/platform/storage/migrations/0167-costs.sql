-- What was lost so far through what an alarm of an inverter is about; null = not known.
alter table alarm add column "lostKwh" {real};
alter table alarm add column "lostAmount" {real};

-- Of the last 30 days with figures of what a plant should have produced; null = not known.
alter table "plantStanding" add column "recentExpectedKwh" {real};
alter table "plantStanding" add column "recentProducedKwh" {real};
alter table "plantStanding" add column "recentLostKwh" {real};
-- The losses that a visit would mend, as far as applications were told of them; shape OpenLoss[].
alter table "plantStanding" add column "openLosses" {text} not null default '[]';
