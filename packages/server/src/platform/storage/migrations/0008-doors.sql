-- What a write was sent with, such as a signature. Each counts once.
create table "onceMark" (
  holder {text} not null,
  digest {bytes} not null,
  "expiresAt" {int} not null,
  primary key (holder, digest)
) {clustered};
create index "onceMarkExpiry" on "onceMark" ("expiresAt");
insert into "onceMark" select 'key:' || "keyId", digest, "expiresAt" from replay;
drop table replay;

-- What one account offers another, who accepts or declines: an address or an account is named, whether or not there is one.
create table invitation (
  id {text} primary key,
  "plantId" {text} not null references plant (id),
  "fromAccountId" {text} not null references account (id),
  email {text},
  "accountId" {text},
  kind {text} not null,
  level {text},
  state {text} not null,
  "createdAt" {int} not null,
  "expiresAt" {int} not null,
  "answeredAt" {int}
);
create index "invitationSender" on invitation ("fromAccountId", id);
create index "invitationEmail" on invitation (email, id) where email is not null;
create index "invitationAccount" on invitation ("accountId", id) where "accountId" is not null;
create index "invitationPlant" on invitation ("plantId");
create index "invitationExpiry" on invitation ("expiresAt");
