-- What a counter can have grown in a long gap is bounded by the sun. All roll-ups are made anew from the readings, in the background, whichever engine
-- holds them.
insert into recalculation (binding, "fromAt")
select no, 0 from binding where true
on conflict (binding) do update set "fromAt" = 0, requests = recalculation.requests + 1;
insert into task (kind, key, "dueAt", "setAt")
select 'recalculate', cast(binding as {text}), 0, 0 from recalculation where true
on conflict (kind, key) do nothing;
