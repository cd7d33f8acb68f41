-- The words of the interface.
alter table picture rename to snapshot;
