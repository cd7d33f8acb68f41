const en = {
  title: 'Connect a device',
  lead: 'A small program on a machine in the house asks the devices, and reports to this plant. Nothing in the house has to be reachable from outside.',
  have: 'What have you got?',
  families: {
    solis: 'Solis, or a stick for SolisCloud',
    deye: 'Deye or Sunsynk',
    sofar: 'Sofar or ZCS Azzurro',
    sunspec: 'SunSpec: Fronius, SMA, SolarEdge, Kostal and others',
    meter: 'A meter',
    own: 'A program that reports by itself',
  },
  first: {
    solis:
      'Sticks with port 8899 (S1, S2, DLS) need nothing. Others speak Modbus on port 502 with some firmware only; a gateway at the RS485 port always works. Many sticks take one connection: the maker’s cloud may show nothing meanwhile.',
    deye: 'WiFi sticks listen on port 8899, LAN sticks on 8899 or 502. New firmware closes the port; then use a gateway at the RS485 port.',
    sofar: 'Sticks listen on port 8899. Without a stick, use a gateway at the RS485 port.',
    sunspec:
      'Switch on Modbus TCP on the inverter’s web page or display. Control is usually switched on there separately.',
    meter:
      'SunSpec meters: switch on Modbus TCP. Smart meters: plug the cable of the P1 port, or the infrared head, into the machine. A Shelly needs nothing.',
    own: 'It sends its readings with a token over HTTP. The collector protocol describes how.',
  },
  createLead: 'This adds a collector to the plant.',
  createFile: 'Create the file and the token',
  createToken: 'Create the token',
  toDo: 'What to do with it',
  install:
    'Install the on-site collector, helioport-collect, on a machine in the house with Node 20 or newer, such as a Raspberry Pi.',
  saveBoth:
    'Save both files in one folder there. Put the address of your device into collect.yaml.',
  token: 'Token',
  tokenFile: 'Save it as a file with the name “token”.',
  once: 'The token is shown only now',
  onceLead: 'Whoever has it can report for this plant. If it is lost, create another one here.',
  unknownAddress:
    'If you do not know the address: this looks for devices in the house, and writes collect.yaml itself.',
  search: 'Look for devices',
  start: 'Start it',
  gateway: 'Address for reports',
  serial: 'Serial number of the collector',
  thenBind: 'What it finds appears in the settings of the plant within minutes, to be bound.',
  toDevices: 'To the devices of the plant',
  file: {
    address: 'address of the stick, the inverter, the meter or the gateway',
    others: 'other ways:',
    control: 'without the next line, nothing is written to the device',
  },
};
export type Texts = typeof en;
export default en;
