-- What lives of an authorization: its token families.
create index "tokenFamilyGrant" on "tokenFamily" ("grantId");

-- Alarms that applications do not see: few, beside all of a plant's.
create index "alarmAmmeter" on alarm ("plantId", state) where kind = 'ammeter';
