-- The device whose history a binding is: of one that was replaced, the device that has its place now.
alter table binding add column "holderId" {text} references device (id);
update binding set "holderId" = "deviceId";
create index "bindingHolder" on binding ("holderId");
