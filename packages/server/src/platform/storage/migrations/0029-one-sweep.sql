-- Sweeps are tasks of one kind now; tasks of their former kinds would be due for ever.
delete from task where kind in ('sweepPageEnds', 'sweepInvitations', 'sweepAudit');
