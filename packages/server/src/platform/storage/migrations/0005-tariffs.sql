-- Prices with validity and by the time of day; shape `Tariffs`. Null: nothing but the flat price per kWh.
alter table plant add column tariffs {text};

-- Roll-ups that are to be made anew, from an instant on: after a change of what they follow from beside the samples.
create table recalculation (
  binding {short} primary key,
  "fromAt" {int} not null
);

-- Days stored before this knew no money.
insert into recalculation (binding, "fromAt")
select no, 0 from binding
inner join plant on plant.id = binding."plantId"
where "pricePerKwh" is not null and exists (select 1 from "deviceDay" where "deviceDay".binding = binding.no);
insert into job (kind, key, "dueAt") select 'recalculate', cast(binding as {text}), 0 from recalculation;
