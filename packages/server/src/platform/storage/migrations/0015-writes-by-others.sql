-- The newest write of somebody else that the owner of a plant has seen; null = none.
alter table plant add column "writesSeen" {text};
create index "commandOfPlant" on command ("plantId", id) where action = 'write';
