-- How the modules of a plant are mounted, shape `PlantArray[]`; null = not entered.
alter table plant add column arrays {text};
