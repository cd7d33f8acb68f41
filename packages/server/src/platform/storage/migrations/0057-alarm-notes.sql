-- What whoever took an alarm on says of it, and since when; null = nothing.
alter table alarm add column note {text};
alter table alarm add column "notedAt" {int};
create index "alarmNote" on alarm ("processedBy") where note is not null;
