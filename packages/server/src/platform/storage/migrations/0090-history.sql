-- What has been imported from another service, so that an import goes on where it ended. Of each list of days, bit 0 is the first day of the month.
create table "historyMonth" (
  "deviceId" {text} not null references device (id),
  -- yyyymm
  month {int} not null,
  -- Days of which an import may have stored readings: all others with readings are the installation's own.
  claimed {int} not null default 0,
  -- Days whose energies, and whose curves, need not be asked for again.
  energies {int} not null default 0,
  curves {int} not null default 0,
  primary key ("deviceId", month)
) {clustered};
