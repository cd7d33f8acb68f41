-- The local day of the plant on which an alarm ended, yyyymmdd; for those that ended before this was kept, the day in UTC.
alter table alarm add column "endDay" {int};
{sqlite}update alarm set "endDay" = cast(strftime('%Y%m%d', "endAt" / 1000, 'unixepoch') as integer) where "endAt" is not null;
{postgres}update alarm set "endDay" = cast(to_char(to_timestamp("endAt" / 1000) at time zone 'UTC', 'YYYYMMDD') as bigint) where "endAt" is not null;
