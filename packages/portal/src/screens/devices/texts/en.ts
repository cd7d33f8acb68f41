const en = {
  manage: 'Bind or unbind devices',
  title: 'Devices',
  none: 'No devices yet',
  byState: 'Devices by state',
  search: 'Name, serial number or model',
  allKinds: (count: string) => `All kinds (${count})`,
  nothingFound: 'No device matches',
  showAll: 'Show all devices',
};
export type Texts = typeof en;
export default en;
