-- The authenticator app of an account.
create table totp (
  "accountId" {text} primary key references account (id) on delete cascade,
  -- Encrypted.
  secret {bytes} not null,
  "createdAt" {int} not null,
  -- null until a code has shown that the app has the secret; it is not asked for before.
  "confirmedAt" {int},
  -- The time step of the last code that was used; no code of this or an earlier step is accepted again.
  "lastStep" {int} not null default 0
);

-- Codes for somebody who has lost the other factors. A row is deleted when its code is used.
create table "recoveryCode" (
  hash {bytes} primary key,
  "accountId" {text} not null references account (id) on delete cascade
);
create index "recoveryCodeAccount" on "recoveryCode" ("accountId");

create table passkey (
  id {text} primary key,
  "accountId" {text} not null references account (id) on delete cascade,
  "credentialId" {bytes} not null,
  "publicKey" {bytes} not null,
  -- How often the authenticator has signed, if it counts; 0 = it does not.
  counter {int} not null,
  -- JSON array: how browsers reach the authenticator.
  transports {text} not null,
  name {text} not null,
  "createdAt" {int} not null,
  "lastUsedAt" {int}
);
create unique index "passkeyCredential" on passkey ("credentialId");
create index "passkeyAccount" on passkey ("accountId");
