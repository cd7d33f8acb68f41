-- Since when an account may do more with a plant than read it, if it could not from the beginning: what it asked for before is not done.
alter table "plantAccess" add column "raisedAt" {int};
-- When an application was last enabled again, or got another scope: what it asked for before is not done.
alter table application add column "resumedAt" {int};
