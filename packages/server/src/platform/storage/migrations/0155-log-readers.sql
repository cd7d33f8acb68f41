-- How far our own readers of the event log are.
create table "logReader" (
  name {text} primary key,
  key {int} not null,
  no {int} not null,
  -- JSON array: numbers of the entries beyond that it has read although others could still come before them.
  ahead {text} not null
);
insert into "logReader" (name, key, no, ahead)
  select 'notifications', coalesce(max(key), 0), coalesce(max(no), 0), '[]' from event;

-- What they read: everything but samples.
create index "eventChange" on event (key, no) where kind <> 1;

-- Beginnings and ends of alarms that were not passed on yet are read from the log now.
insert into event (kind, "accountId", "plantId", "recordedAt", events)
  select case began when 1 then -1 else -2 end, '', alarm."plantId", notice.at,
    '[{"subject":"' || alarm."deviceId" || '","data":{"alarmId":"' || alarm.id || '"}}]'
  from "alarmNotice" as notice join alarm on alarm.id = notice."alarmId";
{postgres} update event set key = (select greatest(max(key), 1) from event) where key = 0;
drop table "alarmNotice";
