-- E-mails that were not sent yet. A row is deleted when its e-mail was sent or given up.
create table mail (
  id {text} primary key,
  -- null = somebody without an account
  "accountId" {text} references account (id) on delete cascade,
  address {text} not null,
  -- Encrypted, because letters may contain one-time links.
  letter {bytes} not null,
  "createdAt" {int} not null,
  -- Not sent after this time.
  "expiresAt" {int} not null,
  -- Why the last attempt failed.
  fault {text}
);
create index "mailAccount" on mail ("accountId");
