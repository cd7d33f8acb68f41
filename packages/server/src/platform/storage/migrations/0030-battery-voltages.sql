-- The voltage by which the powers of a strategy become currents on a device.
alter table "strategyDevice" add column "batteryVoltageV" {real};
