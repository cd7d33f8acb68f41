-- Live pages read changes of states from the event log.
drop index "deviceStateSince";
