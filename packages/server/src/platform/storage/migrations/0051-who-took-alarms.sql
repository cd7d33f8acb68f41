-- Who took an alarm on, as in the audit trail: account:ID or operator; null = nobody, or it was taken before this was kept.
alter table alarm add column "processedBy" {text};
