-- What a destination was told of the present when it asked for it: the last picture of each.
create table picture (
  "destinationId" {text} primary key references destination (id),
  -- Counts the pictures of the application.
  number {int} not null,
  -- sending, repeating, done, failed
  state {text} not null,
  -- All plants up to this one, of this owner, are in it.
  "accountId" {text} not null default '',
  "plantId" {text} not null default '',
  -- JSON arrays of plants and devices: behind that place but sent already, and refused.
  sent {text} not null default '[]',
  refused {text} not null default '[]',
  plants {int} not null default 0,
  devices {int} not null default 0,
  -- Of what was refused.
  attempts {int} not null default 0,
  "nextAt" {int} not null default 0,
  reason {text},
  "createdAt" {int} not null,
  "endedAt" {int}
) {rewritten};

-- Destinations that take all kinds of events take pictures too.
update destination set kinds = 16383 where kinds = 2047;
