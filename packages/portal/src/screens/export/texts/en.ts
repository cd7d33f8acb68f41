const en = {
  title: 'Your data',
  lead: 'Everything that your account has, as a ZIP archive: plants, devices, prices, shares, alarms, commands, strategies, the audit trail, and all readings. Key pairs are listed without their secrets.',
  format: 'Readings as',
  csv: 'CSV, for spreadsheets',
  parquet: 'Parquet, for databases',
  start: 'Prepare the archive',
  underway: (percent: string) =>
    `The archive is being written: ${percent}. You can leave this page.`,
  ready: (size: string, until: string) => `Ready, ${size}. It is kept until ${until}.`,
  download: 'Download',
  cancel: 'Cancel',
  remove: 'Delete the archive',
  again: 'Preparing another one deletes this one.',
  failed: 'This could not be done.',
};
export type Texts = typeof en;
export default en;
