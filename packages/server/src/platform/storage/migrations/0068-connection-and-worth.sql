-- When a collector last delivered readings that it had kept during an outage; null = never.
alter table device add column "backlogAt" {int};

-- What was consumed is valued at the price of buying, so that it is known what a plant saved: energies of plants with such a price are made anew.
insert into recalculation (binding, "fromAt")
select no, 0 from binding
inner join plant on plant.id = binding."plantId"
where plant.tariffs like '%"import"%'
on conflict (binding) do update set "fromAt" = 0;
insert into task (kind, key, "dueAt", "setAt")
select 'recalculate', cast(binding as {text}), 0, 0 from recalculation where true
on conflict (kind, key) do nothing;

-- The money of lists is what was saved and sold; it is worked out anew.
alter table "plantStanding" rename column "dayIncome" to "dayWorth";
alter table "plantStanding" rename column "monthIncome" to "monthWorth";
alter table "plantStanding" rename column "yearIncome" to "yearWorth";
alter table "plantStanding" rename column "totalIncome" to "totalWorth";
update "plantStanding" set "dueAt" = 0 where "dueAt" < 9007199254740991;

-- How a write of the portal was answered, encrypted: its page asks if the answer was lost.
alter table "onceMark" add column answer {bytes};
