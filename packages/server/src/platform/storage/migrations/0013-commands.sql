-- What somebody asked of a device, and what became of it.
create table command (
  id {text} primary key,
  "deviceId" {text} not null references device (id),
  -- Where the device was when it was asked.
  "plantId" {text} not null references plant (id),
  -- read or write
  action {text} not null,
  parameter {text} not null,
  -- To be written, and the memory that this wears: parameters may share one.
  value {text},
  cell {text},
  state {text} not null,
  -- Why it ended otherwise than hoped.
  reason {text},
  step {text} not null,
  -- Instructions handed over so far, the last one answered, and those that the current step and the write began with.
  turn {int} not null default 0,
  answered {int} not null default 0,
  "stepTurn" {int} not null default 1,
  "writeTurn" {int},
  -- How often it was read back in vain.
  "readBacks" {short} not null default 0,
  -- What the collector said when the write failed.
  fault {text},
  -- When the next instruction may be handed over.
  "nextAt" {int} not null,
  "expiresAt" {int} not null,
  "queuedAt" {int} not null,
  "sentAt" {int},
  "confirmedAt" {int},
  "endedAt" {int},
  "oldValue" {text},
  "readValue" {text},
  raw {text},
  -- Whom it was handed to.
  "collectorId" {text},
  -- Who asked: whose right is looked at again before it is sent.
  actor {text} not null,
  door {text} not null,
  address {text},
  "accountId" {text},
  "keyId" {text},
  "grantId" {text},
  "tokenFamily" {text},
  -- The command whose effect this one takes back.
  undoes {text}
);
create index "commandOpen" on command ("deviceId", id) where "endedAt" is null;
create index "commandNext" on command ("nextAt") where "endedAt" is null;
create index "commandHistory" on command ("deviceId", action, id);
create index "commandWrites" on command ("deviceId", cell, "sentAt") where cell is not null;
create index "commandRead" on command ("endedAt") where action = 'read';

-- When the owner of a plant stopped the writes of all others; null = they may write.
alter table plant add column "controlStoppedAt" {int};
