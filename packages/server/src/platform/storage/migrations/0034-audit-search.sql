-- Operators search the trail of all accounts: by what happened, and by who did it.
create index "auditEventKind" on "auditEvent" (kind, id);
create index "auditEventActor" on "auditEvent" (actor, id);
