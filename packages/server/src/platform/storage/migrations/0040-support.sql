-- Owners let operators of the service look at everything that they see, for a while.
create table "supportPermission" (
  id {text} primary key,
  "accountId" {text} not null references account (id),
  "createdAt" {int} not null,
  "expiresAt" {int} not null,
  -- When and by whom it was ended before its time.
  "endedAt" {int},
  "endedBy" {text}
);
create index "supportPermissionAccount" on "supportPermission" ("accountId", id);
create index "supportPermissionExpiry" on "supportPermission" ("expiresAt");

-- What operators looked at under a permission: each question once, with how often it was asked.
create table "supportLook" (
  "permissionId" {text} not null references "supportPermission" (id) on delete cascade,
  "operatorId" {text} not null references account (id),
  operation {text} not null,
  subject {text} not null,
  "firstAt" {int} not null,
  "lastAt" {int} not null,
  count {int} not null,
  primary key ("permissionId", "operatorId", operation, subject)
){clustered};
