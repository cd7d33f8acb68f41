-- The mean powers of an inverter on a local day that is over, in steps of 15 minutes. Made anew when its readings of the day have changed.
create table "inverterDay" (
  "bindingNo" {int} not null references binding (no),
  -- yyyymmdd
  day {int} not null,
  -- Of the roll-up of its readings.
  digest {text} not null,
  "startAt" {int} not null,
  -- How rough its curve is; null = it has gaps, or nothing was delivered.
  roughness {real},
  -- Of steps before the first power, then the powers, W; null = unknown.
  powers {text} not null,
  primary key ("bindingNo", day)
) {clustered};

-- What was learned of an inverter from its own clear days.
create table "learnedInverter" (
  "bindingNo" {int} primary key references binding (no),
  -- The last day that was looked at, yyyymmdd.
  "throughDay" {int} not null,
  -- Counts up when something else was learned.
  version {int} not null,
  -- Shape Learned; null = too few days are clear.
  learned {text}
) {clustered};
