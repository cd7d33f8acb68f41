-- Only for entries of samples: instants and values as binary numbers, a third of the size of their JSON. `events` says of which devices and quantities they are.
alter table event add column samples {bytes};
-- Of each device among them: the last number of its sequence, and when the event before was recorded; shape SampleNumbers.
alter table event add column numbers {text};
-- Compressing numbers costs more than it saves.
{postgres} alter table event alter column samples set storage external;

-- The last outcomes at a destination, the newest last: + delivered, - failed. Whoever goes on counts them too.
alter table "destinationProgress" add column outcomes {text} not null default '';
