-- When an account was closed, and when its personal data will be removed; closed without such a time = it was removed.
alter table account add column "closedAt" {int};
alter table account add column "removeAt" {int};
create index "accountRemoval" on account ("removeAt") where "removeAt" is not null;
