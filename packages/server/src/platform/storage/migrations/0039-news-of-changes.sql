-- When the next e-mail about settings that others changed is due; null = none is wanted.
alter table "newsSetting" add column "changesAt" {int};
-- Writes that ended up to then are not told any more.
alter table "newsSetting" add column "changesAfter" {int};
create index "newsSettingChanges" on "newsSetting" ("changesAt") where "changesAt" is not null;
