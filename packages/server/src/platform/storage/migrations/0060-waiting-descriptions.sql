-- How a device that is not bound yet described itself last, as JSON; null = it has not.
alter table "collectorRefusal" add column described {text};
