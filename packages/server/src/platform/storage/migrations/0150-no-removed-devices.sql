-- Devices are unbound, never removed: nothing ever set this column.
alter table device drop column "removedAt";
