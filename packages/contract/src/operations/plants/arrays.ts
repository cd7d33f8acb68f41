import { exampleInverter, examplePlant } from '../../examples.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { an } from '../../records/an.ts';
import { answerWith, listOfRecords, maybe, record, type InOf } from '../../records/kind.ts';
import { id, objects } from '../../scalars.ts';

export const ARRAYS_AT_MOST = 100;

const plantId = required(meaning('id of the plant', id('plantId')));

/** Modules of a plant that face the same way and feed the same inverter. */
const array = record('modules that face the same way and feed the same inverter', {
  tiltDegrees: an.degrees('tilt: 0 = level, 90 = upright', 30),
  azimuthDegrees: an.degrees('direction from north towards east: 90 = east, 180 = south', 180),
  capacityKwp: an.kwp('rated power', 4.2),
  sn: maybe(an.text('serial number of the inverter that they feed', exampleInverter.sn)),
  input: maybe(an.number('input of that inverter, from 1', 1)),
});
export type PlantArray = InOf<typeof array>;

const arrays = record('the arrays of a plant', {
  source: an.word(
    ['entered', 'plant'],
    'whether they were entered, or there is one with the tilt, azimuth and capacity of the plant',
    'entered',
  ),
  arrays: listOfRecords('its arrays; none if nothing is known', array),
  estimated: listOfRecords(
    'how the modules seem to be mounted, as the clear days of the inverters say; they count once somebody has entered them. None if that is not known yet',
    array,
  ),
});

export const plantArrays = defineOperation({
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
  id: 'plant/arrays',
  summary: 'Returns how the modules of a plant are mounted.',
  request: { plantId },
  response: answerWith(arrays),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { plantId: examplePlant.id }, data: arrays.example },
});

export const plantSetArrays = defineOperation({
  family: 'plants',
  permission: 'install',
  write: true,
  doors: ['portal'],
  own: true,
  id: 'plant/setArrays',
  summary: 'Says how the modules of a plant are mounted.',
  description:
    'Replaces all arrays of the plant; an empty list removes them. What was expected of the plant is calculated with them from the beginning.',
  request: {
    plantId,
    arrays: required(
      meaning(
        'the arrays: tiltDegrees 0 to 90, azimuthDegrees 0 to 360, capacityKwp, and, if known, sn and input',
        objects(
          ARRAYS_AT_MOST,
          `a list of at most ${ARRAYS_AT_MOST} objects with tiltDegrees, azimuthDegrees, capacityKwp, sn and input`,
          'arrays',
        ),
      ),
    ),
  },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id, arrays: arrays.example.arrays },
    data: null,
  },
});
