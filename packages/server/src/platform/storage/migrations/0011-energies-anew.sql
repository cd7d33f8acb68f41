-- Energies by new rules: growth belongs to the time in which it grew, counters are bounded by what device and plant can do.
-- All roll-ups are made anew from the readings, in the background.
insert into recalculation (binding, "fromAt")
select no, 0 from binding
where exists (select 1 from "deviceDay" where "deviceDay".binding = binding.no)
on conflict (binding) do update set "fromAt" = 0;
insert into task (kind, key, "dueAt", "setAt")
select 'recalculate', cast(binding as {text}), 0, 0 from recalculation where true
on conflict (kind, key) do nothing;
