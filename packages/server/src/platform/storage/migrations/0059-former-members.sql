-- Who left a company, and when: those who stay go on knowing whose deeds they see.
create table "companyFormer" (
  "companyId" {text} not null references company (id),
  "accountId" {text} not null references account (id),
  "leftAt" {int} not null,
  primary key ("companyId", "accountId")
) {clustered};
create index "companyFormerAccount" on "companyFormer" ("accountId");
