-- Code of the error of a connection, such as ECONNREFUSED, so that people are told in their language why a program of theirs was not reached.
alter table "newsWebhook" add column "connectionError" {text};
