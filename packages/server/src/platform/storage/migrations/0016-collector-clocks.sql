-- How many seconds a collector’s clock is ahead of the server’s, according to its reports; null = unknown.
alter table device add column "clockOffsetSeconds" {int};
