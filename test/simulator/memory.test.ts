import { describe, expect, test } from 'vitest';
import { checkValue } from '../../packages/devices/src/parameters/check-value.ts';
import type { Parameter } from '../../packages/devices/src/profiles/profile.ts';
import {
  allProfiles,
  parameterOf,
  profileOf,
} from '../../packages/devices/src/profiles/profiles.ts';
import { readsBackAs } from '../../packages/devices/src/parameters/read-back.ts';
import { factorySettings } from '../../packages/simulator/src/devices/factory-settings.ts';
import { createMemory, type Memory } from '../../packages/simulator/src/devices/memory.ts';
import { hasSixSlots } from '../../packages/simulator/src/inventory.ts';
import { berlinHouse } from './berlin-house.ts';

const [storageInverter, stringInverter] = berlinHouse.inverters;
const noon = Date.parse('2026-06-15T12:00:00Z');

function memoryOf(model: string, displayVersion: number | null = 0x4b00): Memory {
  const specification = model.endsWith('-ES') ? storageInverter : stringInverter;
  const initial = factorySettings(specification, hasSixSlots(displayVersion));
  return createMemory({ parameters: profileOf(model).parameters, displayVersion, initial });
}

/** Values that may be written, one at least for each parameter, in every spelling that clients use. */
function valuesFor({ form }: Parameter): string[] {
  switch (form.type) {
    case 'number':
      return [form.min, form.min + form.step, form.max].map((value) => String(value * form.scale));
    case 'choice':
      return [...form.settable];
    case 'bits':
      return ['1', '33', '98', '2048'];
    case 'clock':
      return ['2026-06-15 14:03:00', '2031-01-01 00:00:00'];
    case 'slot':
      return ['01:00-05:30', '22:00,06:00'];
    case 'slots':
      return [
        '20,55,00:00-06:00,00:00-00:00,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
        '20,55.5,00:00,06:00,00:00,00:00,0,0,12:00,16:00,00:00,00:00,0,0,00:00,00:00,00:00,00:00',
      ];
    // No simulated device has any.
    case 'times':
    case 'text':
      return [];
  }
}

const version = ({ displayVersions }: Parameter): string =>
  displayVersions?.before != null ? '4aff' : '4b00';

describe.each(
  allProfiles()
    .filter(({ models }) => models.length > 0)
    .map(({ name, models }) => [name, models[0]!.replaceAll('#', '8')] as const),
)('a simulated %s', (_, model) => {
  const parameters = [...profileOf(model).parameters.values()];

  test('shows a value for every parameter of its profile', () => {
    for (const parameter of parameters) {
      const { value, raw } = memoryOf(model, Number.parseInt(version(parameter), 16)).read(
        parameter.id,
        noon,
      );
      expect([parameter.id, typeof value, value, raw], parameter.name).toEqual([
        parameter.id,
        'string',
        expect.stringMatching(/./),
        expect.stringMatching(/./),
      ]);
    }
  });

  test('reads back what was written, as the server compares it', () => {
    const writable = parameters.filter(({ access }) => access === 'write');
    expect(writable.length).toBeGreaterThan(5);
    for (const parameter of writable) {
      const displayVersion = version(parameter);
      const memory = memoryOf(model, Number.parseInt(displayVersion, 16));
      for (const text of valuesFor(parameter)) {
        const checked = checkValue(parameter, text, { oldValue: '0', displayVersion });
        if ('fault' in checked)
          expect.unreachable(`${parameter.id} ${text}: ${checked.fault.expected}`);
        memory.write(parameter.id, checked.value, noon);
        const { value } = memory.read(parameter.id, noon + 2000);
        expect([parameter.id, value, readsBackAs(parameter, checked.value, value)]).toEqual([
          parameter.id,
          value,
          true,
        ]);
      }
    }
  });

  test('answers with an exception what its registers cannot take', () => {
    for (const parameter of parameters) {
      const memory = memoryOf(model, Number.parseInt(version(parameter), 16));
      const before = memory.read(parameter.id, noon);
      for (const text of ['', 'x', '1e9', '25:00-26:00', '-7']) {
        if (parameter.form.type === 'number' && Number(text) >= parameter.form.min && text !== '')
          continue;
        expect(() => memory.write(parameter.id, text, noon), `${parameter.id} ${text}`).toThrow(
          'illegal data value',
        );
      }
      expect(memory.read(parameter.id, noon)).toEqual(before);
    }
  });
});

describe('the registers of a simulated inverter', () => {
  test('lack what its model does not have, and what the version of its display does not', () => {
    expect(() => memoryOf('SIM-3K').read('157', noon)).toThrow('illegal data address');
    expect(() => memoryOf('SIM-8K-ES').read('103', noon)).toThrow('illegal data address');
    expect(() => memoryOf('SIM-8K-ES', 0x4aff).read('5946', noon)).toThrow('illegal data address');
    expect(() => memoryOf('SIM-8K-ES', 0x4aff).write('5946', '00:00-01:00', noon)).toThrow(
      'illegal data address',
    );
  });

  test('take nothing for what can only be read', () => {
    expect(parameterOf(profileOf('SIM-8K-ES'), '6798')!.access).toBe('read');
    expect(() => memoryOf('SIM-8K-ES').write('6798', '43605', noon)).toThrow('illegal data value');
  });

  test('hold the switches of all slots in one number: charge slot 1 is bit 0, discharge slot 1 is bit 6', () => {
    const memory = memoryOf('SIM-8K-ES');
    memory.write('5916', '1', noon);
    memory.write('5922', '1', noon);
    memory.write('5921', '1', noon);
    expect(memory.read('5917', noon)).toEqual({ value: '0', raw: String(1 + 32 + 64) });
    memory.write('5916', '0', noon);
    expect([memory.read('5916', noon), memory.read('5922', noon)]).toEqual([
      { value: '0', raw: '96' },
      { value: '1', raw: '96' },
    ]);
  });

  test('hold 80 while export is allowed, and 88 while it is blocked', () => {
    const memory = memoryOf('SIM-8K-ES');
    expect(memory.read('6962', noon)).toEqual({ value: '0', raw: '80' });
    memory.write('6962', '1', noon);
    expect([memory.read('6962', noon), memory.read('6968', noon).value]).toEqual([
      { value: '1', raw: '88' },
      '1',
    ]);
  });

  test('show the state of the first three slots, of six as of three, and which of both there are', () => {
    const six = memoryOf('SIM-8K-ES');
    six.write('5946', '01:00,05:00', noon);
    six.write('5971', '7', noon);
    expect(['4643', '4644', '4692', '5007'].map((id) => six.read(id, noon).value)).toEqual(
      Array(4).fill(
        '50,50,01:00-05:00,00:00-00:00,50,7,00:00-00:00,00:00-00:00,50,50,00:00-00:00,00:00-00:00',
      ),
    );
    const three = memoryOf('SIM-8K-ES', 0x4aff);
    three.write(
      '103',
      '20,55,00:00,06:00,18:00,21:30,0,0,12:00,16:00,00:00,00:00,0,0,00:00,00:00,00:00,00:00',
      noon,
    );
    expect(three.read('4643', noon).value).toBe(
      '20,55,00:00-06:00,18:00-21:30,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
    );
    expect([six, three].map((memory) => memory.read('6798', noon).value)).toEqual(['43605', '0']);
  });

  test('share the power switch among all parameters that turn it', () => {
    const memory = memoryOf('SIM-3K');
    memory.write('53', '222', noon);
    expect(['48', '53', '5161', '5162'].map((id) => memory.read(id, noon).value)).toEqual([
      '222',
      '222',
      '222',
      '222',
    ]);
  });

  test('show a clock that goes on', () => {
    const memory = memoryOf('SIM-3K');
    expect(memory.read('18', noon).value).toBe('2026-06-15 12:00:00');
    memory.write('18', '2026-06-15 11:30:00', noon);
    expect(memory.read('18', noon + 61_000).value).toBe('2026-06-15 11:31:01');
  });
});
