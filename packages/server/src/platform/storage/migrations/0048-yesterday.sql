-- Which plants yielded least yesterday, for their size. Worked out with the other figures, within minutes for all plants; it holds until "dayEndsAt".
alter table "plantStanding" add column "yesterdayFullHours" {real};
create index "plantStandingYesterday" on "plantStanding" ("yesterdayFullHours", "plantId");
