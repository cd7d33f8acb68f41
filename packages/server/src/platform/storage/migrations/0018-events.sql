-- What happened, in the order in which it became visible: an entry has the events of one kind in one plant that one transaction made.
create table event (
  no {position} primary key,
  -- PostgreSQL: no transaction before this one is still open once the oldest open one is not below it. 0 on SQLite, where `no` is the order.
  key {int} not null default 0,
  -- A bit of the contract's kinds.
  kind {short} not null,
  -- The owner of the plant at that time, or whose authorization it is.
  "accountId" {text} not null,
  -- Only for events of authorizations: whom they concern.
  "applicationId" {text},
  "plantId" {text},
  "recordedAt" {int} not null,
  -- JSON: the events, each with its device, sequence number and data.
  events {text} not null
);
create unique index "eventOrder" on event (key, no) where key > 0;
create index "eventPlant" on event ("plantId", no);

-- The last number of each sequence: one per device (or plant, or authorization) and kind.
create table "eventStream" (
  subject {text} not null,
  kind {short} not null,
  sequence {int} not null,
  -- When its last event was recorded, and where it belonged.
  "lastAt" {int} not null,
  "plantId" {text},
  "accountId" {text} not null,
  -- The same of the event before; 0 = that one belonged elsewhere.
  "previousAt" {int} not null,
  primary key (subject, kind)
) {rewritten};

-- One row. What is added to the numbers of PostgreSQL's transactions, which begin anew in a cluster into which a dump is read.
create table "eventLog" (
  id {int} primary key,
  base {int} not null
);
insert into "eventLog" (id, base) values (1, 0);
