-- What the account asked for until then and still waits to be done is not done any more, in epoch milliseconds; null = all is.
alter table account add column "requestsEndedAt" {int};
-- What a person might take the name for, so that no two applications look alike; null = it was registered before this was kept.
alter table application add column "nameKey" {text};
create unique index "applicationNameKey" on application ("nameKey");
