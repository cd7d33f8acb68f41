-- What a write was sent with: a signature, an idempotency key, the ticket of a form. Each counts once.
create table "onceMark" (
  holder {text} not null,
  digest {bytes} not null,
  "expiresAt" {int} not null,
  primary key (holder, digest)
) {clustered};
create index "onceMarkExpiry" on "onceMark" ("expiresAt");
insert into "onceMark" select 'key:' || "keyId", digest, "expiresAt" from replay;
drop table replay;
