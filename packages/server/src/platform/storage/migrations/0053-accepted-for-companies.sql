-- The company that an invitation was accepted for, which the sender is told.
alter table invitation add column "companyId" {text};
