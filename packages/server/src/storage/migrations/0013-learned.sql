-- What the alarm rules have learned of a device: nominal voltages, connected strings.
alter table device add column learned {text};
