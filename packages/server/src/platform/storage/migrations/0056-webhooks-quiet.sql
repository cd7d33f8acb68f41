-- 1 = webhooks have the account's quiet hours too.
alter table "newsSetting" add column "webhooksQuiet" {short} not null default 0;
