-- What collectors report with. A token is ended by deleting its row, which waits for the reports that are being stored with it.
create table "collectorToken" (
  -- Public: the user name over MQTT.
  id {text} primary key,
  "collectorId" {text} not null references device (id),
  -- SHA-256 of the token.
  hash {bytes} not null unique,
  "createdAt" {int} not null,
  -- Excluded; null = until it is revoked.
  "expiresAt" {int}
);
create index "collectorTokenCollector" on "collectorToken" ("collectorId");
insert into "collectorToken" (id, "collectorId", hash, "createdAt", "expiresAt")
select id, id, "tokenHash", "createdAt", null from device where "tokenHash" is not null;
-- The column itself stays, empty: SQLite drops none that is unique.
update device set "tokenHash" = null where "tokenHash" is not null;
-- Collectors: the account that alone may bind it; null = whoever names it.
alter table device add column "accountId" {text};
-- What a device said of itself last, as JSON: what is in the record and not in here its owner entered.
alter table device add column reported {text};
