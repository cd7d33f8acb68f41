-- Up to when the readings of a device are thinned, and expired; 0 = they are not.
alter table device add column "thinnedBefore" {int} not null default 0;
alter table device add column "expiredBefore" {int} not null default 0;
