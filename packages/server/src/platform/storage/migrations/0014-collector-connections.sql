-- The connection that each collector keeps open: a later one takes over, on whichever instance.
create table "collectorConnection" (
  "collectorId" {text} primary key references device (id),
  id {text} not null,
  "tokenId" {text} not null,
  "openedAt" {int} not null
) {clustered};
-- What an external broker checks the token with, in the form that it reads; null for tokens that are older than this column.
alter table "collectorToken" add column "brokerHash" {text};
