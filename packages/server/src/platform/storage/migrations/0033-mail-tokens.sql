-- What a link in an e-mail proves: that whoever follows it reads the e-mails of an address. One for each purpose; a newer one replaces it.
create table "mailToken" (
  purpose {text} not null,
  email {text} not null,
  hash {bytes} not null unique,
  "expiresAt" {int} not null,
  primary key (purpose, email)
);
create index "mailTokenExpiry" on "mailToken" ("expiresAt");

-- Requests for such links. A worker answers them, so that whoever asks cannot see whether the address has an account. A row is deleted when it is answered.
create table "mailTokenRequest" (
  id {text} primary key,
  purpose {text} not null,
  email {text} not null,
  -- Of the page from which it came.
  language {text} not null,
  -- The network address from which it came.
  address {text} not null,
  "createdAt" {int} not null
);
