-- One owner must not use up the field lists that all share.
alter table "fieldList" add column "ownerId" {text} references account (id) on delete set null;
