-- Which collectors reported a device in vain: it is linked to them when it is bound.
create index "collectorRefusalSn" on "collectorRefusal" (sn);
