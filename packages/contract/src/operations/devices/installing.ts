import { exampleInverter, examplePlant } from '../../examples.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { an, ownRecord } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { id, integer, number, textInput } from '../../scalars.ts';
import type { NamedDevice } from '../installation-devices.ts';

const common = {
  family: 'management',
  permission: 'install',
  doors: ['portal'],
  own: true,
  write: true,
} as const;

const plantId = required(meaning('id of the plant', id('plantId')));
const sn = required(meaning('serial number of a device of the plant', textInput(64, 'sn')));

export const deviceReplace = defineOperation({
  ...common,
  id: 'device/replace',
  summary: 'Puts a device in the place of another one of a plant, whose history it continues.',
  description:
    'All or nothing. The former device leaves the plant. What it measured there, its energies and its alarms are the history of the new one from now on, also if that is of another model; ' +
    'so are its name and its modules. Commands that were sent to it stay its own. A new collector reports for the devices of the former one. ' +
    'Which devices may come is as for `addDevice`; for somebody with the share `install`, it is those that a collector of the plant has reported, and collectors whose token is sent.',
  request: {
    plantId,
    sn,
    by: required(meaning('serial number of the device that comes', textInput(64, 'by'))),
    collectorToken: meaning('token of the collector that comes', textInput(200, 'collectorToken')),
    ratedPowerKw: meaning(
      'rated AC power of the device that comes, in kW; by default, what it says',
      number({ min: 0.001, max: 1_000_000 }, 'ratedPower'),
    ),
  },
  response: ownRecord<NamedDevice>('the device that came', {
    id: an.text('id of the device'),
    sn: an.text('serial number'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'deviceAlreadyBound'],
  example: {
    request: { plantId: examplePlant.id, sn: 'SIM-OLD-1', by: exampleInverter.sn },
    data: { id: exampleInverter.id, sn: exampleInverter.sn },
  },
});

export const deviceEdit = defineOperation({
  ...common,
  id: 'device/edit',
  summary: 'Names a device of a plant, or corrects what is known about it.',
  description: 'What is not sent stays unchanged.',
  request: {
    plantId,
    sn,
    name: meaning(
      'name; empty: it has none, and is shown by its serial number',
      textInput(100, 'name'),
    ),
    model: meaning('model', textInput(100, 'model')),
    ratedPowerKw: meaning(
      'rated AC power in kW, by which its counters are judged: its energies are calculated again',
      number({ min: 0.001, max: 1_000_000 }, 'ratedPower'),
    ),
    dcInputs: meaning('DC inputs of an inverter', integer({ min: 0, max: 100 }, 'dcInputs')),
  },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id, sn: exampleInverter.sn, name: 'Garage roof' },
    data: null,
  },
});
