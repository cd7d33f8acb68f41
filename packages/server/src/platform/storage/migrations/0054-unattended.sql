-- In each state, plants with alarms that nobody has taken on come before those whose alarms somebody deals with. Worked out with the other figures, and
-- soon after an alarm has begun, has ended, or was taken on.
alter table "plantStanding" add column unattended {short} not null default 0;
drop index "plantStandingState";
create index "plantStandingState" on "plantStanding" (state, unattended, "nameKey", "plantId");
