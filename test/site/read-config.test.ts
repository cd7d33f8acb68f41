import { describe, expect, test } from 'vitest';
import { ConfigFault } from '../../packages/collector/src/site/config/config-fault.ts';
import { readConfig } from '../../packages/collector/src/site/config/read-config.ts';

const GOOD = `gateway: https://helioport.example:8083
token-file: ./token
report-every: 60s
devices:
  - address: 192.168.1.40
  - address: serial:/dev/ttyUSB0?baud=9600
    unit: 1
    control: true
  - address: v5://192.168.1.41:8899?serial=2700000001
    poll-every: 30s
    confirmed: [gridPowerW, 636]
listen:
  solarman: 0.0.0.0:10000
  sticks: [2700000002]
`;

function faultsOf(text: string): readonly string[] {
  try {
    readConfig(text, 'collect.yaml');
    return [];
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults;
    throw error;
  }
}

test('a file says where devices are, and everything else has a usual value', () => {
  const config = readConfig(GOOD, '/home/ada/collect.yaml');
  expect(config).toMatchObject({
    gateway: 'https://helioport.example:8083',
    tokenFile: '/home/ada/token',
    dataFolder: '/home/ada/collect-data',
    reportMs: 60_000,
    listen: { solarman: { host: '0.0.0.0', port: 10_000 }, sticks: [2_700_000_002] },
  });
  expect(config.devices).toMatchObject([
    { address: { kind: 'any', host: '192.168.1.40' }, control: false, line: 5 },
    { address: { kind: 'serial', path: '/dev/ttyUSB0', baud: 9600 }, unit: 1, control: true },
    { address: { kind: 'v5', serial: 2_700_000_001 }, pollMs: 30_000, control: false },
  ]);
  expect(config.devices[2]!.confirmed).toEqual(new Set(['gridPowerW', '636']));
});

test('a Shelly may have a password, and says what it measures', () => {
  const text = GOOD.replace(
    '  - address: 192.168.1.40',
    '  - address: shelly://192.168.1.40\n    measures: grid\n    password-file: ./secret',
  );
  expect(readConfig(text, '/home/ada/collect.yaml').devices[0]).toMatchObject({
    address: { kind: 'shelly', host: '192.168.1.40', port: 80 },
    measures: ['grid'],
    passwordFile: '/home/ada/secret',
  });
});

describe('a wrong field is named with its line', () => {
  test.each([
    [
      'gateway: https://helioport.example:8083',
      'gateway: helioport.example',
      'line 1: gateway must be',
    ],
    ['gateway: https://helioport.example:8083', 'data: ./x', 'line 1: gateway is missing'],
    ['token-file: ./token', 'token-file: ""', 'line 2: token-file must be the path'],
    ['token-file: ./token', 'data: 7', 'line 2: data must be the path of a folder'],
    ['token-file: ./token', 'collector-id: []', 'line 2: collector-id must be the id'],
    ['token-file: ./token', 'token-id: 5', 'line 2: token-id must be the token id'],
    [
      'token-file: ./token',
      'tokenfile: ./token',
      'line 2: there is no field "tokenfile" here; known: gateway',
    ],
    ['report-every: 60s', 'report-every: 60', 'line 3: report-every must be a time from 5s to 15m'],
    ['report-every: 60s', 'report-every: 1s', 'line 3: report-every must be a time from 5s to 15m'],
    ['  - address: 192.168.1.40', '  - unit: 3', 'line 5: address is missing'],
    ['  - address: 192.168.1.40', '  - 192.168.1.40', 'line 5: a device has fields'],
    [
      '  - address: 192.168.1.40',
      '  - address: 192.168.1.40:502',
      'line 5: address "192.168.1.40:502" is no address',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: rtu://192.168.1.40',
      'line 5: address "rtu://192.168.1.40" names no port',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: tcp://192.168.1.40:70000',
      'there is no port 70000',
    ],
    ['  - address: 192.168.1.40', '  - address: 192.168.1.41', ''],
    ['?baud=9600', '?baud=9601', 'line 6: address "serial:/dev/ttyUSB0?baud=9601": baud is one of'],
    ['?baud=9600', '?parity=some', 'parity is none, even or odd'],
    ['?baud=9600', '?bits=7', 'has an unknown setting "bits"; known: baud, parity, stop'],
    ['    unit: 1', '    unit: 300', 'line 7: unit must be a whole number from 0 to 247'],
    ['    control: true', '    control: yes please', 'line 8: control must be true or false'],
    ['    control: true', '    share: 1', 'line 8: share must be true or false'],
    ['    control: true', '    sn: []', 'line 8: sn must be a serial number'],
    ['?serial=2700000001', '?serial=27x', 'the serial number of a stick is up to 10 digits'],
    ['poll-every: 30s', 'poll-every: 2h', 'line 10: poll-every must be a time from 1s to 1h'],
    ['confirmed: [gridPowerW, 636]', 'confirmed: all', 'line 11: confirmed must be a list of ids'],
    [
      'solarman: 0.0.0.0:10000',
      'solarman: 10000',
      'line 13: solarman must be an address and a port',
    ],
    ['sticks: [2700000002]', 'sticks: [x]', 'line 14: sticks must be a list of serial numbers'],
    [
      '  - address: 192.168.1.40',
      '  - address: 192.168.1.40\n  - address: 192.168.1.40',
      'line 6: the device of line 5 has the same address and unit',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: p1://192.168.1.40:8088\n    control: true',
      'line 5: control cannot be true: p1 is only read',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: shelly://192.168.1.40\n    measures: [grid, sun]',
      'line 6: measures must be grid, production or nothing, or a list of these',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: shelly://192.168.1.40\n    password-file: 5',
      'line 6: password-file must be the path',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: shelly://192.168.1.40\n    user: ""',
      'line 6: user must be the name of a user',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: shelly://192.168.1.40\n    user: ada',
      'line 5: user needs a password-file',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: 192.168.1.40\n    measures: grid',
      'line 5: measures is for shelly',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: 192.168.1.40\n    password-file: ./x',
      'line 5: password-file is for shelly',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: p1:/dev/ttyUSB1\n    unit: 1',
      'line 5: unit is for Modbus: p1 has none',
    ],
    [
      '  - address: 192.168.1.40',
      '  - address: p1:/dev/ttyUSB0',
      'line 6: line 5 reaches /dev/ttyUSB0 in another way',
    ],
    [
      'gateway: https://helioport.example:8083',
      'gateway: mqtt://helioport.example',
      'MQTT needs collector-id and token-id',
    ],
  ])('%s as %s', (good, wrong, expected) => {
    const faults = faultsOf(GOOD.replace(good, wrong));
    if (expected === '') expect(faults).toEqual([]);
    else expect(faults.join('\n')).toContain(expected);
  });

  test('YAML that cannot be read', () => {
    expect(faultsOf('gateway: [')[0]).toMatch(/^collect.yaml, line \d+: /);
    expect(faultsOf('')).toEqual([
      'collect.yaml: expected fields such as gateway, token-file and devices',
    ]);
    expect(faultsOf('gateway: http://a\ndevices:\n')[0]).toContain('no devices');
  });

  test('all faults at once', () => {
    expect(faultsOf(GOOD.replace('unit: 1', 'unit: x').replace('60s', 'x'))).toHaveLength(2);
  });
});
