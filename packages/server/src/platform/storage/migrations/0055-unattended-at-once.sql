-- Whether a plant has alarms that nobody has taken on follows the alarms at once, no longer when figures are worked out.
update "plantStanding" set unattended = case when exists (select 1 from alarm where alarm."plantId" = "plantStanding"."plantId" and alarm.state = 0) then 1 else 0 end;
