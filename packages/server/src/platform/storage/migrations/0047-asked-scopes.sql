-- What a developer asked for is kept beside what the operator granted. Of former decisions, only the latter is known.
alter table "application" add column "askedScopes" integer not null default 0;
update "application" set "askedScopes" = "scopes";
