const en = {
  via: {
    tcp: 'Modbus TCP',
    rtu: 'Modbus RTU over TCP',
    serial: 'Serial line',
    v5: 'Stick (V5)',
    push: 'Stick that reports by itself',
    p1: 'P1',
    sml: 'SML',
    shelly: 'Shelly',
    fronius: 'Fronius Solar API',
    victron: 'Victron',
  } as Readonly<Record<string, string>>,
  unit: (unit: number) => `unit ${unit}`,
  stick: (serial: string) => `stick ${serial}`,
  readOnly: 'read-only',
  title: 'Connection in the house',
  states: {
    answering: 'Answers',
    dark: 'Dark: it is silent because there is no light',
    silent: 'Silent: it does not answer',
  },
  readOnlyLead:
    'Nothing is written to it. To change its settings from here, write “control: true” at the device in collect.yaml.',
  counters: 'Since the collector was started',
  timeouts: 'Answers too late',
  strays: 'Answers to nothing',
  reconnects: 'Connected again',
  droppedValues: 'Impossible values dropped',
  collectorAway:
    'The collector is offline; this is what it said last. Is its machine on, and does helioport-collect run there?',
  doAbout: 'What to do',
  generalSteps: [
    'Does it have power, and is it connected? Restart the device or its stick once.',
    'On the collector’s machine, “helioport-collect status” says why it is silent.',
  ],
  steps: {
    tcp: [
      'Has its address changed? Give it a fixed one in the router; “helioport-collect discover” finds it.',
      'Many take a single connection: close other programs, or write “share: true” at the device.',
      'Some updates of sticks close the port. A gateway at the RS485 port, or letting the stick report by itself, goes on.',
    ],
    rtu: [
      'Are the two wires of the RS485 line the right way round, at 9600 baud?',
      'Two programs on one line disturb each other: disconnect the other one.',
      'A wrong unit number gets no answer: the device’s menu shows it.',
    ],
    serial: [
      'Is the adapter plugged in, under the same name as in collect.yaml?',
      'Are the two wires of the RS485 line the right way round, and is nothing else asking on it?',
      'A wrong unit number gets no answer: the device’s menu shows it.',
    ],
    v5: [
      'Has the stick’s address changed? Give it a fixed one in the router.',
      'Was the stick replaced? Its serial number in collect.yaml has to be the new one.',
      'Some updates close port 8899. Let the stick report by itself then, or use a gateway at the RS485 port.',
    ],
    push: [
      'Is the address of the collector’s machine, with port 10000, still entered as the second server of the stick?',
      'Has the address of that machine changed? Give it a fixed one in the router.',
    ],
  } as Readonly<Record<string, readonly string[]>>,
};
export type Texts = typeof en;
export default en;
