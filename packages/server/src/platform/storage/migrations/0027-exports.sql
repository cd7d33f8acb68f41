-- The export of what an account has. It is written entry by entry, so that one that is interrupted goes on with the entry that it was at.
create table "accountExport" (
  id {text} primary key,
  "accountId" {text} not null references account (id),
  format {text} not null,
  -- underway, ready, or over: its parts are being deleted.
  state {text} not null,
  "createdAt" {int} not null,
  "readyAt" {int},
  "expiresAt" {int},
  -- Where to go on, and the share of the work that is done.
  place {text} not null,
  progress {real} not null,
  entries {int} not null,
  bytes {int} not null
);
create index "accountExportAccount" on "accountExport" ("accountId");
create index "accountExportState" on "accountExport" (state, "expiresAt");

-- A finished file of an export, as the archive holds it.
create table "exportEntry" (
  "exportId" {text} not null references "accountExport" (id),
  no {int} not null,
  name {text} not null,
  -- 0 stored, 8 deflated.
  method {short} not null,
  crc {int} not null,
  size {int} not null,
  "packedSize" {int} not null,
  primary key ("exportId", no)
) {clustered};

create table "exportChunk" (
  "exportId" {text} not null references "accountExport" (id),
  "entryNo" {int} not null,
  no {int} not null,
  content {bytes} not null,
  primary key ("exportId", "entryNo", no)
);
