-- What is left to do of an account that was closed, or whose data is being removed. It ends share by share and plant by plant, so that one that is interrupted
-- goes on where it was.
create table "accountClosing" (
  "accountId" {text} primary key references account (id),
  -- What is newer stays.
  at {int} not null,
  -- Who closed it, and from where: the audit trail says so of each end.
  actor {text} not null,
  address {text},
  place {text} not null
);
