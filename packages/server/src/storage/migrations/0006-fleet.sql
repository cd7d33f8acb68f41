-- A plant by its meter.
create index "plantMeter" on plant ("nmiCode") where "nmiCode" is not null;
