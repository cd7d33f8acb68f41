-- Sessions belong to the listener at which somebody logged in, and are listed to their account. Those of earlier versions end: they last 12 hours.
delete from session;
-- Names the session to its account; its hash is shown to nobody.
alter table session add column id {text} not null default '';
-- oauth or portal.
alter table session add column entrance {text} not null default 'oauth';
-- When it was last used, to a few minutes.
alter table session add column "lastAt" {int} not null default 0;
-- From where and with which browser somebody logged in.
alter table session add column address {text};
alter table session add column "userAgent" {text};
create unique index "sessionId" on session (id);

-- What has just changed, for pages that show it live.
create index "deviceReported" on device ("reportedAt") where kind = 'collector';
create index "deviceStateSince" on device ("stateSince");
create index "commandWritten" on command ("endedAt") where action = 'write';
