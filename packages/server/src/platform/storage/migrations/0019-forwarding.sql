-- Where events go: an application may have several destinations.
create table destination (
  id {text} primary key,
  "applicationId" {text} not null references application (id),
  -- Without user and password.
  url {text} not null,
  -- Bits of the contract's kinds of events.
  kinds {int} not null,
  -- JSON arrays; null = all that the application may see.
  "plantIds" {text},
  "deviceSns" {text},
  -- JSON: what is no secret and no query filters by, such as the topic.
  options {text} not null,
  -- Encrypted JSON: secrets, user and password.
  secrets {bytes} not null,
  -- active, paused, disabled
  state {text} not null,
  -- Why it was disabled.
  reason {text},
  "createdAt" {int} not null,
  -- Events that were recorded before are not sent to it.
  "sinceAt" {int} not null,
  -- Counts the changes of its settings.
  revision {int} not null default 0
);
create index "destinationApplication" on destination ("applicationId");

-- How far each destination is. Changes often.
create table "destinationProgress" (
  "destinationId" {text} primary key references destination (id),
  -- The last entry of the log that was dealt with.
  key {int} not null,
  no {int} not null,
  delivered {int} not null default 0,
  failures {int} not null default 0,
  "deliveredAt" {int},
  "failedAt" {int},
  -- What the peer or the network said last.
  failure {text},
  excerpt {text},
  -- Since when nothing has been delivered, although it was tried; null = the last attempt was a success.
  "failingSince" {int},
  -- How often it was probed in vain since the circuit opened, and when it is probed next.
  probes {int} not null default 0,
  "nextAt" {int} not null default 0
) {rewritten};

-- A device whose events wait at a destination, because one could not be delivered.
create table "waitingDevice" (
  "destinationId" {text} not null references destination (id),
  -- A device, a plant or a grant.
  subject {text} not null,
  -- The entry before the first one that waits; in that one, events with a lower number have been dealt with.
  key {int} not null,
  no {int} not null,
  sequence {int} not null,
  attempts {int} not null,
  "nextAt" {int} not null,
  reason {text} not null,
  excerpt {text},
  primary key ("destinationId", subject)
) {clustered};

-- An event that was given up.
create table "deadLetter" (
  "destinationId" {text} not null references destination (id),
  "eventId" {text} not null,
  kind {int} not null,
  subject {text} not null,
  sn {text},
  sequence {int} not null,
  reason {text} not null,
  excerpt {text},
  at {int} not null,
  primary key ("destinationId", "eventId")
) {clustered};

-- What a destination asked for once more.
create table replay (
  id {text} primary key,
  "destinationId" {text} not null references destination (id),
  -- Entries of the log: after this one, up to and with the other.
  key {int} not null,
  no {int} not null,
  "lastKey" {int} not null,
  "lastNo" {int} not null,
  -- Which of their events: recorded in this time, of this device, or this one alone.
  "fromAt" {int} not null,
  "untilAt" {int} not null,
  sn {text},
  "eventId" {text},
  -- running, done, failed
  state {text} not null,
  reason {text},
  delivered {int} not null default 0,
  attempts {int} not null default 0,
  "nextAt" {int} not null default 0,
  "createdAt" {int} not null,
  "endedAt" {int}
);
create index "replayOfDestination" on replay ("destinationId", state);

-- Entries of the log that were pruned before a destination had got them.
create table "lostStretch" (
  "destinationId" {text} not null references destination (id),
  "afterNo" {int} not null,
  "untilNo" {int} not null,
  at {int} not null,
  primary key ("destinationId", "afterNo")
) {clustered};

-- Since when an application has access to plants, where that is later than the authorization itself: shape AccessSince.
alter table "oauthGrant" add column "accessSince" {text};
