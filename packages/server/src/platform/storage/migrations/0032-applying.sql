-- What became of an application that somebody applied for.
-- Why it was rejected.
alter table application add column reason {text};
-- When its developer last stated what it is; a decision is about exactly that.
alter table application add column "submittedAt" {int} not null default 0;
update application set "submittedAt" = "createdAt";
-- When it was first approved; until then, no owner can have anything to do with it.
alter table application add column "approvedAt" {int};
update application set "approvedAt" = coalesce("decidedAt", "createdAt")
  where status = 'approved' or exists (select 1 from "oauthGrant" as g where g."applicationId" = application.id);
create index "applicationOwner" on application ("ownerId");
