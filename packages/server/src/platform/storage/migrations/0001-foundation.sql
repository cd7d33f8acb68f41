-- Types in braces are the portable vocabulary: see migrate.ts.

create table account (
  id {text} primary key,
  email {text} not null unique,
  name {text} not null,
  role {text} not null,
  "passwordHash" {text} not null,
  "legacyHash" {text},
  "timeZone" {text} not null,
  "createdAt" {int} not null,
  "disabledAt" {int}
);

create table "keyPair" (
  id {text} primary key,
  "accountId" {text} not null references account (id),
  label {text} not null,
  secret {bytes} not null,
  "canControl" {int} not null,
  "plantIds" {text},
  cidrs {text},
  pending {int} not null,
  "createdAt" {int} not null,
  "expiresAt" {int},
  "disabledAt" {int},
  "lastUsedAt" {int},
  "lastUsedAddress" {text},
  "lastUsedPath" {text}
);
create index "keyPairAccount" on "keyPair" ("accountId");

create table "auditEvent" (
  id {text} primary key,
  at {int} not null,
  kind {text} not null,
  "accountId" {text},
  actor {text} not null,
  address {text},
  data {text} not null
);
create index "auditEventAccount" on "auditEvent" ("accountId", id);

create table plant (
  id {text} primary key,
  "ownerId" {text} not null references account (id),
  name {text} not null,
  type {int} not null,
  "capacityKwp" {real} not null,
  currency {text} not null,
  "pricePerKwh" {real},
  address {text},
  latitude {real},
  longitude {real},
  "tiltDegrees" {real},
  "azimuthDegrees" {real},
  "nmiCode" {text},
  "installerId" {text} references account (id),
  "timeZone" {text} not null,
  facts {text} not null,
  "createdAt" {int} not null,
  "updatedAt" {int} not null,
  "archivedAt" {int}
);
create index "plantOwner" on plant ("ownerId", id);

create table "plantZone" (
  "plantId" {text} not null references plant (id),
  "fromAt" {int} not null,
  "timeZone" {text} not null,
  primary key ("plantId", "fromAt")
);

create table "plantAccess" (
  "accountId" {text} not null references account (id),
  "plantId" {text} not null references plant (id),
  level {text} not null,
  "createdAt" {int} not null,
  primary key ("accountId", "plantId")
) {clustered};
create index "plantAccessPlant" on "plantAccess" ("plantId");

create table device (
  series {serial} primary key,
  id {text} not null unique,
  sn {text} not null unique,
  kind {text} not null,
  name {text},
  model {text},
  "ratedPowerW" {real},
  "collectorId" {text},
  "plantId" {text} references plant (id),
  "tokenHash" {bytes} unique,
  facts {text} not null,
  "createdAt" {int} not null,
  "removedAt" {int}
);
create index "devicePlant" on device ("plantId", kind, id);
create index "deviceKind" on device (kind, id) where "plantId" is not null;
create index "deviceCollector" on device ("collectorId");

create table binding (
  no {serial} primary key,
  "deviceId" {text} not null references device (id),
  "plantId" {text} not null references plant (id),
  "fromAt" {int} not null,
  "toAt" {int}
);
create index "bindingDevice" on binding ("deviceId", "fromAt");
create index "bindingPlant" on binding ("plantId");

create table "collectorRefusal" (
  "collectorId" {text} not null,
  sn {text} not null,
  reason {text} not null,
  "firstAt" {int} not null,
  "lastAt" {int} not null,
  count {int} not null,
  primary key ("collectorId", sn, reason)
);

-- Wide columns first: PostgreSQL pads the others, which would take 8 bytes more a sample.
create table sample (
  at {int} not null,
  series {short} not null,
  fields {tiny} not null,
  "values" {bytes} not null,
  primary key (series, at)
) {clustered};

create table "fieldList" (
  id {serial} primary key,
  names {text} not null unique
);

create table "deviceDay" (
  binding {short} not null,
  day {short} not null,
  "lastAt" {int} not null,
  state {bytes} not null,
  primary key (binding, day)
) {rewritten};

create table "deviceMonth" (
  binding {short} not null,
  month {short} not null,
  state {bytes} not null,
  primary key (binding, month)
) {clustered};

create table replay (
  "keyId" {text} not null,
  digest {bytes} not null,
  "expiresAt" {int} not null,
  primary key ("keyId", digest)
) {clustered};
create index "replayExpiry" on replay ("expiresAt");

-- Facts about this installation as a whole, such as the check value of its master key.
create table installation (
  name {text} primary key,
  value {bytes} not null
);
