const en = {
  again: 'Try again',
  close: 'Close',
  failed: 'This could not be loaded',
  noPermission: 'This does not exist, or you have no access to it',
  unreachable: 'The server does not answer at the moment',
  state: { online: 'Online', offline: 'Offline', alarm: 'Alarm' },
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  plant: {
    all: 'All plants',
    localTime: (time: string, zone: string) => `${time} in ${zone}`,
    lastReport: (ago: string) => `Last report ${ago}`,
  },
  table: {
    range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
    previous: 'Previous page',
    next: 'Next page',
  },
  chart: {
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    whole: 'Show all',
    asTable: 'As a table',
    asChart: 'As a chart',
    csv: 'Download as CSV',
    time: 'Time',
    hint: 'Drag across the chart to zoom in.',
    summary: (title: string, from: string, to: string) => `${title}, from ${from} to ${to}`,
    series: 'What is shown',
    clock: (zone: string) => `Times in ${zone}`,
    nothing: 'No readings for this time',
  },
};
export type Texts = typeof en;
export default en;
