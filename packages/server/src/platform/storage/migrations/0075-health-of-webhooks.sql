-- Webhooks are left alone and probed like destinations of events while most messages fail.
alter table "newsWebhook" add column probes {int} not null default 0;
alter table "newsWebhook" add column "nextAt" {int} not null default 0;
alter table "newsWebhook" add column "failingSince" {int};
alter table "newsWebhook" add column outcomes {text} not null default '';
