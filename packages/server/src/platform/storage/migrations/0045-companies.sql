-- Several people who work on one fleet. An account belongs to at most one company.
create table company (
  id {text} primary key,
  name {text} not null,
  "createdAt" {int} not null
);

create table "companyMember" (
  "accountId" {text} primary key references account (id),
  "companyId" {text} not null references company (id),
  -- manager or member
  role {text} not null,
  "createdAt" {int} not null
);
create index "companyMemberCompany" on "companyMember" ("companyId", "createdAt");

create table "companyInvitation" (
  id {text} primary key,
  "companyId" {text} not null references company (id),
  "fromAccountId" {text} not null references account (id),
  email {text} not null,
  role {text} not null,
  "createdAt" {int} not null,
  "expiresAt" {int} not null,
  unique ("companyId", email)
);
create index "companyInvitationEmail" on "companyInvitation" (email);
create index "companyInvitationFrom" on "companyInvitation" ("fromAccountId");
create index "companyInvitationExpiry" on "companyInvitation" ("expiresAt");

create table "companyPlant" (
  "companyId" {text} not null references company (id),
  "plantId" {text} not null references plant (id),
  -- read or control
  level {text} not null,
  -- 1 = a member is the plant's installer for the company, until another installer is named.
  "isInstaller" {short} not null,
  "createdAt" {int} not null,
  primary key ("companyId", "plantId")
) {clustered};
create index "companyPlantPlant" on "companyPlant" ("plantId");

-- What an account may by itself, and what by its company; `level` is the higher of both.
alter table "plantAccess" add column "ownLevel" {text};
alter table "plantAccess" add column "companyLevel" {text};
update "plantAccess" set "ownLevel" = level;
