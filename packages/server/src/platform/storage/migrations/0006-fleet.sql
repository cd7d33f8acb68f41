-- A plant by its meter.
create index "plantMeter" on plant ("nmiCode") where "nmiCode" is not null;

-- Where in the list of what an account may see which place is. A folded row: so many plants, or devices of a kind, have ids from
-- this one up to the next folded row's. Another row: a change at this id. Appended to, never updated; a job folds the changes.
create table "visibleSpan" (
  no {serial} primary key,
  "accountId" {text} not null,
  kind {text} not null,
  "fromId" {text} not null,
  amount {int} not null,
  -- Of these, in plants of the account's own.
  "ownedAmount" {int} not null,
  folded {short} not null
);
create index "visibleSpanPlace" on "visibleSpan" ("accountId", kind, "fromId", folded desc, amount, "ownedAmount");
create index "visibleSpanUnfolded" on "visibleSpan" ("accountId") where folded = 0;
insert into "visibleSpan" ("accountId", kind, "fromId", amount, "ownedAmount", folded)
select "accountId", kind, case when block = 0 then '0000000000000000000' else min(id) end, count(*), sum(owned), 1
from (
  select "accountId", kind, id, owned, (row_number() over (partition by "accountId", kind order by id) - 1) / 250 as block
  from (
    select access."accountId", 'plant' as kind, plant.id, case when access.level = 'owner' then 1 else 0 end as owned
    from "plantAccess" as access
    inner join plant on plant.id = access."plantId"
    inner join account as owner on owner.id = plant."ownerId"
    where plant."archivedAt" is null and owner."disabledAt" is null
    union all
    select access."accountId", device.kind, device.id, case when access.level = 'owner' then 1 else 0 end as owned
    from "plantAccess" as access
    inner join plant on plant.id = access."plantId"
    inner join account as owner on owner.id = plant."ownerId"
    inner join device on device."plantId" = plant.id
    where plant."archivedAt" is null and owner."disabledAt" is null
  ) as things
) as numbered
group by "accountId", kind, block;
-- The total is not known: there are more alarms than were counted.
alter table "alarmPage" add column "atLeast" {short} not null default 0;
