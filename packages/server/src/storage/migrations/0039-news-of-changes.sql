-- When the next e-mail about settings that others changed is due; null = none is wanted.
alter table "newsSetting" add column "changesAt" {int};
-- The last write of which its reader has been told.
alter table "newsSetting" add column "changesAfter" {text};
create index "newsSettingChanges" on "newsSetting" ("changesAt") where "changesAt" is not null;
